/** How noisy series are and how heavy their tails, before a single value is seen. */
export interface NoisePrior {
  /** Scales of one value, as a fraction of the level, evenly spaced as logarithms. */
  readonly scales: Float64Array;
  readonly logWeights: Float64Array;
  readonly tails: readonly Tail[];
}

export interface Tail {
  /** Degrees of freedom of Student's distribution, even. */
  readonly freedom: number;
  readonly logWeight: number;
  /** Logarithm of the density at 0. */
  readonly logPeak: number;
}

/**
 * Noise of public benchmark histories: half of them below 2 %, few much below, more of them far above. Deviations
 * are those of logarithms; `steady` is the share of series that do not vary at all, such as counters.
 */
const SHAPE = { typical: 0.02, below: 0.4, above: 0.8, steady: 0.03 } as const;

/** With three or four values nothing is known of their tails: mostly moderate, sometimes wild. */
const TAILS = [
  { freedom: 2, weight: 0.07 },
  { freedom: 4, weight: 0.31 },
  { freedom: 8, weight: 0.32 },
  { freedom: 16, weight: 0.3 },
] as const;

const PER_DECADE = 5;
const [LOWEST, HIGHEST] = [1e-7, 2];

export const NOISE_PRIOR: NoisePrior = makePrior();

function makePrior(): NoisePrior {
  const count = Math.ceil(Math.log10(HIGHEST / LOWEST) * PER_DECADE) + 1;
  const scales = Float64Array.from({ length: count }, (_, place) => LOWEST * 10 ** (place / PER_DECADE));
  const step = Math.LN10 / PER_DECADE;
  const { typical, below, above, steady } = SHAPE;
  const peak = step / (((below + above) / 2) * Math.sqrt(2 * Math.PI));
  const logWeights = scales.map((scale) => {
    const distance = Math.log(scale / typical) / (scale < typical ? below : above);
    return Math.log((1 - steady) * peak * Math.exp((-distance * distance) / 2) + steady / count);
  });
  const tails = TAILS.map(({ freedom, weight }) => ({
    freedom,
    logWeight: Math.log(weight),
    logPeak: Math.log(studentPeak(freedom)),
  }));
  return { scales, logWeights, tails };
}

/** For even degrees: 1 / (2 sqrt 2) for two; two more multiply it by (v + 1) / v and sqrt(v / (v + 2)). */
function studentPeak(freedom: number): number {
  let density = 1 / (2 * Math.SQRT2);
  for (let v = 2; v < freedom; v += 2) density *= ((v + 1) / v) * Math.sqrt(v / (v + 2));
  return density;
}
