import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judgement, Verdict } from '../../stats/verdict.ts';
import type { Timing } from './command-timer.ts';
import { conclude, decidersFor, isCpuBound, levelFor, ratiosOf, whyNoCpu } from './judge-measures.ts';

function judgement(verdict: Verdict, p = 0.5): Judgement {
  const effect = { ratio: 1.05, low: 1.01, high: 1.09, level: 0.96 };
  return { verdict, effect, p, minEffect: 0.01, runs: 20, notes: [] };
}

function timing(cpu: number | undefined, more: Partial<Timing> = {}): Timing {
  return {
    ...{ exit: { type: 'code', code: 0 }, wallNs: 0.1e9, startedAtNs: 0n, tail: '', cpuStepNs: 1e6 },
    measures: { wall: 0.1, ...(cpu !== undefined && { cpu }) },
    ...more,
  };
}

const BOTH = decidersFor('auto', true);

test('two measures that may decide share the false alarms; one has all of them', () => {
  assert.deepEqual(
    BOTH.map(({ measure, part }) => [measure, Number(levelFor(0.95, part).toFixed(6))]),
    [
      ['wall', 0.96],
      ['cpu', 0.99],
    ],
  );
  assert.ok(Math.abs(BOTH.reduce((sum, { part }) => sum + part, 0) - 1) < 1e-12);
  assert.deepEqual(decidersFor('auto', false), [{ measure: 'wall', part: 1 }]);
  assert.deepEqual(decidersFor('cpu', false), [{ measure: 'cpu', part: 1 }]);
});

test('wall time decides where it can, CPU time where wall time is undecided', () => {
  const decided = (wall: Verdict, cpu: Verdict) => {
    const judged = [
      { measure: 'wall', judgement: judgement(wall) },
      { measure: 'cpu', judgement: judgement(cpu) },
    ] as const;
    const { decidedBy, judgement: found } = conclude(judged, BOTH);
    return [decidedBy, found.verdict];
  };
  assert.deepEqual(decided('slower', 'faster'), ['wall', 'slower']);
  assert.deepEqual(decided('same', 'slower'), ['wall', 'same']);
  assert.deepEqual(decided('undecided', 'slower'), ['cpu', 'slower']);
  assert.deepEqual(decided('undecided', 'undecided'), ['wall', 'undecided']);
});

test('p is corrected for the measures that may decide', () => {
  const p = (wall: number, cpu: number) => {
    const judged = [
      { measure: 'wall', judgement: judgement('undecided', wall) },
      { measure: 'cpu', judgement: judgement('undecided', cpu) },
    ] as const;
    return conclude(judged, BOTH).judgement.p;
  };
  assert.ok(Math.abs((p(0.04, 0.5) ?? 0) - 0.05) < 1e-12);
  assert.ok(Math.abs((p(0.9, 0.01) ?? 0) - 0.05) < 1e-12);
  assert.equal(p(0.9, 0.9), 1);
});

test('CPU time that could not be measured does not decide', () => {
  const judged = [{ measure: 'wall', judgement: judgement('undecided') }] as const;
  assert.equal(conclude(judged, BOTH).decidedBy, 'wall');
});

test('a command is bound by the CPU that runs or waits for a CPU, however small its share of it is', () => {
  const busy = { runnable: 0.97 };
  assert.equal(isCpuBound({ A: timing(0.02, busy), B: timing(0.02, busy) }), true);
  assert.equal(isCpuBound({ A: timing(0.02, { runnable: 0.3 }), B: timing(0.02, busy) }), false);
  // Where the kernel does not say, only a share of the time that leaves nothing else.
  assert.equal(isCpuBound({ A: timing(0.092), B: timing(0.095) }), true);
  assert.equal(isCpuBound({ A: timing(0.05), B: timing(0.095) }), false);
});

test('CPU time does not decide between different numbers of threads, nor without a warm-up', () => {
  assert.equal(isCpuBound({ A: timing(0.09, { runnable: 1 }), B: timing(0.18, { runnable: 2 }) }), false);
  assert.equal(isCpuBound({ A: timing(0.18, { runnable: 2 }), B: timing(0.18, { runnable: 1.9 }) }), true);
  assert.equal(isCpuBound({}), false);
});

test('CPU time is not judged where a run is a few of its steps', () => {
  assert.equal(whyNoCpu([timing(0.08), timing(0.079)]), undefined);
  assert.equal(whyNoCpu([timing(undefined)]), 'the system does not report it');
  const short = 'the runs are too short for it: it is counted in steps of 1 ms';
  assert.equal(whyNoCpu([timing(0.002), timing(0.001)]), short);
  assert.equal(whyNoCpu([timing(0.08), timing(0.08), timing(0)]), short);
  assert.match(whyNoCpu([timing(0.08, { cpuStepNs: 10e6 })]) ?? '', /steps of 10 ms/);
});

test('each measure has its ratios, or none where a pair lacks it', () => {
  const pairs = [
    { pair: 0, A: { wall: 1, cpu: 1 }, B: { wall: 2, cpu: 1 } },
    { pair: 2, A: { wall: 1, cpu: 0.5 }, B: { wall: 1, cpu: 1 } },
  ];
  assert.deepEqual(ratiosOf(pairs, 'wall'), [
    { pair: 0, logRatio: Math.LN2 },
    { pair: 2, logRatio: 0 },
  ]);
  assert.deepEqual(
    ratiosOf(pairs, 'cpu')?.map(({ logRatio }) => logRatio),
    [0, Math.LN2],
  );
  assert.equal(ratiosOf(pairs, 'instructions'), undefined);
});
