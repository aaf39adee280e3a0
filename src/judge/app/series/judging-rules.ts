import { type JudgedSeries, metricText, seriesText } from '../../../home/core/changes/change.ts';
import type { DirectionRule } from '../../../home/core/changes/directions.ts';
import type { Home, RegressRules } from '../../../home/core/home.ts';
import { crossingPattern } from '../../../platform/core/patterns/glob.ts';
import { sha256 } from '../../../platform/core/text/sha256.ts';

/** Which rules hold for which series, and which series are not judged. */
export interface JudgingRules {
  readonly home: RegressRules;
  /** Another text whenever a rule is another: what was judged by other rules is judged again. */
  readonly version: string;
  rulesFor(series: JudgedSeries): RegressRules;
  isIgnored(series: JudgedSeries): boolean;
  /** How the definition links to a commit of a source: "https://example.org/x/commit/{commit}". */
  linkOf(source: string): string | undefined;
  /** Which directions the definition declares. */
  readonly directions: readonly DirectionRule[];
  /** Whether the definition switches the experiment off. */
  isInactive(experiment: string): boolean;
}

/** Rules are those of the definition, and nothing remembers older ones: what is not written there any more is gone. */
export function judgingRules(home: Pick<Home, 'regress' | 'directions' | 'tasks'>): JudgingRules {
  const { regress = {}, directions = [], tasks } = home;
  const own = new Map<string, RegressRules>();
  for (const task of tasks) {
    if (task.kind === 'experiment' && task.regress) own.set(task.name, task.regress);
  }
  const inactive = new Set(tasks.flatMap(({ name, state }) => (state === 'inactive' ? [name] : [])));
  const links = new Map(
    tasks.flatMap(({ sources }) => sources.flatMap(({ name, link }) => (link ? [[name, link]] : []))),
  );
  const patterns = new Map<RegressRules, readonly RegExp[]>();
  const rulesFor = (series: JudgedSeries) =>
    (series.kind === 'value' ? own.get(series.experiment) : undefined) ?? regress;
  return {
    home: regress,
    version: sha256(JSON.stringify([regress, [...own], [...inactive], directions])),
    directions,
    rulesFor,
    isIgnored(series) {
      const rules = rulesFor(series);
      const known = patterns.get(rules) ?? (rules.ignore ?? []).map(crossingPattern);
      patterns.set(rules, known);
      return known.some((pattern) => pattern.test(seriesText(series)) || pattern.test(metricText(series)));
    },
    linkOf: (source) => links.get(source),
    isInactive: (experiment) => inactive.has(experiment),
  };
}

/** For a folder of results without a definition. */
export const DEFAULT_RULES: JudgingRules = judgingRules({ tasks: [] });
