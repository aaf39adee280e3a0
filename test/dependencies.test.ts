import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

for (const [name, version] of Object.entries(manifest.dependencies)) {
  test(`${name} loads on this Node`, async () => {
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
