import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatrixEntry, Settings } from '../../../formats/core/kpi/matrix-entry.ts';
import { buildMatrix } from '../matrix.ts';
import { allRecords } from '../records.ts';
import { parsePlotQuery } from './plot-query.ts';
import { selectRecords } from './select-records.ts';

function matrixOf(all: readonly Settings[]) {
  return buildMatrix(
    all.map(
      (settings, index): MatrixEntry => ({
        location: `t${index}`,
        settings,
        importSettings: settings,
        exitCode: 0,
        results: {},
        problems: [],
      }),
    ),
  );
}

function placesOf(entries: Iterable<MatrixEntry>): string {
  return [...entries].map(({ location }) => location).join(' ');
}

const matrix = matrixOf([
  { model: 'm2', users: 16, mode: 'a' },
  { model: 'm1', users: 4, mode: 'a' },
  { model: 'm2', users: 4, mode: 'a' },
  { model: 'm1', users: 16, mode: 'a' },
  { model: 'm1', mode: 'a' },
]);

test('what varies is shown in the order of the axes, the last running fastest', () => {
  const request = selectRecords(matrix, parsePlotQuery('settings-order=users'));
  assert.deepEqual(request.orderedVars, ['users', 'model']);
  assert.deepEqual(request.variables, { users: [4, 16, null], model: ['m1', 'm2'] });
  assert.deepEqual(request.settings, { mode: 'a' });
  assert.equal(placesOf(request.entries), 't1 t2 t3 t0 t4');
  const { settings, settingLists: lists } = request;
  assert.equal(placesOf(allRecords(matrix, { settings, lists })), 't1 t2 t3 t0 t4');
});

test('a fixed setting does fix, also when nothing varies', () => {
  const request = selectRecords(matrix, parsePlotQuery('model=m1&users=16'));
  assert.deepEqual(request.settings, { model: 'm1', users: 16, mode: 'a' });
  assert.deepEqual(request.settingLists, []);
  assert.equal(placesOf(request.entries), 't3');
});

test('two values of a setting are an axis of two', () => {
  const request = selectRecords(matrix, parsePlotQuery('model=m1&users=16&users=null'));
  assert.deepEqual(request.variables, { users: [16, null] });
  assert.equal(placesOf(request.entries), 't3 t4');
});

test('"---" of a setting with one value makes it vary', () => {
  assert.deepEqual(selectRecords(matrix, parsePlotQuery('mode=---')).variables['mode'], ['a']);
});

test('rolling settings are gathered unless they are asked for', () => {
  const rolling = matrixOf([
    { model: 'm1', '@seed': 1 },
    { model: 'm1', '@seed': 2 },
    { model: 'm2', '@seed': 1 },
    { model: 'm3' },
  ]);
  const gathered = selectRecords(rolling, parsePlotQuery(''));
  assert.deepEqual(gathered.orderedVars, ['model']);
  assert.deepEqual(
    gathered.entries.map(({ gathered }) => gathered?.members.length ?? 1),
    [2, 1, 1],
  );
  const single = selectRecords(rolling, parsePlotQuery('@seed=---'));
  assert.deepEqual(single.variables['@seed'], [1, 2, null]);
  assert.equal(placesOf(single.entries), 't0 t1 t2 t3');
});

test('the current experiment is shown unless another is asked for', () => {
  const both = matrixOf([{ experiment: 'current' }, { experiment: 'old' }]);
  assert.equal(placesOf(selectRecords(both, parsePlotQuery('')).entries), 't0');
  assert.equal(placesOf(selectRecords(both, parsePlotQuery('experiment=---')).entries), 't0 t1');
});

test('settings and values that no test has are refused with what there is', () => {
  assert.throws(() => selectRecords(matrix, parsePlotQuery('modle=m1')), {
    code: 'MATRIX_NO_SUCH_SETTING',
    hint: 'Did you mean model?',
  });
  assert.throws(() => selectRecords(matrix, parsePlotQuery('users=5000')), {
    code: 'MATRIX_NO_SUCH_VALUE',
    hint: 'There is: 4, 16, None.',
  });
});

test('many settings that all vary are no matter of their product', () => {
  const keys = Array.from({ length: 14 }, (_, index) => `k${index}`);
  const wide = matrixOf(
    Array.from({ length: 100 }, (_, test) =>
      Object.fromEntries(keys.map((key, at) => [key, (test * (at + 3)) % 10])),
    ),
  );
  assert.equal(selectRecords(wide, parsePlotQuery('')).entries.length, 100);
});
