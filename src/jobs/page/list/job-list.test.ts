import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedJob } from '../../core/job-documents.ts';
import { MOST_PICKED, rangeOf, readSelection, toggled, writeSelection } from './job-selection.ts';
import { appendPage, groupedRows, mergeNewest, replaceJobs } from './listed-jobs.ts';

const job = (id: string, experiment = 'e', description?: string): ListedJob =>
  ({
    id,
    experiment,
    name: id,
    annotations: description === undefined ? {} : { description },
  }) as unknown as ListedJob;
const ids = (list: { readonly jobs: readonly ListedJob[] }) => list.jobs.map(({ id }) => id).join('');

test('jobs are grouped by experiment and description, a folded group keeps its head', () => {
  const jobs = [job('d', 'x', 'one'), job('c', 'y'), job('b', 'x', 'one'), job('a', 'x')];
  const shown = (closed: readonly string[]) =>
    groupedRows(jobs, new Set(closed)).map((row) =>
      row.type === 'job' ? row.job.id : `${row.experiment}/${row.description}:${row.ids.length}`,
    );
  assert.deepEqual(shown([]), ['x/one:2', 'd', 'b', 'y/:1', 'c', 'x/:1', 'a']);
  assert.deepEqual(shown(['["x","one"]']), ['x/one:2', 'y/:1', 'c', 'x/:1', 'a']);
});

test('a selection is what the address says, without what is no id', () => {
  assert.deepEqual(readSelection('00000a,00000b,00000a,<b>,12'), ['00000a', '00000b']);
  assert.equal(readSelection('all'), 'all');
  assert.deepEqual(readSelection(undefined), []);
  assert.equal(writeSelection([]), undefined);
  assert.equal(writeSelection(['a', 'b']), 'a,b');
});

test('a range goes from the last one that was picked to this one, in either direction', () => {
  const listed = ['a', 'b', 'c', 'd'];
  assert.deepEqual(rangeOf(listed, 'd', 'b'), ['b', 'c', 'd']);
  assert.deepEqual(rangeOf(listed, undefined, 'b'), ['b']);
  assert.deepEqual(rangeOf(listed, 'gone', 'b'), ['b']);
});

test('jobs are taken and left in the order of the list; too many are all or refused', () => {
  const listed = ['a', 'b', 'c'];
  assert.deepEqual(toggled(['c', 'older'], { listed, ids: ['a'], isOn: true }), ['a', 'c', 'older']);
  assert.deepEqual(toggled('all', { listed, ids: ['b'], isOn: false }), ['a', 'c']);
  const many = Array.from({ length: MOST_PICKED + 2 }, (_, at) => String(at));
  assert.equal(toggled([], { listed: many, ids: many, isOn: true }), 'all');
  assert.equal(toggled([], { listed: many, ids: many.slice(1), isOn: true }), undefined);
});

test('news is laid over what was listed', () => {
  const before = { jobs: ['d', 'c', 'b', 'a'].map((id) => job(id)), nextBefore: 'a' };
  assert.equal(ids(mergeNewest(before, { jobs: [job('e'), job('d')], nextBefore: 'd' })), 'edcba');
  // Everything there is came along: what is not in it is gone.
  assert.equal(ids(mergeNewest(before, { jobs: [job('e'), job('c')] })), 'ec');
  // So much is new that the two do not meet.
  const far = mergeNewest(before, { jobs: [job('z'), job('y')], nextBefore: 'y' });
  assert.deepEqual([ids(far), far.nextBefore], ['zy', 'y']);
  assert.equal(ids(appendPage(before, { jobs: [job('a'), job('0')] })), 'dcba0');
  const replaced = replaceJobs(before, ['a', 'b'], [job('a', 'now')]);
  assert.deepEqual(
    [ids(replaced), replaced.jobs.at(-1)?.experiment, replaced.nextBefore],
    ['dca', 'now', 'a'],
  );
});
