import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ADAPTER_FOLDERS } from '../../src/platform/cli/adapter-modules.ts';

const suites = readdirSync('test/contracts', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('test/contracts', file), 'utf8'));

for (const [kind, folder] of Object.entries(ADAPTER_FOLDERS)) {
  test(`adapters of the kind ${kind} are judged by a contract suite`, () =>
    assert.ok(suites.some((text) => text.includes(folder) || text.includes(`adapterIds('${kind}')`))));

  for (const entry of readdirSync(`src/${folder}`, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    test(`${kind}/${entry.name} has its main file and says what it is`, () => {
      const files = readdirSync(`src/${folder}/${entry.name}`);
      assert.ok(files.includes(`${entry.name}.ts`) && files.includes('README.md'), files.join(', '));
    });
    // A folder of suites has one file for each adapter; other suites find the adapters by themselves.
    if (existsSync(`test/contracts/${kind}`))
      test(`${kind}/${entry.name} is judged by the suite of its kind`, () => {
        const text = readFileSync(`test/contracts/${kind}/${entry.name}.test.ts`, 'utf8');
        assert.match(text, new RegExp(`id: '${entry.name}'`));
      });
  }
}
