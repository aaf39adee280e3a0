import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ADAPTER_FOLDERS } from '../src/platform/cli/adapter-modules.ts';

// One reading of imports for this test and for scripts/shape.mjs.
const shape = join(process.cwd(), 'scripts/shape/imports.mjs');
const { folderOf, importGraph, importsOf, isSource, knots } = (await import(
  shape
)) as typeof import('../scripts/shape/imports.mjs');

/** Capabilities in their order: each may import those before it. docs/architecture.md says what they are. */
const ORDER = [
  ...['platform', 'stats', 'charts', 'executors', 'git', 'formats', 'home', 'judge', 'metrics', 'duet'],
  ...['matrix', 'jobs', 'curves', 'kit', 'experiment', 'bisect', 'dashboard', 'server', 'publish', 'night'],
  ...['import', 'cli', 'web'],
];
/** Layers inside a capability, and the layers of any capability that each may import. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  app: ['core', 'app'],
  adapters: ['core'], // and adapters of platform: one client for each outside thing
  config: ['core', 'config'],
  server: ['core', 'app', 'server'],
  page: ['core', 'page'], // and types of app: the shapes of the documents that it reads
  client: ['core', 'adapters', 'client'], // what users' programs import
  cli: ['core', 'app', 'adapters', 'config', 'server', 'client', 'cli'],
};
/** Capabilities whose files lie in no folder of a layer. */
const WHOLE: Readonly<Record<string, string>> = {
  ...{ stats: 'core', kit: 'client', server: 'server', cli: 'cli', web: 'page' },
};
/** The one package that pure code uses, and the one file that imports it: docs/adr/0013-patterns-by-re2js.md. */
const PURE_PACKAGES: Readonly<Record<string, string>> = { re2js: 'src/platform/core/patterns/re2js.ts' };

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((file) => `src/${file}`);
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imports = files.flatMap((file) =>
  importsOf(texts.get(file) ?? '').map(({ specifier, isType }) => {
    return { file, specifier, isType, target: join(dirname(file), specifier) };
  }),
);
const ofPackages = imports.filter(({ specifier }) => !specifier.startsWith('.'));
const ofFiles = imports.filter(({ specifier }) => specifier.startsWith('.'));

const capabilityOf = (file: string) => file.split('/')[1] ?? '';
const layerOf = (file: string) => {
  const [, capability = '', layer = ''] = file.split('/');
  return layer in ALLOWED ? layer : (WHOLE[capability] ?? layer);
};
const line = ({ file, specifier }: { readonly file: string; readonly specifier: string }) =>
  `${file} imports ${specifier}`;

test('there is something to check', () => {
  assert.ok(files.length > 500, `${files.length} files`);
  assert.ok(ofFiles.length > files.length && ofPackages.length > 100, `${imports.length} imports`);
});

test('every file is in a layer of a known capability', () => {
  const wrong = files.filter((file) => !ORDER.includes(capabilityOf(file)) || !(layerOf(file) in ALLOWED));
  assert.deepEqual(wrong, []);
});

test('a capability imports only those before it', () => {
  const place = (file: string) => ORDER.indexOf(capabilityOf(file));
  const wrong = ofFiles.filter(({ file, target }) => place(target) > place(file));
  assert.deepEqual(wrong.map(line), []);
});

test('a layer imports only the layers below it', () => {
  const wrong = ofFiles.filter(({ file, target, isType }) => {
    const [from, to] = [layerOf(file), layerOf(target)];
    if (ALLOWED[from]?.includes(to)) return false;
    if (from === 'page' && to === 'app') return !isType;
    if (from === 'adapters' && to === 'adapters') return !isOfAdapter(file, target);
    return true;
  });
  assert.deepEqual(wrong.map(line), []);
});

test('core and app import no packages but one, in one file', () => {
  const wrong = ofPackages.filter(({ file, specifier }) => {
    const isPure = ['core', 'app'].includes(layerOf(file));
    return (isPure || specifier in PURE_PACKAGES) && PURE_PACKAGES[specifier] !== file;
  });
  assert.deepEqual(wrong.map(line), []);
});

test('only config and server import zod', () => {
  const wrong = ofPackages.filter(
    ({ file, specifier }) => specifier === 'zod' && !['config', 'server'].includes(layerOf(file)),
  );
  assert.deepEqual(wrong.map(line), []);
});

/** Of its own folder, beside it where the adapters of one kind share something, or a client of platform. */
function isOfAdapter(file: string, target: string): boolean {
  if (target.startsWith('src/platform/adapters/')) return true;
  const [own, theirs] = [adapterOf(file), adapterOf(target)];
  return own === theirs || own.startsWith(`${theirs}/`) || theirs.startsWith(`${own}/`);
}

/** The folder of the adapter that a file is a part of: FOLDER/ID, or the folder of what the adapters of a kind share. */
function adapterOf(file: string): string {
  const kind = Object.values(ADAPTER_FOLDERS).find((folder) => file.startsWith(`src/${folder}/`));
  const parts = file.split('/');
  const depth = kind === undefined ? 4 : kind.split('/').length + 2;
  return parts.slice(0, Math.min(depth, parts.length - 1)).join('/');
}

test('docs/architecture.md has a row for every capability, in their order, and the tree as it is', async () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const rows = [...text.matchAll(/^\| \*\*([\w-]+)\*\* \|/gm)].map(([, name]) => name);
  assert.deepEqual(rows, ORDER);
  const { tree } = (await import(join(process.cwd(), 'scripts/shape/tree.mjs'))) as {
    tree(files: readonly string[]): string;
  };
  assert.ok(
    text.includes(`\n${tree(files)}\n`),
    `print it anew: node scripts/shape.mjs --tree\n${tree(files)}`,
  );
});

test('every path of the source that documents name exists', () => {
  const documents = [
    ...['CONTRIBUTING.md', 'docs/architecture.md', 'docs/statistics.md', 'docs/schema.md'],
    ...readdirSync('docs/adr').map((file) => `docs/adr/${file}`),
    ...readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('README.md'))
      .map((file) => `src/${file}`),
  ];
  const named = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/(?<![\w/.-])src\/[\w/.-]*[\w-]/g)]
      .map(([path]) => path)
      .filter((path) => !/\b(?:ID|NAME|FOLDER)\b/.test(path))
      .map((path) => ({ document, path })),
  );
  assert.ok(named.length > 30, `${named.length} paths`);
  const wrong = named.filter(({ path }) => !existsSync(path));
  assert.deepEqual(
    wrong.map(({ document, path }) => `${document} names ${path}`),
    [],
  );
});

test('neither capabilities nor folders inside one import each other in a circle', () => {
  const graph = importGraph(texts);
  const isInside = (a: string, b: string) => capabilityOf(a) === capabilityOf(b);
  assert.deepEqual(
    knots(graph, capabilityOf, () => true),
    [],
  );
  assert.deepEqual(knots(graph, folderOf, isInside), []);
});
