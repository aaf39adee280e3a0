import { type Curve, makeCurve } from '../../charts/core/curves/curve.ts';

/** The log of one run of a learning algorithm: named columns, one row per report, with its identity. */
export interface CurveTable extends CurveIdentity {
  /** Columns that its file has, where not all of them were read. */
  readonly names?: readonly string[];
  /** Columns of one length; NaN is a gap. */
  readonly columns: ReadonlyMap<string, Float64Array>;
  /** A mean over seeds that was stored with its band: there are no seeds of it. */
  readonly band?: { readonly low: Float64Array; readonly high: Float64Array };
  readonly commit?: string;
}

export interface CurveIdentity {
  readonly task: string;
  readonly algorithm: string;
  /** To compare with: of another framework, or kept as the level to reach. */
  readonly isBaseline: boolean;
  readonly seed?: string;
  /** Runs of the same task and algorithm that belong together: of one night, say. */
  readonly edition: string;
}

/** A curve out of a table, with the names of its axes. */
export interface ChosenCurve {
  readonly x: string;
  readonly y: string;
  readonly curve: Curve;
}

export interface CurveChoice {
  readonly x?: string;
  readonly y?: string;
}

/**
 * The requested columns, or else the usual ones of learning curves. Undefined where the table has none:
 * a requested column is not replaced by another.
 */
export function chooseCurve(
  { columns }: Pick<CurveTable, 'columns'>,
  choice: CurveChoice,
): ChosenCurve | undefined {
  const names = [...columns.keys()];
  const x = choice.x === undefined ? usual(names, USUAL_X) : choice.x;
  if (x === undefined) return undefined;
  const rest = names.filter((name) => name !== x && !isUsual(name, USUAL_X));
  const y = choice.y === undefined ? (usual(rest, USUAL_Y) ?? rest[0]) : choice.y;
  const [places, values] = [columns.get(x), y === undefined ? undefined : columns.get(y)];
  if (y === undefined || places === undefined || values === undefined) return undefined;
  return { x, y, curve: makeCurve(places, values) };
}

/** The columns that learning curves usually are of, as far as they are among these. */
export function usualNames(names: readonly string[]): CurveChoice {
  const [x, y] = [usual(names, USUAL_X), usual(names, USUAL_Y)];
  return { ...(x !== undefined && { x }), ...(y !== undefined && { y }) };
}

/** Whether a metric of this name is what learning is judged by. */
export function isUsualValue(name: string): boolean {
  return isUsual(name, USUAL_Y);
}

/** Whether a lower value is the better one, by the name of the column. */
export function betterOf(name: string): 'lower' | 'higher' {
  return /loss|error|regret|cost|perplexity/i.test(name) ? 'lower' : 'higher';
}

/** Steps of the environment before counts of rounds, which mean something else in every program. */
const USUAL_X = [
  'TotalEnvSteps',
  'TimestepsSoFar',
  'total_timesteps',
  'TotalTimesteps',
  'time_steps',
  'timesteps',
  'global_step',
  'env_steps',
  'steps',
  'step',
  'Evaluation/Iteration',
  'Iteration',
  'Epoch',
  'total/epochs',
  'nupdates',
  'x',
];

const USUAL_Y = [
  'Evaluation/AverageReturn',
  'AverageReturn',
  'Average/AverageReturn',
  'EpisodeRewardMean',
  'rollout/return',
  'eprewmean',
  'EpRewMean',
  'episodic_return',
  'return',
  'reward',
  'SuccessRate',
  'accuracy',
  'loss',
];

function usual(names: readonly string[], wanted: readonly string[]): string | undefined {
  for (const one of wanted) {
    const found = names.find((name) => name.toLowerCase() === one.toLowerCase());
    if (found !== undefined) return found;
  }
  return undefined;
}

function isUsual(name: string, wanted: readonly string[]): boolean {
  return usual([name], wanted) !== undefined;
}
