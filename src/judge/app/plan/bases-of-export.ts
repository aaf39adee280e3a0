import { readResults } from '../../../formats/app/read-results.ts';
import type { Format } from '../../../formats/core/format.ts';
import type { SampleSet } from '../../../formats/core/sample.ts';
import { mean } from '../../../stats/summary.ts';
import { exportedPairs } from '../../core/plan/exported-runs.ts';
import { inflation, type PlanBasis, type PlanInput } from '../../core/plan/plan.ts';
import { assumedPairs, type HistoryNoise, historyNoise, measuredPairs } from '../../core/plan/plan-noise.ts';
import type { PlanBases, UnknownReason } from './read-plan-bases.ts';

interface TimedRuns {
  readonly name: string;
  readonly times: readonly number[];
  readonly pairs?: PlanInput['pairs'];
}

interface ExportRequest {
  readonly text: string;
  /** For messages: its path. */
  readonly origin: string;
  readonly formats: readonly Format[];
  /** Noise of pairs from another file. */
  readonly pairs?: PlanInput['pairs'];
}

/** Noise in a file of hyperfine, or of a duet: each time in it is one run. */
export function basesOfExport({ text, origin, formats, pairs }: ExportRequest): PlanBases {
  const rule = { path: origin, format: 'hyperfine', mapping: {} };
  const { samples } = readResults({ text, rule, origin }, formats);
  const compared = exportedPairs(text).map(({ name, a, b, isPaired }): TimedRuns => {
    const measured = pairs ?? (isPaired ? measuredPairs(a, b, 1) : undefined);
    return { name, times: a, ...(measured && { pairs: measured }) };
  });
  const plain = samples.filter(({ metric }) => metric === 'time').map((set) => timedRuns(set, pairs));
  const bases: PlanBasis[] = [];
  const left: { name: string; reason: UnknownReason }[] = [];
  for (const runs of compared.length > 0 ? compared : plain) {
    const noise = historyNoise(Float64Array.from(runs.times));
    if (noise.state === 'unknown') left.push({ name: runs.name, reason: noise.reason });
    else bases.push(basisOf(runs, noise));
  }
  return { bases, left };
}

function timedRuns(
  { benchmark, settings, values }: SampleSet,
  pairs: PlanInput['pairs'] | undefined,
): TimedRuns {
  const words = [...benchmark, ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)];
  return { name: words.join(' '), times: values, ...(pairs && { pairs }) };
}

function basisOf(
  { name, times, pairs }: TimedRuns,
  { variance, freedom, correlation, count }: Extract<HistoryNoise, { state: 'known' }>,
): PlanBasis {
  const plain = { between: variance, within: 0, freedom };
  return {
    name,
    input: {
      alone: { between: variance * inflation(correlation), within: 0, freedom },
      pairs: pairs ?? assumedPairs(plain),
      iterations: 1,
      mayChoose: false,
      time: { fixed: mean(times), each: 0 },
    },
    count,
    counts: 'run',
    correlation,
  };
}
