import type { Centre } from './centre.ts';
import { medianAbsoluteDeviation } from './robust-scale.ts';
import type { Verdict } from './verdict.ts';

export interface JudgedRuns {
  readonly found: Centre;
  readonly alpha: number;
  readonly verdict: Verdict;
}

/** What weakens a judgement, one sentence each. */
export function judgementNotes(logRatios: Float64Array, judged: JudgedRuns): readonly string[] {
  return [
    smallDifference(judged),
    fewRuns(logRatios, judged),
    farOut(logRatios, judged),
    alike(logRatios),
  ].filter((note) => note !== undefined);
}

function smallDifference({ found, alpha, verdict }: JudgedRuns): string | undefined {
  if (verdict !== 'same' || found.p > alpha) return undefined;
  return `There is a difference (ratio ${Math.exp(found.centre).toFixed(4)}), but a smaller one than the smallest effect of interest.`;
}

function fewRuns(logRatios: Float64Array, { found, alpha }: JudgedRuns): string | undefined {
  const runs = logRatios.length;
  const needed = Math.ceil(1 - Math.log2(alpha));
  if (found.method === 'none') {
    const all = `All ${runs} runs gave the same ratio, so there is no spread to judge by`;
    return found.canDecide
      ? `${all}: only that they agree counts.`
      : `${all}: ${needed} runs that agree would decide.`;
  }
  if (runs >= needed) return undefined;
  return `With ${runs} runs the answer holds only if the noise is normal: from ${needed} runs on it needs less faith.`;
}

/** Thousands of normal values have none so far out; ranks do not mind, but people want to know. */
const FAR_OUT = 8;

function farOut(logRatios: Float64Array, { found }: JudgedRuns): string | undefined {
  const limit = FAR_OUT * medianAbsoluteDeviation(logRatios);
  const isFar = (value: number) => limit > 0 && Math.abs(value - found.centre) > limit;
  const far = Array.from(logRatios.keys(), (run) => run + 1).filter((run) => isFar(logRatios[run - 1] ?? 0));
  if (far.length === 0 || logRatios.length < 5) return undefined;
  const [first] = far as [number, ...number[]];
  const ratio = Math.exp(logRatios[first - 1] ?? 0).toPrecision(3);
  return `${far.length === 1 ? `Run ${first} lies` : `${far.length} runs lie`} far outside the others (run ${first}: ratio ${ratio}).`;
}

/** Neighbours among independent runs agree this much in one of a hundred comparisons. */
const NEIGHBOURS_AGREE = 2.33;
const RUNS_FOR_NEIGHBOURS = 10;

function alike(logRatios: Float64Array): string | undefined {
  const runs = logRatios.length;
  if (runs < RUNS_FOR_NEIGHBOURS) return undefined;
  const correlation = neighbourCorrelation(logRatios);
  if (!((correlation + 1 / runs) * Math.sqrt(runs) > NEIGHBOURS_AGREE)) return undefined;
  return `Neighbouring runs resemble each other (correlation ${correlation.toFixed(2)}): the interval is narrower than it should be. Swap sides and cores at random between runs, or wait between them.`;
}

/** Over the ranks of the values, so that one value far out does not hide what the others do. */
function neighbourCorrelation(values: Float64Array): number {
  const order = Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  for (const [rank, index] of order.entries()) ranks[index] = rank - (values.length - 1) / 2;
  let products = 0;
  let squares = 0;
  for (const [index, rank] of ranks.entries()) {
    squares += rank * rank;
    products += rank * (ranks[index + 1] ?? 0);
  }
  return products / squares;
}
