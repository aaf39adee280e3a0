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

/** Modules of which only types are imported: nothing of them is in the compiled file. */
const typesOnly = (text: string) =>
  new Set(
    Array.from(text.matchAll(/^import type [^;]*? from '([^']+)'/gm), ([, specifier = '']) => specifier),
  );

test('there is something to check', () => assert.ok(files.length > 5));

for (const file of files) {
  test(`${file} keeps the dependency rule`, () => {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?<!')\b(?:from|import)\s*\(?\s*'([^'\n]+)'/g)) {
      if (!specifier.startsWith('.')) {
        const isPure = ['core', 'app'].includes(layer(file));
        assert.ok(
          (PURE_PACKAGES[specifier] ?? file) === file,
          `${file} imports "${specifier}", which is for ${PURE_PACKAGES[specifier]} alone`,
        );
        assert.ok(
          !isPure || PURE_PACKAGES[specifier] === file,
          `${file} imports "${specifier}", but core and app have no dependencies`,
        );
        const isSchema = specifier === 'zod';
        assert.ok(
          !isSchema || ['config', 'server'].includes(layer(file)),
          `${file} imports zod outside of config and server`,
        );
        continue;
      }
      const target = relative(root, join(root, dirname(file), specifier));
      const isShape = layer(file) === 'web' && layer(target) === 'app' && typesOnly(text).has(specifier);
      const isAllowed = isShape || (allowed[layer(file)]?.includes(layer(target)) ?? false);
      assert.ok(
        isAllowed || adapter(file) === adapter(target) || isSharedByKind(target, file),
        `${file} imports ${target}`,
      );
    }
  });
}
