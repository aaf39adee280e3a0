import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, type HistoryBlock, joinHistory, splitHistory } from './history-blocks.ts';

function history(from: number, to: number) {
  const nights = Array.from({ length: to - from }, (_, place) => from + place);
  const commitOf = (night: number) => Math.floor(night / 3) - Math.floor(from / 3);
  return {
    runs: {
      ids: nights.map((night) => `2026-${night}-run`),
      times: nights.map((night) => night * 1000),
      failed: [3],
      failedCount: 1,
      commits: nights.map((night) => (night % 50 === 7 ? -1 : commitOf(night))),
      commitSets: Array.from({ length: commitOf(to - 1) + 1 }, (_, index) => ({
        repo: `c${Math.floor(from / 3) + index}`,
      })),
      machines: nights.map(() => 0),
      machineNames: ['bench'],
    },
    series: [
      { path: ['b'], places: nights.map((_, place) => place), values: nights.map((night) => night / 7) },
      { path: ['a', 'x'], places: [1, 300], values: [5, null] },
      { path: ['empty'], places: [], values: [] },
    ],
    notes: ['kept'],
  };
}

const joined = ({ head, blocks }: ReturnType<typeof splitHistory>) =>
  joinHistory(
    head,
    (blocksOf(head) ?? []).map((name) => blocks.get(name)?.make() as HistoryBlock),
  );

test('a history that was cut into blocks is the same when it is put together', () => {
  const whole = history(0, 1_000);
  const cut = splitHistory(whole);
  assert.ok(cut.blocks.size > 3 && cut.blocks.size < 17, `${cut.blocks.size} blocks`);
  assert.ok(!JSON.stringify(cut.head).includes('2026-500-run'));
  assert.deepEqual(joined(cut), whole);
});

test('one more night leaves all blocks but the last as they are, and so does one less at the beginning', () => {
  const texts = (cut: ReturnType<typeof splitHistory>) =>
    new Set([...cut.blocks.values()].map((it) => JSON.stringify(it.make())));
  const before = texts(splitHistory(history(0, 1_000)));
  const more = [...texts(splitHistory(history(0, 1_001)))].filter((text) => !before.has(text));
  assert.equal(more.length, 1);
  const bare = (from: number) => {
    const { runs, ...rest } = history(from, 1_000);
    return splitHistory({ ...rest, runs, series: rest.series.slice(0, 1) });
  };
  const less = [...texts(bare(10))].filter((text) => !texts(bare(0)).has(text));
  assert.ok(less.length <= 3, `${less.length} blocks changed`);
});

test('a short history is one document', () => {
  const { head, blocks } = splitHistory(history(0, 100));
  assert.deepEqual([head, blocks.size, blocksOf(head)], [history(0, 100), 0, undefined]);
});
