import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import disk from '../../../platform/adapters/local-disk/local-disk.ts';
import { makeOutline, readOutline, touchedFiles, withHash } from './publish-cache.ts';
import type { SiteAddress } from './site-addresses.ts';

const tools = {
  newHash: () => {
    const hash = createHash('sha256');
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
  encode: (text: string) => new TextEncoder().encode(text),
};
const ADDRESSES: readonly SiteAddress[] = [
  { address: 'home' },
  {
    address: 'experiments/a',
    facts: { values: Array.from({ length: 1000 }, (_, at) => at) },
    showsFilesOf: 'a',
  },
  { address: 'experiments/a/history', facts: 'b', history: { name: 'a', first: 0 } },
];

async function* each<T>(list: readonly T[]): AsyncIterable<T> {
  yield* list;
}

test('facts are kept as hashes of one length, and what has none is made anew every time', async () => {
  const { experiments, addresses } = await makeOutline(['a'], each(ADDRESSES), tools);
  assert.deepEqual(experiments, ['a']);
  assert.deepEqual(
    addresses.map(({ address, facts }) => [address, facts === undefined ? undefined : String(facts).length]),
    [
      ['home', undefined],
      ['experiments/a', 32],
      ['experiments/a/history', 32],
    ],
  );
  assert.deepEqual(addresses[2]?.history, { name: 'a', first: 0 });
  const [same, other] = [{ values: ADDRESSES[1]?.facts }, { values: [] }].map((facts) =>
    withHash({ address: 'x', facts }, tools),
  );
  assert.notDeepEqual(same, other);
  assert.deepEqual(same, withHash({ address: 'x', facts: { values: ADDRESSES[1]?.facts } }, tools));
});

test('an outline that was written down is read again; what is damaged is none', async () => {
  const outline = await makeOutline(['a'], each(ADDRESSES), tools);
  assert.deepEqual(readOutline(JSON.parse(JSON.stringify(outline))), outline);
  const [first] = outline.addresses;
  for (const broken of [
    ...[undefined, null, 7, 'x', [], {}, { experiments: ['a'] }, { addresses: [] }],
    ...[
      { experiments: [7], addresses: [] },
      { experiments: 'a', addresses: [] },
    ],
    ...[{ address: 7 }, { facts: {} }, { history: { name: 'a' } }, { history: 'a' }, { showsFilesOf: 7 }].map(
      (wrong) => ({ experiments: ['a'], addresses: [{ ...first, ...wrong }] }),
    ),
    { experiments: ['a'], addresses: [null] },
  ])
    assert.equal(readOutline(broken), undefined, JSON.stringify(broken));
});

test('a new picture or summary of an experiment is seen', async () => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-outline-'));
  const seen = [await touchedFiles(home, 'a', disk)];
  mkdirSync(join(home, 'results/experiments/graph/a'), { recursive: true });
  seen.push(await touchedFiles(home, 'a', disk));
  mkdirSync(join(home, 'results/experiments/summary/a'), { recursive: true });
  writeFileSync(join(home, 'results/experiments/summary/a/summary.json'), '{}');
  seen.push(await touchedFiles(home, 'a', disk));
  assert.equal(await touchedFiles(home, 'a', disk), seen[2]);
  assert.equal(new Set(seen).size, 3, JSON.stringify(seen));
  assert.equal(await touchedFiles(home, 'b', disk), seen[0]);
  rmSync(home, { recursive: true });
});
