import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComparedRow } from '../../core/compare/compared-row.ts';
import { readShown, shownRows } from './shown-rows.ts';

const row = (verdict: ComparedRow['verdict'], experiment: string): ComparedRow => ({
  ...{ experiment, path: ['cpu', 'A'], unit: 's', better: 'lower', verdict },
  basis: { kind: 'none' },
});
const rows = [row('slower', 'sort'), row('same', 'sort all'), row('undecided', 'json')];

test('what differs is shown first, everything where nothing does', () => {
  assert.equal(readShown(undefined, rows), 'differing');
  assert.equal(readShown(undefined, rows.slice(1)), 'all');
  assert.equal(readShown('same', rows), 'same');
  assert.equal(readShown('<b>', rows), 'differing');
});

test('all that is hidden is counted, by what hides it', () => {
  const found = shownRows(rows, 'all', 'SORT a');
  assert.deepEqual(
    found.rows.map(({ experiment }) => experiment),
    ['sort', 'sort all'],
  );
  assert.deepEqual([found.otherVerdicts, found.filtered], [0, 1]);
  assert.deepEqual(shownRows(rows, 'differing', 'json'), { rows: [], otherVerdicts: 2, filtered: 1 });
});
