import type { Series } from '../../../formats/core/sample.ts';
import { inBase, toBase } from '../../../platform/core/units.ts';
import { inflation, type PlanBasis, type RunNoise, type RunTime } from '../../core/plan/plan.ts';
import {
  assumedPairs,
  type HistoryNoise,
  type IterationNoise,
  iterationNoise,
  measuredPairs,
} from '../../core/plan/plan-noise.ts';
import type { StoredPairs } from './read-duets.ts';
import type { BasisRequest } from './read-plan-bases.ts';
import type { RunTimes } from './read-times.ts';

interface Known {
  readonly series: Series;
  readonly name: string;
  readonly noise: Extract<HistoryNoise, { state: 'known' }>;
  readonly times: RunTimes;
  readonly duets: StoredPairs | undefined;
  readonly request: BasisRequest;
}

/** Puts together what is known of one value. */
export function makeBasis({ series, name, noise, times, duets, request }: Known): PlanBasis {
  const single = iterationNoise(times.samples.get(JSON.stringify(series.path)) ?? []);
  const iterations = single?.iterations ?? 1;
  const plain = runNoise(noise.variance, single);
  const alone = scaled(plain, inflation(noise.correlation));
  const time = runTime(request.seconds ?? times.seconds, single, series.unit);
  const stored = duets && measuredPairs(duets.a, duets.b, iterations);
  return {
    name,
    input: {
      alone,
      // What neighbouring nights have in common drops out of a ratio: no inflation.
      pairs: request.pairs ?? stored ?? assumedPairs(plain),
      iterations,
      mayChoose: single !== undefined && time?.isSplit === true,
      ...(time && { time: time.time }),
    },
    count: noise.count,
    counts: 'night',
    correlation: noise.correlation,
  };
}

/** What iterations explain of the spread between runs is theirs; the rest more iterations do not remove. */
function runNoise(variance: number, single: IterationNoise | undefined): RunNoise {
  if (!single) return { between: variance, within: 0 };
  const within = Math.min(single.within, variance * single.iterations);
  return { between: variance - within / single.iterations, within };
}

function scaled({ between, within }: RunNoise, factor: number): RunNoise {
  return { between: between * factor, within: within * factor };
}

/** Only where the values are times it is known which part of a run its iterations take. */
function runTime(
  seconds: number | undefined,
  single: IterationNoise | undefined,
  unit: string,
): { readonly time: RunTime; readonly isSplit: boolean } | undefined {
  const scale = toBase(unit);
  const each = single && scale.unit === 's' ? inBase(single.value, scale) : undefined;
  if (seconds === undefined) return undefined;
  if (!single || each === undefined) return { time: { fixed: seconds, each: 0 }, isSplit: false };
  const fixed = Math.max(0, seconds - single.iterations * each);
  return { time: { fixed, each: Math.min(each, seconds / single.iterations) }, isSplit: true };
}
