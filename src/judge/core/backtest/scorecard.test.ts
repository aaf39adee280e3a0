import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeRecord, ChangeState } from '../../../home/core/changes/change.ts';
import { scorecard } from './scorecard.ts';

const DAY = 86_400_000;
const change = (state: ChangeState, days: number, detector = 'nightmark-1'): ChangeRecord => ({
  id: `${state}${days}`,
  series: { kind: 'kpi', name: 'speed', labels: {} },
  unit: 's',
  better: 'lower',
  at: 0,
  runId: 'r1',
  before: 1,
  after: 2,
  shift: { difference: 1, low: 0.5, high: 1.5, level: 0.95 },
  p: 0.001,
  direction: 'worse',
  isProvisional: false,
  detector,
  foundAt: days * DAY,
  state,
});

test('precision is what was a change of what was triaged, with an interval', () => {
  const [score] = scorecard([
    change('confirmed', 1),
    change('fixed', 3),
    change('expected', 8),
    change('false', 100),
    change('new', 50),
  ]);
  assert.deepEqual(
    [score?.alerts, score?.real, score?.expected, score?.false, score?.open, score?.medianDays],
    [5, 2, 1, 1, 1, 3],
  );
  // R: prop.test(3, 4, correct = FALSE)$conf.int
  assert.ok(Math.abs((score?.precision?.low ?? 0) - 0.3006418) < 1e-6);
  assert.ok(Math.abs((score?.precision?.high ?? 0) - 0.9544127) < 1e-6);
});

test('detectors and groups have their own rows, in their order', () => {
  const rows = scorecard(
    [change('false', 1, 'hunter'), change('new', 2), change('confirmed', 1, 'hunter')],
    ({ state }) => (state === 'new' ? 'b' : 'a'),
  );
  assert.deepEqual(
    rows.map(({ detector, group, alerts }) => [detector, group, alerts]),
    [
      ['hunter', 'a', 2],
      ['nightmark-1', 'b', 1],
    ],
  );
  assert.equal(rows[1]?.precision, undefined);
  assert.deepEqual(scorecard([]), []);
});
