import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const suites = readdirSync('test/contracts').map((file) => readFileSync(`test/contracts/${file}`, 'utf8'));

for (const kind of readdirSync('src/adapters')) {
  test(`adapters of the kind ${kind} are judged by a contract suite`, () =>
    assert.ok(
      suites.some((text) => text.includes(`adapters/${kind}`) || text.includes(`adapterIds('${kind}')`)),
    ));

  for (const entry of readdirSync(`src/adapters/${kind}`, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    test(`${kind}/${entry.name} has an index and says what it is`, () => {
      const files = readdirSync(`src/adapters/${kind}/${entry.name}`);
      assert.ok(files.includes('index.ts') && files.includes('README.md'), files.join(', '));
    });
  }
}
