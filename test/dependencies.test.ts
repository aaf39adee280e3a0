import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** Packages without code: the file that we use of them. */
const FILES_ONLY: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
};

/** What the program has inside of it instead: packages of modules that its bundle names. */
const bundle = readFileSync('dist/program.json', 'utf8');
const bundled = Object.entries(manifest.devDependencies).filter(([name]) =>
  bundle.includes(`"node_modules/${name}/`),
);

test('the program has packages inside of it', () => {
  assert.ok(bundled.some(([name]) => name === 'zod'));
});

for (const [name, version] of [...Object.entries(manifest.dependencies), ...bundled]) {
  test(`${name} loads on this Node`, async () => {
    if (FILES_ONLY[name]) return assert.ok(existsSync(new URL(import.meta.resolve(FILES_ONLY[name]))));
    assert.ok(Object.keys(await import(name)).length > 0);
  });
  test(`${name} has a reason in docs/adr`, () => {
    assert.ok(readFileSync('docs/adr/0004-dependencies.md', 'utf8').includes(`| ${name} |`));
    assert.match(version, /^\d+\.\d+\.\d+$/);
  });
}

test('the lockfile names no download addresses', () => {
  assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /"resolved"/);
});
