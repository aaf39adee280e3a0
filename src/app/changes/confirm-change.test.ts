import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeRecord } from '../../core/model/change.ts';
import type { Run, Trial } from '../../core/model/run.ts';
import type { Judgement, Verdict } from '../../core/model/verdict.ts';
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

function effects(verdict: Verdict, trials: readonly Trial[] = usual): ConfirmEffects {
  const judgement: Judgement = { verdict, minEffect: 0.01, runs: 6, notes: [] };
  return {
    store: {
      latestRuns: async ({ before = 0 }) => nights.filter(({ startedAt }) => startedAt < before),
      trialsOf: async (ids) => trials.filter(({ runId }) => ids.includes(runId)),
    },
    duet: async () => judgement,
  };
}

test('the commits are those of the change and of the last night that succeeded before it', async () => {
  const { before, after, source, state } = await confirmChange(record, effects('slower'));
  assert.deepEqual([before, after, source, state], ['bbb', 'ddd', 'lib', 'confirmed']);
});

test('a duet without a difference withdraws; one that differs the other way round is unclear', async () => {
  assert.equal((await confirmChange(record, effects('same'))).state, 'withdrawn');
  assert.equal((await confirmChange(record, effects('undecided'))).state, 'unclear');
  assert.equal((await confirmChange(record, effects('faster'))).state, 'unclear');
  const rate = await confirmChange({ ...record, unit: 'op/s', after: 0.9 }, effects('slower'));
  assert.deepEqual([rate.state, rate.notes.length], ['confirmed', 1]);
});

test('says why a change cannot be confirmed', async () => {
  const refused = (changed: Partial<ChangeRecord>, trials?: readonly Trial[]) =>
    confirmChange({ ...record, ...changed }, effects('same', trials)).then(
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
