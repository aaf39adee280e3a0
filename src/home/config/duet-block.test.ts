import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import disk from '../../platform/adapters/local-disk/local-disk.ts';
import { readDuetBlock } from './duet-block.ts';

function blockOf(t: TestContext, text: string | undefined, name = 'nightmark.yml') {
  const root = mkdtempSync(join(tmpdir(), 'nightmark-block-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  if (text !== undefined) writeFileSync(join(root, name), text);
  return readDuetBlock(root, disk);
}

test('reads the block with its percentages as fractions', async (t) => {
  const text =
    'duet: {build: make, run: ./bench --all, min-effect: 0.5 %, runs: 40, allow: "2%", measure: cpu}\n';
  const { file, ...block } = (await blockOf(t, text, 'nightmark.yaml')) ?? assert.fail();
  assert.match(file, /nightmark\.yaml$/);
  assert.deepEqual(block, {
    ...{ build: 'make', run: './bench --all', minEffect: 0.005, runs: 40, allow: 0.02, measure: 'cpu' },
  });
});

test('has nothing to say without a file, without a block, and about what the block leaves out', async (t) => {
  assert.equal(await blockOf(t, undefined), undefined);
  assert.equal(await blockOf(t, 'experiments: {a: {run: x}}\n'), undefined);
  assert.deepEqual(Object.keys((await blockOf(t, 'duet: {}\n')) ?? {}), ['file']);
});

for (const [text, message] of [
  ['duet: {bild: make}', /nightmark\.yml:1:8: duet\.bild is not a known key/],
  ['duet: {min-effect: 1}', /:1:20: duet\.min-effect: expected a percentage such as 1% or 0.5%, found 1$/],
  ['duet: {allow: much}', /duet\.allow: expected a percentage/],
  ['duet: {runs: 1}', /duet\.runs: expected a number of at least 2, found 1$/],
  ['duet: {build: ""}', /duet\.build: expected a command, not empty/],
  ['duet: make', /duet: expected a mapping of keys to values, found "make"/],
  ['deut: {}', /deut is not a known key/],
  ['duet: [', /nightmark\.yml:1:/],
] as const) {
  test(`refuses ${text} with its place`, async (t) => {
    await assert.rejects(blockOf(t, text), ({ code, message: said }) => {
      assert.match(said, message);
      return code === (text === 'duet: [' ? 'CONFIG_SYNTAX' : 'CONFIG_INVALID');
    });
  });
}
