import { normalQuantile } from '../../../stats/distributions.ts';
import type { Design, Plan, PlanAim, PlanInput, Reach, RunNoise } from './plan.ts';
import { noiseAllowance, pairsPower, welchPower } from './power.ts';

/** Another number of iterations is proposed only where it saves at least this part of the time: habits are worth something. */
const WORTH_CHANGING = 0.2;
/** Beyond a few times what was measured it is unknown whether iterations still help. */
const MOST_GROWTH = 4;

interface Mode {
  readonly noise: RunNoise;
  readonly powerOf: typeof welchPower;
  /** Two where sides run one after the other, one where both run at once. */
  readonly sides: 1 | 2;
}

/** How many runs, iterations and minutes a comparison needs, and what fits into `minutes`. */
export function planComparison(input: PlanInput, aim: PlanAim, minutes: number): Plan {
  const alone: Mode = { noise: allowing(input.alone, aim), powerOf: welchPower, sides: 2 };
  const pairs: Mode = { noise: allowing(input.pairs, aim), powerOf: pairsPower, sides: 1 };
  const [aloneDesign, duetDesign] = [designFor(alone, input, aim), designFor(pairs, input, aim)];
  const reach = { input, aim, seconds: minutes * 60 };
  const [aloneReach, duetReach] = [reachOf(alone, reach), reachOf(pairs, reach)];
  return {
    aim,
    ...(aloneDesign && { alone: aloneDesign }),
    ...(duetDesign && { duet: duetDesign }),
    minutes,
    inTime: { ...(aloneReach && { alone: aloneReach }), ...(duetReach && { duet: duetReach }) },
  };
}

/** Learned noise may be too small by chance: with what it may really be, the power is reached on average. */
function allowing(
  { between, within, freedom = Number.POSITIVE_INFINITY }: RunNoise,
  { level, power }: PlanAim,
): RunNoise {
  const factor = noiseAllowance(freedom, { alpha: 1 - level, power }) ** 2;
  return { between: factor * between, within: factor * within };
}

function designFor(
  mode: Mode,
  input: PlanInput,
  { detect, minEffect = 0, power, level }: PlanAim,
): Design | undefined {
  const search = { effect: Math.log1p(detect) - Math.log1p(minEffect), alpha: 1 - level };
  const expected = 2 * (normalQuantile(1 - search.alpha / 2) + normalQuantile(power)) ** 2;
  const runsFor = (variance: number) =>
    Math.max(LEAST_RUNS, (expected * variance) / search.effect ** 2 / (3 - mode.sides));
  const costOf = (iterations: number) =>
    runsFor(deviationOf(mode.noise, iterations) ** 2) *
    (secondsOf(mode, input, { runs: 1, iterations }) ?? 1);
  const designs = likeliest(input, costOf).flatMap((iterations): readonly Design[] => {
    const deviation = deviationOf(mode.noise, iterations);
    const powerOf = (runs: number) => mode.powerOf(runs, { ...search, deviation });
    const runs = fewestRuns(powerOf, power);
    if (runs === undefined) return [];
    const seconds = secondsOf(mode, input, { runs, iterations });
    return [{ runs, iterations, power: powerOf(runs), ...(seconds !== undefined && { seconds }) }];
  });
  return cheapest(designs, input.iterations);
}

function cheapest(designs: readonly Design[], usual: number): Design | undefined {
  const best = designs.reduce<Design | undefined>(
    (least, one) => (least && (least.seconds ?? 0) <= (one.seconds ?? 0) ? least : one),
    undefined,
  );
  const kept = designs.find(({ iterations }) => iterations === usual);
  if (!kept || !best) return best;
  return (best.seconds ?? 0) < (1 - WORTH_CHANGING) * (kept.seconds ?? 0) ? best : kept;
}

interface Limited {
  readonly input: PlanInput;
  readonly aim: PlanAim;
  readonly seconds: number;
}

function reachOf(mode: Mode, { input, aim, seconds }: Limited): Reach | undefined {
  const runsOf = (iterations: number) =>
    Math.floor(seconds / (secondsOf(mode, input, { runs: 1, iterations }) ?? Infinity) + 1e-9);
  const errorOf = (iterations: number) =>
    runsOf(iterations) < LEAST_RUNS
      ? Infinity
      : deviationOf(mode.noise, iterations) ** 2 / (runsOf(iterations) - 1);
  const reaches = likeliest(input, errorOf).flatMap((iterations): readonly Reach[] => {
    const runs = Math.min(MOST_RUNS, runsOf(iterations));
    if (runs < LEAST_RUNS) return [];
    const deviation = deviationOf(mode.noise, iterations);
    const powerOf = (effect: number) => mode.powerOf(runs, { effect, deviation, alpha: 1 - aim.level });
    const log = smallestEffect(powerOf, aim.power);
    return log === undefined
      ? []
      : [{ effect: Math.expm1(log + Math.log1p(aim.minEffect ?? 0)), runs, iterations }];
  });
  return reaches.reduce<Reach | undefined>(
    (best, one) => (best && best.effect <= one.effect ? best : one),
    undefined,
  );
}

/** What is measured now, and the number of iterations that a simple formula likes best: exact powers take a while. */
function likeliest(input: PlanInput, cost: (iterations: number) => number): readonly number[] {
  const choices = iterationChoices(input);
  const best = choices.reduce((least, one) => (cost(one) < cost(least) ? one : least), input.iterations);
  return [...new Set([input.iterations, best])];
}

/** 1, 2, 3, 5, 10, 20, 30, 50 ... up to a few times what was measured, and that itself. */
function iterationChoices({ iterations, mayChoose, time }: PlanInput): readonly number[] {
  if (!mayChoose || time === undefined) return [iterations];
  const round = [1, 10, 100, 1000, 10_000].flatMap((size) => [1, 2, 3, 5].map((digit) => digit * size));
  const choices = round.filter((count) => count <= MOST_GROWTH * iterations);
  return [...new Set([iterations, ...choices])];
}

function deviationOf({ between, within }: RunNoise, iterations: number): number {
  return Math.sqrt(between + within / iterations);
}

function secondsOf(
  { sides }: Mode,
  { time }: PlanInput,
  { runs, iterations }: Pick<Design, 'runs' | 'iterations'>,
): number | undefined {
  return time && sides * runs * (time.fixed + iterations * time.each);
}

/** With fewer, an answer rests on the shape of the noise alone; see docs/statistics.md, "The verdict". */
export const LEAST_RUNS = 5;
/** Nobody runs more; what needs them cannot be seen. */
export const MOST_RUNS = 100_000;

/** The smallest number of runs with at least that power, by doubling and halving; undefined beyond MOST_RUNS. */
export function fewestRuns(powerOf: (runs: number) => number, power: number): number | undefined {
  let low = LEAST_RUNS - 1;
  let high = LEAST_RUNS;
  while (powerOf(high) < power) {
    if (high === MOST_RUNS) return undefined;
    low = high;
    high = Math.min(MOST_RUNS, high * 2);
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (powerOf(middle) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** The smallest effect on the scale of logarithms that is found with that power; undefined beyond a factor of e^5. */
export function smallestEffect(powerOf: (effect: number) => number, power: number): number | undefined {
  let [low, high] = [0, 5];
  if (powerOf(high) < power) return undefined;
  // Relative precision of 1e-4 is far finer than what is shown.
  while (high - low > 1e-4 * high) {
    const middle = (low + high) / 2;
    if (powerOf(middle) < power) low = middle;
    else high = middle;
  }
  return high;
}
