import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ADAPTER_FOLDERS } from '../src/platform/cli/adapter-modules.ts';
import { MAIN } from './support/binary.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-program-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'bars.json'), '{"chart": "bar", "bars": [{"label": "a", "value": 1}]}');

interface Contents {
  readonly modules: readonly string[];
  /** Files that are loaded with it. */
  readonly imports: readonly string[];
}

/** The files of a bundle and what is in them, as the bundler said when it made them. */
const contents = (bundle: string) =>
  Object.entries(JSON.parse(readFileSync(`dist/${bundle}.json`, 'utf8')) as Record<string, Contents>);

/** Children are programs of their own, and have their own copies of modules. */
const chunks = contents('program').filter(([file]) => file.endsWith('.cjs'));

test('every folder of an adapter is in the bundled program, and loads', () => {
  const isAdapter = new RegExp(`^(?:${Object.values(ADAPTER_FOLDERS).join('|')})/([\\w-]+)/\\1\\.ts$`);
  const adapters = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => isAdapter.test(file))
    .map((file) => `dist/src/${file.replace(/\.ts$/, '.js')}`);
  assert.ok(adapters.length > 40, `${adapters.length} adapters`);
  const files = adapters.map((adapter) => {
    const [file] = chunks.find(([, { modules }]) => modules.includes(adapter)) ?? [];
    assert.ok(file, `${adapter} is not in the program`);
    return join(process.cwd(), 'dist', file);
  });
  const loader = join(folder, 'load.cjs');
  writeFileSync(loader, files.map((file) => `require(${JSON.stringify(file)});`).join('\n'));
  // Adapters that every command needs are in the chunk that is the program.
  const { status, stderr } = spawnSync(process.execPath, [loader, '--version'], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('nothing that was compiled is left of a source that is gone', () => {
  const compiled = readdirSync('dist/src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => `src/${file.slice(0, -'.js'.length)}`);
  assert.ok(compiled.length > 1000, `${compiled.length} files`);
  const isGone = (name: string) => !existsSync(`${name}.ts`) && !existsSync(`${name}.tsx`);
  assert.deepEqual(compiled.filter(isGone), []);
});

test('there is one copy of each module', () => {
  const seen = new Map<string, string>();
  for (const [file, { modules }] of chunks)
    for (const module of modules) {
      assert.equal(seen.get(module), undefined, `${module} is in ${file} too`);
      seen.set(module, file);
    }
  assert.ok(seen.has('dist/src/platform/core/errors.js'));
  assert.ok([...seen.keys()].some((module) => module.startsWith('node_modules/commander/')));
});

test('no files of the program need each other in a circle', () => {
  const byFile = new Map(chunks);
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    assert.ok(!way.includes(file), `${[...way, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const next of byFile.get(file)?.imports ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const [file] of chunks) visit(file, []);
  assert.ok(chunks.some(([, { imports }]) => imports.some((file) => byFile.has(file))));
});

test('files that a module finds beside itself lie beside the bundle too', () => {
  const named = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join('src', file), 'utf8').matchAll(/new URL\('([^']+)', import\.meta\.url\)/g),
    ])
    .map(([, path = '']) => path);
  assert.ok(named.length >= 3);
  for (const path of named) assert.ok(existsSync(join('dist/program', path)), path);
});

/** At most so many files of ours, and which packages besides. */
const LOADS: readonly (readonly [words: string, files: number, packages: readonly string[]])[] = [
  ['--version', 6, []],
  ['chart bars.json -o bars.svg', 14, []],
  ['job list', 30, []],
  ['token list .', 16, []],
  ['job work --help', 30, []],
  ['status .', 35, ['@libsql', '@neon-rs', 'detect-libc', 'libsql']],
  ['run --help', 100, ['@libsql', '@neon-rs', 'detect-libc', 'libsql']],
];

for (const [words, most, packages] of LOADS) {
  test(`nightmark ${words} loads no more than it needs`, () => {
    const loaded = loadedBy(words.split(' '));
    const ours = loaded.filter((file) => file.startsWith(join(process.cwd(), 'dist')));
    assert.ok(ours.length >= 2 && ours.length <= most, `${ours.length} files:\n${ours.join('\n')}`);
    const names = loaded.flatMap((file) => /node_modules\/(@?[^/]+)/.exec(file)?.[1] ?? []);
    for (const name of names) assert.ok(packages.includes(name), `needs the package ${name}`);
  });
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

test('NOTICE has the licence of every package that is a part of what we ship', () => {
  const notice = readFileSync('NOTICE', 'utf8');
  const modules = ['program', 'public', 'page'].flatMap(contents).flatMap(([, it]) => it.modules);
  const names = new Set(
    modules.flatMap((module) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1] ?? []),
  );
  for (const name of ['commander', 'yaml', 'zod', 'preact', 'uplot', 'echarts', 'zrender'])
    assert.ok(names.has(name), `no bundle has ${name}`);
  for (const name of names)
    assert.match(notice, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)\\n\\n\\S`, 'm'));
  for (const holder of ['Jason Miller', 'Leon Sorokin', 'The Apache Software Foundation', 'Baidu Inc.'])
    assert.ok(notice.includes(holder), holder);
});
