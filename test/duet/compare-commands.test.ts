import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCommands } from '../../src/duet/app/compare-commands.ts';
import type { CompareRequest } from '../../src/duet/app/compare-request.ts';
import type { Comparison } from '../../src/duet/core/comparison.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { simulatedTimer } from '../support/simulated-timer.ts';

/** Wall time has eight times the noise of CPU time, and they have nothing in common. */
const BUSY = { wall: 0.12, cpu: 0.015, correlation: 0, tails: 'light' } as const;

async function compare(ratio: number, seed: number, more: Partial<CompareRequest> = {}): Promise<Comparison> {
  const side = (name: string) => ({ name, command: name, argv: [name] as const, cwd: '/', env: {} });
  const request: CompareRequest = {
    ...{ sides: { A: side('A'), B: side('B') }, parameters: {}, mode: 'together', warmup: 1, seed },
    ...{ count: { type: 'exact', pairs: 20 }, stop: 'never', level: 0.95, minEffect: 0.01 },
    ...{ ignoreFailure: false, output: 'null', notes: [], ...more },
  };
  const signal = new AbortController().signal;
  const timer = simulatedTimer(BUSY, ratio, seed);
  return compareCommands(request, { timer, clock: systemClock, signal, notify: () => {} });
}

async function count(ratio: number, isIt: (one: Comparison) => boolean, more: Partial<CompareRequest> = {}) {
  let found = 0;
  for (let seed = 0; seed < 200; seed++) if (isIt(await compare(ratio, seed, more))) found++;
  return found;
}

const isDifferent = ({ judgement: { verdict } }: Comparison) => verdict === 'slower' || verdict === 'faster';

test('two measures that may decide raise no more false alarms than one', async () => {
  // 5 % of 200 are 10, with a deviation of 3.
  const alarms = await count(1, isDifferent);
  assert.ok(alarms <= 19, `${alarms} of 200`);
});

test('on a busy machine CPU time finds what wall time does not', async () => {
  const isSlower = ({ judgement: { verdict } }: Comparison) => verdict === 'slower';
  const [both, wall] = [await count(1.05, isSlower), await count(1.05, isSlower, { measure: 'wall' })];
  assert.ok(both >= 195, `${both} of 200`);
  assert.ok(wall < 120, `${wall} of 200`);
});

test('a comparison ends early by the measure that decides', async () => {
  const ended = await compare(1.05, 3, { stop: 'when-decided', count: { type: 'exact', pairs: 40 } });
  assert.deepEqual([ended.state, ended.decidedBy, ended.judgement.verdict], ['decided', 'cpu', 'slower']);
  assert.ok(ended.sides.A.times.length < 40);
  assert.equal(ended.look?.number, 1);
});

test('the measure that is asked for decides alone, at the whole level', async () => {
  const cpu = await compare(1.05, 4, { measure: 'cpu' });
  assert.deepEqual([cpu.decidedBy, cpu.deciders, cpu.judgement.effect?.level], ['cpu', ['cpu'], 0.95]);
  const wall = await compare(1.05, 4, { measure: 'wall' });
  assert.deepEqual([wall.decidedBy, wall.deciders, wall.judgement.effect?.level], ['wall', ['wall'], 0.95]);
});

test('without a warm-up nothing says that commands only compute: wall time decides alone', async () => {
  assert.deepEqual((await compare(1.05, 5, { warmup: 0 })).deciders, ['wall']);
});

test('sides that ran one after another have the same measures', async () => {
  const { measures, decidedBy } = await compare(1.5, 6, { mode: 'one-after-another' });
  assert.deepEqual(
    measures.map(({ measure, judgement }) => [measure, judgement.verdict]),
    [
      ['wall', 'slower'],
      ['cpu', 'slower'],
    ],
  );
  assert.equal(decidedBy, 'wall');
});
