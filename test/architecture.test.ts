import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';

const allowed: Record<string, readonly string[]> = {
  core: ['core'],
  app: ['core', 'app'],
  platform: ['core', 'platform'], // one client for each outside thing: HTTP, S3, SQLite, PostgreSQL
  adapters: ['core', 'platform'],
  config: ['core', 'config'],
  server: ['core', 'app', 'platform', 'server'],
  web: ['core', 'web'], // and types of app: the shapes of the documents it reads
  workload: ['core', 'workload'], // what users' modules import
  kit: ['core', 'platform', 'adapters', 'kit'], // what users' experiments import: a place of its own where parts come together
  cli: ['core', 'app', 'platform', 'adapters', 'config', 'server', 'workload', 'kit', 'cli'],
};
/** The one package that pure code uses, and the one file that imports it: docs/adr/0013-patterns-by-re2js.md. */
const PURE_PACKAGES: Readonly<Record<string, string>> = { re2js: join('core', 'text', 're2js.ts') };
const root = join(process.cwd(), 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file),
);
const layer = (file: string) => file.split(sep)[0] ?? '';
const adapter = (file: string) => file.split(sep).slice(0, 3).join(sep); // adapters/formats/hyperfine
/** adapters/telemetry/capture.ts: what the adapters of one kind share lies beside their folders, and may use its like. */
const isSharedByKind = (target: string, file: string) =>
  target.split(sep).length === 3 && [dirname(dirname(file)), dirname(file)].includes(dirname(target));

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Nothing of it is in the compiled file. */
  readonly isTypeOnly: boolean;
}

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const types = new Set(
    Array.from(text.matchAll(/^import type [^;]*? from '([^']+)'/gm), ([, specifier]) => specifier),
  );
  return Array.from(text.matchAll(/(?<!')\b(?:from|import)\s*\(?\s*'([^'\n]+)'/g), ([, specifier = '']) => ({
    file,
    specifier,
    isTypeOnly: types.has(specifier),
  }));
});
const ofPackages = imports.filter(({ specifier }) => !specifier.startsWith('.'));
const ofFiles = imports.filter(({ specifier }) => specifier.startsWith('.'));

test('there is something to check', () => {
  assert.ok(files.length > 500, `${files.length} files`);
  assert.ok(ofFiles.length > files.length && ofPackages.length > 100, `${imports.length} imports`);
});

test('core and app import no packages but one, in one file', () => {
  const wrong = ofPackages.filter(({ file, specifier }) => {
    const isPure = ['core', 'app'].includes(layer(file));
    return (isPure || specifier in PURE_PACKAGES) && PURE_PACKAGES[specifier] !== file;
  });
  assert.deepEqual(wrong.map(line), []);
});

test('only config and server import zod', () => {
  const wrong = ofPackages.filter(
    ({ file, specifier }) => specifier === 'zod' && !['config', 'server'].includes(layer(file)),
  );
  assert.deepEqual(wrong.map(line), []);
});

test('a layer imports only the layers below it', () => {
  const wrong = ofFiles.filter(({ file, specifier, isTypeOnly }) => {
    const target = relative(root, join(root, dirname(file), specifier));
    const isShape = layer(file) === 'web' && layer(target) === 'app' && isTypeOnly;
    const isAllowed = isShape || (allowed[layer(file)]?.includes(layer(target)) ?? false);
    return !isAllowed && adapter(file) !== adapter(target) && !isSharedByKind(target, file);
  });
  assert.deepEqual(wrong.map(line), []);
});

const line = ({ file, specifier }: Import) => `${file} imports ${specifier}`;
