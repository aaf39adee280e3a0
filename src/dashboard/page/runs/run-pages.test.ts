import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunLine } from '../../app/runs/list-runs.ts';
import { addPage, EMPTY_PAGES } from './run-pages.ts';

const line = (startedAt: number, state = 'finished') =>
  ({ run: { id: `run-${startedAt}`, startedAt, state } }) as unknown as RunLine;
const list = (times: readonly number[], nextBefore?: number) => ({
  ...{ runs: times.map((at) => line(at)), count: 9 },
  ...(nextBefore !== undefined && { nextBefore }),
});
const timesOf = (pages: typeof EMPTY_PAGES) => pages.lines.map(({ run }) => run.startedAt);

test('older pages follow, and the first one may come again', () => {
  const first = addPage(EMPTY_PAGES, list([9, 8], 8), true);
  assert.deepEqual([timesOf(first), first.next], [[9, 8], 8]);
  const second = addPage(first, list([7, 6], 6), false);
  assert.deepEqual([timesOf(second), second.next], [[9, 8, 7, 6], 6]);
  const again = addPage(second, list([10, 9], 9), true);
  assert.deepEqual([timesOf(again), again.next], [[10, 9, 8, 7, 6], 6]);
});

test('a run that came to its end is shown as such', () => {
  const running = addPage(EMPTY_PAGES, { runs: [line(5, 'running')], count: 1 }, true);
  const ended = addPage(running, { runs: [line(5)], count: 1 }, true);
  assert.deepEqual(
    ended.lines.map(({ run }) => run.state),
    ['finished'],
  );
});

test('after the last page there is no next one', () => {
  const pages = addPage(addPage(EMPTY_PAGES, list([9], 9), true), list([3]), false);
  assert.equal(pages.next, undefined);
  assert.equal(addPage(pages, list([9], 9), true).next, undefined);
});
