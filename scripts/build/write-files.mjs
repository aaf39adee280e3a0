import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Writes chunks by their path in dist, removes what else lies in `folder`, and leaves dist/FOLDER.json: which modules each file has,
 * and which files it loads with itself, for NOTICE and for tests. A night may be running with what is there: `last`, which names the others, is written after them.
 */
export function writeFiles(folder, chunks, last) {
  const isLast = ({ fileName }) => fileName === last;
  for (const { fileName, code } of [...chunks].sort((a, b) => isLast(a) - isLast(b)))
    writeWhole(`dist/${fileName}`, code);
  if (last) {
    chmodSync(`dist/${last}`, 0o755);
    utimesSync(`dist/${last}`, new Date(), new Date());
  }
  const written = new Set(chunks.map(({ fileName }) => fileName));
  for (const name of readdirSync(`dist/${folder}`))
    if (!written.has(`${folder}/${name}`)) rmSync(`dist/${folder}/${name}`);
  const contents = chunks.map(({ fileName, moduleIds = [], imports = [] }) => [
    fileName,
    { modules: moduleIds.map(placeOf), imports },
  ]);
  writeWhole(`dist/${folder}.json`, `${JSON.stringify(Object.fromEntries(contents), null, 1)}\n`);
}

/** The bundler's own modules begin with a zero byte and lie nowhere. */
function placeOf(id) {
  return id.startsWith('\0') ? id.slice(1) : relative('.', id);
}

/** tsc leaves what it compiled from a source that has moved or is gone since: old tests would go on running, old adapters be found. */
export function removeOrphans() {
  for (const file of ['src', 'test', 'bench'].flatMap((folder) => filesOf(`dist/${folder}`, COMPILED))) {
    const source = relative('dist', file).replace(COMPILED, '');
    if (!['.ts', '.tsx'].some((ending) => existsSync(source + ending))) rmSync(file);
  }
}

const COMPILED = /(?:\.d\.ts|\.js)(?:\.map)?$/;

/** Whether something that goes into the program was compiled, or the way to bundle it changed, after `file` was written. */
export function isOlder(file) {
  if (!existsSync(file)) return true;
  const bundled = statSync(file).mtimeMs;
  const isNewer = (path) => statSync(path).mtimeMs > bundled;
  return filesOf('dist/src', /(?<!\.test)\.js$/).some(isNewer) || filesOf('scripts', /\.mjs$/).some(isNewer);
}

function filesOf(folder, ending) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
}

/** Untouched when it is the same, else whole or not at all. */
function writeWhole(file, content) {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.part`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, file);
}
