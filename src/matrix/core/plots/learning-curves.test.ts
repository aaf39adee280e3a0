import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { learningCurves } from './learning-curves.ts';

const entry = (settings: JsonObject, results: JsonObject): MatrixEntry => ({
  ...{ location: 'here', settings, importSettings: settings, exitCode: 0, results, problems: [] },
});
const draw = (entries: readonly MatrixEntry[]) => {
  const request = {
    entries,
    all: entries,
    settings: {},
    settingLists: [],
    variables: {},
    orderedVars: [],
    cfg: {},
  };
  return learningCurves.draw(request)[0];
};

test('finds the curves of any workload, one line for the seeds of each point', () => {
  const curve = (height: number) => ({ loss: 3, reward: { x: [0, 1, 2], y: [height, height, height] } });
  const part = draw([
    ...[1, 2, 3].map((height) => entry({ algo: 'ppo', '@seed': height }, curve(height))),
    entry({ algo: 'sac', '@seed': 1 }, curve(9)),
  ]);
  assert.ok(part?.type === 'chart' && part.chart.type === 'lines');
  const { title, series } = part.chart;
  assert.equal(title, 'reward');
  assert.deepEqual(
    series.map(({ name, y, low }) => [name, y[0], low !== undefined]),
    [
      ['algo=ppo', 2, true],
      ['algo=sac', 9, false],
    ],
  );
});

test('without a curve it says what a workload needs', () => {
  const part = draw([entry({}, { loss: 1 })]);
  assert.ok(part?.type === 'text' && part.text.includes('progress.csv'));
});
