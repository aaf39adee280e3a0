import { inferDirection } from '../../../formats/core/infer-direction.ts';
import { inferUnit } from '../../../formats/core/infer-unit.ts';
import type { Better } from '../../../formats/core/sample.ts';
import { crossingPattern } from '../../../platform/core/patterns/glob.ts';
import { type MeasuredSeries, metricText, seriesText } from './change.ts';
import type { Direction } from './direction.ts';

/** A direction as definitions declare it; none: on purpose, for counts and sizes of inputs. */
export type DeclaredDirection = 'lower' | 'higher' | 'none';

export const DECLARED_DIRECTIONS: readonly DeclaredDirection[] = ['lower', 'higher', 'none'];

/** Which direction is good for the series that a pattern matches. */
export interface DirectionRule {
  /** Over the whole name, or the path below the experiment; "*" crosses "/". */
  readonly pattern: string;
  /** Only series of this experiment. */
  readonly experiment?: string;
  readonly better: DeclaredDirection;
}

/** A series as the index has it. */
export interface StoredSeries {
  readonly series: MeasuredSeries;
  /** As the results gave it. */
  readonly better: Better;
  readonly unit: string;
  /** Of samples: what was measured, where the path leaves it out. */
  readonly metric?: string;
}

/** Declared before given by the results before inferred from names and unit. Of several rules that match the last counts. */
export function directionFinder(rules: readonly DirectionRule[]): (stored: StoredSeries) => Direction {
  const matchers = rules.map(ruleMatcher).toReversed();
  return ({ series, better, unit, metric }) => {
    const declared = matchers.find(({ matches }) => matches(series))?.rule.better;
    if (declared !== undefined)
      return { better: declared === 'none' ? 'unknown' : declared, betterFrom: 'declared' };
    if (better !== 'unknown') return { better, betterFrom: 'format' };
    const inferred = inferDirection(namesOf(series, metric), unit);
    return inferred === 'unknown' ? { better: 'unknown' } : { better: inferred, betterFrom: 'inferred' };
  };
}

/** The unit of the results; old data files have units only in their names. */
export function unitOfSeries({ series, unit, metric }: Omit<StoredSeries, 'better'>): string {
  return unit || (series.kind === 'value' ? inferUnit(namesOf(series, metric)) : '');
}

export function ruleMatcher(rule: DirectionRule): {
  readonly rule: DirectionRule;
  matches(series: MeasuredSeries): boolean;
} {
  const { pattern, experiment } = rule;
  const glob = crossingPattern(pattern);
  // A name may hold what patterns give a meaning to: "time[1]".
  const fits = (text: string) => text === pattern || glob.test(text);
  return {
    rule,
    matches: (series) =>
      (experiment === undefined || (series.kind === 'value' && series.experiment === experiment)) &&
      (fits(seriesText(series)) || fits(metricText(series))),
  };
}

function namesOf(series: MeasuredSeries, metric: string | undefined): readonly string[] {
  const names = series.kind === 'value' ? series.path : [series.name];
  return metric ? [...names, metric] : names;
}
