import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeRecord } from '../../home/core/changes/change.ts';
import type { Run, Trial } from '../../home/core/run.ts';
import type { Judgement, Verdict } from '../../stats/verdict.ts';
import type { BisectMetric, MetricRequest } from '../core/bisect-metric.ts';
import { type ConfirmEffects, confirmChange } from './confirm-change.ts';

const record: ChangeRecord = {
  ...{ id: 'k3', series: { kind: 'value', experiment: 'sort', path: ['time'] }, unit: 's', better: 'lower' },
  ...{
    at: 400,
    runId: 'r4',
    before: 1,
    after: 1.1,
    shift: { difference: 0.1, low: 0, high: 0.2, level: 0.95 },
  },
  ...{
    p: 0.001,
    direction: 'worse',
    isProvisional: true,
    detector: 'nightmark-1',
    foundAt: 500,
    state: 'new',
  },
};
const run = (id: string, startedAt: number): Run => ({
  ...{ id, kind: 'night', project: '', label: id, state: 'finished', startedAt, order: [] },
  ...{ origin: 'measured', warnings: [] },
});
const trial = (runId: string, lib: string, state: Trial['state'] = 'succeeded'): Trial => ({
  ...{ runId, task: 'sort', kind: 'experiment', state, message: '', commits: { lib, other: 'same' } },
});
const nights = [run('r3', 300), run('r2', 200), run('r1', 100)];
const usual = [trial('r1', 'aaa'), trial('r2', 'bbb'), trial('r3', 'ccc', 'failed'), trial('r4', 'ddd')];

const time: BisectMetric = { type: 'value', path: ['time'], unit: 's', better: 'lower' };

/** A duet that found this ratio of the values. */
function effects(ratio: number, trials: readonly Trial[] = usual, metric = time): ConfirmEffects {
  const verdict: Verdict = ratio > 1 ? 'slower' : ratio < 1 ? 'faster' : 'same';
  const effect = { ratio, low: ratio, high: ratio, level: 0.99 };
  const judgement: Judgement = { verdict, effect, minEffect: 0.01, runs: 6, notes: [] };
  return {
    store: {
      latestRuns: async ({ before = 0 }) => nights.filter(({ startedAt }) => startedAt < before),
      trialsOf: async (ids) => trials.filter(({ runId }) => ids.includes(runId)),
    },
    duet: async () => ({ metric, judgement }),
  };
}

test('the commits are those of the change and of the last night that succeeded before it', async () => {
  const { before, after, source, state } = await confirmChange(record, effects(1.1));
  assert.deepEqual([before, after, source, state], ['bbb', 'ddd', 'lib', 'confirmed']);
});

test('a duet without a difference withdraws; one that differs the other way round is unclear', async () => {
  assert.equal((await confirmChange(record, effects(1))).state, 'withdrawn');
  assert.equal((await confirmChange(record, effects(0.9))).state, 'unclear');
  const { duet, ...rest } = effects(1.1);
  const unsure: ConfirmEffects = {
    ...rest,
    duet: async (...asked) => {
      const { metric, judgement } = await duet(...asked);
      return { metric, judgement: { ...judgement, verdict: 'undecided' } };
    },
  };
  assert.equal((await confirmChange(record, unsure)).state, 'unclear');
});

test('a rate that fell is confirmed by a lower one, whatever the verdict calls it', async () => {
  const rate: ChangeRecord = { ...record, unit: 'op/s', better: 'higher', after: 0.9 };
  assert.equal((await confirmChange(rate, effects(0.9))).state, 'confirmed');
  assert.equal((await confirmChange(rate, effects(1.1))).state, 'unclear');
});

test('the metric of the change is asked for, and another one only where it is wished', async () => {
  const asked: MetricRequest[] = [];
  const wall: BisectMetric = { type: 'wall' };
  const spied = (from: ConfirmEffects): ConfirmEffects => ({
    ...from,
    duet(neighbours, wish, options) {
      asked.push(wish);
      return from.duet(neighbours, wish, options);
    },
  });
  await confirmChange(record, spied(effects(1.1)));
  const other = spied(effects(0.9, usual, wall));
  const rate = await confirmChange({ ...record, unit: 'op/s' }, other, wall);
  assert.deepEqual(asked, [time, wall]);
  assert.deepEqual(
    [rate.state, rate.notes.length],
    ['confirmed', 1],
    'times say nothing of the direction of a rate',
  );
  assert.equal((await confirmChange(record, other, wall)).state, 'unclear', 'both are times');
});

test('says why a change cannot be confirmed', async () => {
  const refused = (changed: Partial<ChangeRecord>, trials?: readonly Trial[]) =>
    confirmChange({ ...record, ...changed }, effects(1, trials)).then(
      () => '',
      ({ message }: Error) => message,
    );
  assert.match(await refused({}, [trial('r1', 'ddd'), trial('r4', 'ddd')]), /no source changed/);
  assert.match(await refused({}, [trial('r4', 'ddd')]), /no successful trial of sort before it/);
  assert.match(await refused({}, [trial('r1', 'aaa')]), /the run r4 has no successful trial/);
  assert.match(await refused({ series: { kind: 'kpi', name: 'x', labels: {} } }), /a change of a KPI/);
  const both = { ...trial('r4', 'ddd'), commits: { lib: 'ddd', other: 'new' } };
  assert.match(await refused({}, [trial('r1', 'aaa'), both]), /several sources changed at once: lib, other/);
});
