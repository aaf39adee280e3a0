import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { chunkScript, compiledFile } from '../src/cli/compiled-chunks.ts';
import { MAIN } from './support/binary.ts';

const PROGRAM = join(process.cwd(), 'dist/program');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-program-'));
after(() => rmSync(folder, { recursive: true }));
const chunks = readdirSync(PROGRAM)
  .filter((name) => name.endsWith('.cjs'))
  .map((name) => ({ name, text: readFileSync(join(PROGRAM, name), 'utf8') }));
writeFileSync(join(folder, 'bars.json'), '{"chart": "bar", "bars": [{"label": "a", "value": 1}]}');
const foldersOf = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();

test('every folder of an adapter is in the bundled program, and loads', () => {
  const table = chunks.find(({ text }) => text.includes('adapterModules='))?.text ?? '';
  const kinds = table.matchAll(/["`]?([\w-]+)["`]?:(?:\/\*.*?\*\/ )?new Map\(\[(.*?\])\]\)/g);
  const files: string[] = [];
  const found = Array.from(kinds, ([, kind = '', list = '']) => {
    const adapters = [...list.matchAll(/\[["'`]([\w-]+)["'`],[^[]*?require\(["'`]\.\/([^"'`]+)["'`]\)/g)];
    files.push(...adapters.map(([, , file = '']) => file));
    return [kind, adapters.map(([, id]) => id)];
  });
  assert.deepEqual(
    found,
    foldersOf('src/adapters').map((kind) => [kind, foldersOf(`src/adapters/${kind}`)]),
  );
  const loader = join(folder, 'load.cjs');
  writeFileSync(loader, files.map((file) => `require(${JSON.stringify(join(PROGRAM, file))});`).join('\n'));
  const { status, stderr } = spawnSync(process.execPath, [loader, '--version'], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('there is one copy of what must be one', () => {
  // The quick way to a chart meets nothing of the rest.
  const met = chunks.filter(({ name }) => name !== 'quick-chart.cjs');
  for (const piece of ['class NightmarkError extends Error', 'class Command extends'])
    assert.equal(met.filter(({ text }) => text.includes(piece)).length, 1, piece);
});

/** At most so many files of ours, and which packages besides. */
const LOADS: readonly (readonly [words: string, files: number, packages: readonly string[]])[] = [
  ['--version', 3, []],
  ['chart bars.json -o bars.png', 3, []],
  ['job list', 12, []],
  ['token list .', 12, []],
  ['job work --help', 18, []],
  ['status .', 16, ['@libsql', '@neon-rs', 'detect-libc', 'libsql']],
  ['run --help', 36, ['@libsql', '@neon-rs', 'detect-libc', 'libsql']],
];

for (const [words, most, packages] of LOADS) {
  test(`nightmark ${words} loads few files`, () => {
    const loaded = loadedBy(words.split(' '));
    const ours = loaded.filter((file) => file.startsWith(join(process.cwd(), 'dist')));
    assert.ok(ours.length >= 2 && ours.length <= most, `${ours.length} files:\n${ours.join('\n')}`);
    const names = loaded.flatMap((file) => /node_modules\/(@?[^/]+)/.exec(file)?.[1] ?? []);
    for (const name of names) assert.ok(packages.includes(name), `needs the package ${name}`);
  });
}

test('chunks have what V8 compiled of them, and V8 takes it', { skip: skipOnNode22() }, () => {
  for (const { name, text } of chunks) {
    const file = join(PROGRAM, name);
    const importsLater = /[^.\w$]import\(/.test(text);
    assert.equal(existsSync(compiledFile(file)), !importsLater, name);
    if (importsLater) continue;
    const { cachedDataRejected } = chunkScript(file, readFileSync(compiledFile(file)));
    assert.equal(cachedDataRejected, false, name);
  }
});

test('a compiled form that is broken or missing is left aside', { skip: skipOnNode22() }, () => {
  const copy = join(folder, 'package');
  cpSync('dist/program', join(copy, 'dist/program'), { recursive: true });
  cpSync(MAIN, join(copy, 'dist/src/cli/nightmark.cjs'));
  cpSync('package.json', join(copy, 'package.json'));
  const version = () => {
    const words = [join(copy, 'dist/src/cli/nightmark.cjs'), '--version'];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    return [stdout, stderr];
  };
  const right = version();
  assert.match(right[0] ?? '', /^\d+\.\d+\.\d+\n$/);
  const compiled = chunks.map(({ name }) => compiledFile(join(copy, 'dist/program', name)));
  for (const file of compiled) writeFileSync(file, 'not what V8 wrote');
  assert.deepEqual(version(), right);
  for (const file of compiled) rmSync(file, { force: true });
  assert.deepEqual(version(), right);
});

function skipOnNode22(): string | false {
  if (Number.parseInt(process.versions.node, 10) < 22) return false;
  const why = 'Node 22 and later keep compiled code by themselves';
  console.log(`Skipped: ${why}`);
  return why;
}

function loadedBy(words: readonly string[]): readonly string[] {
  const list = join(folder, 'loaded.json');
  const probe = join(folder, 'probe.cjs');
  writeFileSync(
    probe,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  spawnSync(process.execPath, ['--require', probe, MAIN, ...words], { cwd: folder });
  return (JSON.parse(readFileSync(list, 'utf8')) as string[]).filter((file) => file !== probe);
}

test('the package has every module that its exports and its child processes need', () => {
  const { exports, files } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Record<string, string | { default: string }>;
    files: readonly string[];
  };
  const needed = new Set<string>();
  const visit = (file: string): void => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g))
      visit(join(dirname(file), name));
  };
  for (const it of Object.values(exports)) if (typeof it !== 'string') visit(join(it.default));
  for (const child of [
    'executors/process/launcher',
    'listeners/udp/socket-thread',
    'timers/process/node-lane',
  ])
    visit(`dist/src/adapters/${child}.js`);
  assert.ok(needed.size > 20);
  for (const file of needed)
    assert.ok(
      files.some((part) => [file, `${dirname(file)}/*.js`].includes(part) || file.startsWith(`${part}/`)),
      `${file} is not in the "files" of package.json`,
    );
});
