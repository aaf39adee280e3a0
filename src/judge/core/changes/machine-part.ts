import type { Better, JudgedSeries } from '../../../home/core/changes/change.ts';
import { median } from '../../../stats/summary.ts';
import type { Level } from '../levels/levels.ts';

/** From this time on durations are `factor` times as long, on account of the machine. */
export interface MachineStep {
  readonly at: number;
  readonly factor: number;
}

interface Values {
  readonly values: Float64Array;
  readonly times: Float64Array;
  readonly better: Better;
}

/** Values on either side of a step that decide whether a series took it. */
const NEAR = 10;

/** A step of a machine in one series: what values before this index are multiplied by. */
export interface TakenStep {
  readonly index: number;
  readonly factor: number;
}

/**
 * The steps of a machine that a series took. One that stood still while the others moved, as one that waits for a disk
 * does, took none.
 */
export function stepsTaken(series: Values, steps: readonly MachineStep[]): readonly TakenStep[] {
  const { values, times, better } = series;
  const placed = steps
    .map(({ at, factor }) => ({ place: times.findIndex((time) => time >= at), factor }))
    .filter(({ place }) => place > 0)
    .sort((a, b) => a.place - b.place);
  return placed.flatMap(({ place, factor }, number) => {
    const own = better === 'higher' ? 1 / factor : factor;
    // Only values that no other step lies between.
    const start = Math.max(placed[number - 1]?.place ?? 0, place - NEAR);
    const end = Math.min(placed[number + 1]?.place ?? values.length, place + NEAR);
    const near = { before: values.subarray(start, place), after: values.subarray(place, end) };
    return tookStep(near, own) ? [{ index: place, factor: own }] : [];
  });
}

/** The values as the machine of today would have given them: those before a step are moved by it, the newest are as measured. */
export function withoutSteps(values: Float64Array, taken: readonly TakenStep[]): Float64Array {
  if (taken.length === 0) return values;
  return values.map((value, index) => value * factorAt(index, taken));
}

/** What a value at this index is multiplied by to be as the machine of today would have given it. */
export function factorAt(index: number, taken: readonly TakenStep[]): number {
  return taken.reduce((factor, step) => (index < step.index ? factor * step.factor : factor), 1);
}

/** Levels of values without steps, as they lie in the values as measured: parted at each step. */
export function asMeasured(levels: readonly Level[], taken: readonly TakenStep[]): readonly Level[] {
  return levels.flatMap((level) => {
    const inside = taken.flatMap(({ index }) => (index > level.start && index < level.end ? [index] : []));
    const bounds = [level.start, ...inside, level.end];
    return bounds.slice(1).map((end, part): Level => {
      const start = bounds[part] as number; // as many as ends
      const factor = factorAt(start, taken);
      const count = inside.length === 0 ? level.count : end - start;
      return { ...level, start, end, count, value: level.value / factor, scale: level.scale / factor };
    });
  });
}

/** Nearer to the step of the machine than to none. */
function tookStep(
  near: { readonly before: Float64Array; readonly after: Float64Array },
  factor: number,
): boolean {
  const before = near.before.filter(Number.isFinite);
  const after = near.after.filter(Number.isFinite);
  if (before.length === 0 || after.length === 0) return false;
  const step = Math.log(median(after) / median(before));
  return Math.abs(step - Math.log(factor)) < Math.abs(step);
}

/** What a slower or faster machine moves together: times and rates, or values of one unit. */
export function machineMeasure(series: JudgedSeries, unit: string): string | undefined {
  if (series.kind === 'machine') return undefined;
  if (TIME.test(unit) || RATE.test(unit)) return 'speed';
  return unit === '' ? 'values' : unit;
}

/** Series that are statistics of the same measurement: together they count once for what a machine did. */
export function benchmarkOf(series: JudgedSeries): string {
  if (series.kind !== 'value') return JSON.stringify(series);
  const own = series.path.slice(0, series.path.findLastIndex((part) => !STATISTIC.test(part)) + 1);
  return JSON.stringify([series.experiment, ...own]);
}

const TIME = /^(?:ns|us|µs|μs|ms|s|sec|seconds?|min|minutes?|h|hours?)$/i;
const RATE = /(?:\/|per )\s*(?:ns|us|µs|μs|ms|s|sec|seconds?|min|minutes?|h|hours?)$|^hz$/i;
const STATISTIC =
  /^(?:mean|avg|average|median|min|minimum|max|maximum|std|stdev|stddev|sd|var|variance|mad|iqr|p\d{1,2}(?:[._]\d+)?|q[0-4]|total|sum|lower|upper|low|high|ci.*|user|system|sys|real|wall|cpu|instructions|cycles|cache-misses)$/i;
