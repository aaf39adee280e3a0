import type { Side } from '../../git/core/version-pairs.ts';
import { mean, median } from '../../stats/summary.ts';
import { judgeUnpaired } from '../../stats/verdict.ts';
import type { Timing } from '../core/command-timer.ts';
import type { Comparison, MeasuredSide } from '../core/comparison.ts';
import type { CompareEffects, CompareRequest } from './compare-request.ts';
import { comparisonNotes } from './comparison-notes.ts';
import { type Measured, measurePairs } from './measure-pairs.ts';
import { PairRunner } from './pair-runner.ts';
import { type Judged, judgeAtLook } from './stop-plan.ts';

/** Runs two commands in pairs and judges B against A. */
export async function compareCommands(request: CompareRequest, effects: CompareEffects): Promise<Comparison> {
  const session = await effects.timer.open(2);
  try {
    const runner = new PairRunner(request, session, effects.signal);
    const shellSeconds = request.emptyShell && (await runner.shellSeconds(request.emptyShell));
    const seeNoise = await effects.watchNoise?.();
    try {
      await runner.aside('setup');
      const measured = await measurePairs(request, runner, effects);
      const comparison = conclude(request, measured, shellSeconds);
      const noise = (await seeNoise?.()) ?? [];
      return { ...comparison, notes: [...comparison.notes, ...noise] };
    } finally {
      await runner.aside('cleanup');
    }
  } finally {
    await session.close();
  }
}

function conclude(request: CompareRequest, measured: Measured, shellSeconds: number | undefined): Comparison {
  const { runs, plan, isInterrupted } = measured;
  const { judgement, look } = judge(request, measured);
  const isComplete = Math.max(runs.A.length, runs.B.length) + measured.dropped >= plan.pairs;
  const comparison: Comparison = {
    mode: request.mode,
    seed: request.seed,
    parameters: request.parameters,
    sides: { A: toSide(request, 'A', runs.A), B: toSide(request, 'B', runs.B) },
    judgement,
    state: isInterrupted ? 'interrupted' : isComplete ? 'complete' : 'decided',
    planned: plan.pairs,
    pairsARun: plan.unit,
    ...(request.stop === 'when-decided' && { look }),
    orders: measured.orders,
    ...(request.mode === 'together' && runs.A.length > 0 && overlap(runs)),
    ...(request.cores && { cores: request.cores }),
    notes: [],
  };
  const notes = comparisonNotes(comparison, {
    dropped: measured.dropped,
    ...(shellSeconds !== undefined && { shellSeconds }),
  });
  return { ...comparison, notes: [...request.notes, ...judgement.notes, ...notes] };
}

function judge(request: CompareRequest, { runs, ratios, plan }: Measured): Judged {
  if (request.mode !== 'one-after-another') return judgeAtLook(plan, ratios, request);
  const logs = (side: Side) => Float64Array.from(runs[side], ({ wallNs }) => Math.log(wallNs));
  return { judgement: judgeUnpaired(logs('A'), logs('B'), request), look: { number: 1, of: 1 } };
}

function toSide({ sides }: CompareRequest, side: Side, runs: readonly Timing[]): MeasuredSide {
  const { name, command } = sides[side];
  const cpu = (key: 'userNs' | 'systemNs') => {
    const values = runs.flatMap((run) => (run[key] === undefined ? [] : [run[key] / 1e9]));
    return values.length > 0 && values.length === runs.length ? mean(values) : undefined;
  };
  const [user, system] = [cpu('userNs'), cpu('systemNs')];
  return {
    name,
    command,
    times: runs.map(({ wallNs }) => wallNs / 1e9),
    exitCodes: runs.map(({ exit }) => (exit.type === 'code' ? exit.code : -1)),
    ...(user !== undefined && { user }),
    ...(system !== undefined && { system }),
  };
}

function overlap({ A, B }: Measured['runs']): Pick<Comparison, 'skewNs' | 'aloneShare'> {
  const pairs = A.map((a, index) => ({ a, b: B[index] ?? a }));
  const skews = pairs.map(({ a, b }) => Math.abs(Number(a.startedAtNs - b.startedAtNs)));
  const alone = pairs.map(({ a, b }) => Math.abs(a.wallNs - b.wallNs) / Math.max(a.wallNs, b.wallNs, 1));
  return { skewNs: median(skews), aloneShare: mean(alone) };
}
