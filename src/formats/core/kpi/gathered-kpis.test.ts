import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatheredCsv, gatheredJson, gatheredLines, gatherKpis } from './gathered-kpis.ts';
import type { KpiDefinition, KpiNumber } from './kpi.ts';

const definition: KpiDefinition = {
  ...{ name: 'final', help: 'h', unit: 'reward', better: 'higher', isIgnoredForRegression: false },
};
function seed(algo: string, number: number, value: KpiNumber) {
  const labels = { algo, seed: number, run_id: `r${number}` };
  return {
    settings: { algo, '@seed': number },
    values: [{ definition, value, labels, at: 0, testId: `${algo}-${number}` }],
  };
}
const tests = [
  ...[1, 2, 3, 100].map((value, at) => seed('ppo', at, value)),
  seed('sac', 0, 7),
  seed('sac', 1, null),
  { ...seed('plain', 0, [1, 2]), settings: { algo: 'plain' } },
];

test('seeds become one value with its interval; what has none is counted', () => {
  const [ppo, sac, plain] = gatherKpis(tests);
  assert.deepEqual(
    [ppo?.value, ppo?.values, ppo?.missing, ppo?.labels],
    [2.5, [1, 2, 3, 100], 0, { algo: 'ppo' }],
  );
  // Student's limits of four values: 3.182 standard errors of 24.5 to either side.
  assert.deepEqual([ppo?.interval?.low.toFixed(2), ppo?.interval?.high.toFixed(2)], ['-75.48', '80.48']);
  assert.deepEqual([sac?.value, sac?.interval, sac?.missing], [7, undefined, 1]);
  assert.deepEqual([plain?.value, plain?.missing, plain?.labels], [null, 1, { algo: 'plain', seed: 0 }]);
});

test('the order of tests decides nothing but the order of the groups', () => {
  const [forward] = gatherKpis(tests.slice(0, 4));
  const [backward] = gatherKpis(tests.slice(0, 4).reverse());
  assert.equal(forward?.value, backward?.value);
  assert.deepEqual(Object.keys(forward ?? {}), Object.keys(backward ?? {}));
});

test('as a table, CSV and JSON', () => {
  const kpis = gatherKpis(tests);
  const [, first = '', second = ''] = gatheredLines(kpis).split('\n');
  assert.match(first, /^final {2}algo=ppo +2\.5 reward +\[-75\.48, 80\.48\] +n=4, few$/);
  assert.match(second, /^final {2}algo=sac +7 reward +n=1, 1 without$/);
  const [header, , line] = gatheredCsv(kpis).split('\n');
  assert.equal(header, 'kpi,value,low,high,level,count,missing,unit,better,algo,seed');
  assert.equal(line, 'final,7,,,,1,1,reward,higher,sac,');
  assert.deepEqual(gatheredJson(kpis[1] ?? assert.fail()), {
    ...{ kpi: 'final', value: 7, unit: 'reward', help: 'h', better: 'higher' },
    ...{ estimand: 'interquartile-mean', values: [7], missing: 1, labels: { algo: 'sac' } },
  });
});
