import {
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
import { dirname, join } from 'node:path';

/** Texts by their path in dist. A night may be running with what is there: the new ones first, then `start`, which names them. */
export function writeProgram(texts, start) {
  for (const [file, text] of texts) if (file !== start) writeWhole(`dist/${file}`, text);
  writeWhole(`dist/${start}`, texts.get(start));
  utimesSync(`dist/${start}`, new Date(), new Date());
  const folders = new Set(Array.from(texts.keys(), dirname));
  folders.delete(dirname(start));
  for (const folder of folders)
    for (const name of readdirSync(`dist/${folder}`))
      if (!texts.has(`${folder}/${name}`)) rmSync(`dist/${folder}/${name}`, { force: true });
}

/** Whether something that goes into the program was compiled, or the way to bundle it changed, after `file` was written. */
export function isOlder(file) {
  if (!existsSync(file)) return true;
  const bundled = statSync(file).mtimeMs;
  const isNewer = (path) => statSync(path).mtimeMs > bundled;
  return filesOf('dist/src', /(?<!\.test)\.js$/).some(isNewer) || filesOf('scripts', /\.mjs$/).some(isNewer);
}

function filesOf(folder, ending) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => ending.test(name) && !name.startsWith('web/'))
    .map((name) => join(folder, name));
}

/** Untouched when it is the same, else whole or not at all. */
function writeWhole(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.part`;
  writeFileSync(unfinished, text, { mode: 0o755 });
  renameSync(unfinished, file);
  // V8 compares no more than lengths.
  rmSync(`${file}.compiled`, { force: true });
}
