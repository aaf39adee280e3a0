import type { KpiDefinition } from '../../../formats/core/kpi/kpi.ts';
import { formatChange, plainly } from '../../../platform/core/text/numbers.ts';
import { beyond } from '../../../stats/beyond.ts';
import { adjustedPValues } from '../../../stats/false-discovery.ts';
import { mean } from '../../../stats/summary.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { SeriesLevels } from '../levels/levels.ts';
import { type JudgedMany, judgeMany } from '../newest/judge-many.ts';
import { sideOf } from '../newest/judge-newest.ts';
import type { ChangeState, HistoryPoint, KpiAnalysis, KpiState } from './analysis.ts';
import { asFewAs, type NamedRepeat, repeatsOf, type Unit, unitValue, unitWeights } from './history-units.ts';
import type { MethodResult, RegressionMethod } from './regression-method.ts';

/** Everything about one KPI before it is judged. */
export interface KpiCase {
  readonly definition: KpiDefinition;
  /** Of each test that is judged; and the same as units. */
  readonly values: readonly number[];
  readonly newest: readonly Unit[];
  /** Oldest first. */
  readonly history: readonly Unit<NamedRepeat>[];
  readonly notes: readonly string[];
}

export interface KpiRules {
  /** Absent: our own. */
  readonly method?: RegressionMethod;
  readonly minEffect: number;
  readonly isCompat: boolean;
}

/** Judges all KPIs of all entries: those by our own method together, since among many some look changed by chance. */
export function judgeKpis(cases: readonly KpiCase[], rules: KpiRules): readonly KpiAnalysis[] {
  const judged = cases.map((found) => judgeAlone(found, rules));
  const places = [...cases.keys()].filter((place) => judged[place] === undefined);
  const ours = judgeByLevels(
    places.map((place) => cases[place] as KpiCase), // places come from it
    rules,
  );
  const byPlace = new Map(places.map((place, index) => [place, ours[index]]));
  return cases.map((_, place) => (judged[place] ?? byPlace.get(place)) as KpiAnalysis); // one of both has it
}

/** What needs no other KPI to be judged; undefined: our own method does. */
function judgeAlone(found: KpiCase, rules: KpiRules): KpiAnalysis | undefined {
  // The original finds no change in a value that is not there, and lets it pass.
  if (found.values.length === 0) {
    const state = rules.isCompat && found.history.length > 0 ? PASSED : { state: 'no-value' as const };
    return { ...factsOf(found), ...state };
  }
  if (found.history.length === 0) return { ...factsOf(found), state: 'no-history' };
  return rules.method && byMethod(found, rules.method, rules);
}

const PASSED = {
  state: 'inline',
  method: { accepted: true, rating: 0, description: 'Inline', details: [] },
} as const;

type KpiFacts = Pick<KpiAnalysis, 'definition' | 'values' | 'newest' | 'history' | 'notes'>;

function factsOf({ definition, values, newest, history, notes }: KpiCase): KpiFacts {
  return { definition, values, newest: newest.map(unitValue), history: history.map(pointOf), notes };
}

function pointOf(unit: Unit<NamedRepeat>): HistoryPoint {
  const [first, ...others] = repeatsOf(unit) as readonly [NamedRepeat, ...NamedRepeat[]]; // a unit is never empty
  const testIds = [first.testId, ...others.map(({ testId }) => testId)] as const;
  return { name: first.name, at: first.at, value: unitValue(unit), testIds };
}

/** Our own: the newest values against the level at which the history ends. */
function judgeByLevels(cases: readonly KpiCase[], rules: KpiRules): readonly KpiAnalysis[] {
  const levels = cases.map(({ history }) => levelsOf(history));
  // The one place where all verdicts are made together: noise that entries of a KPI share can be pooled here.
  const { verdicts } = judgeMany(
    cases.map(({ definition, history, newest }, id) => {
      const start = levels[id]?.levels.at(-1)?.start ?? 0;
      const [first] = newest as readonly [Unit, ...Unit[]]; // there are values
      return {
        id,
        history: Float64Array.from(history.slice(start), (unit) => unitValue(asFewAs(unit, first))),
        newest: Float64Array.from(newest, unitValue),
        better: definition.better,
      };
    }),
    { minEffect: rules.minEffect },
  );
  const adjusted = adjustedPValues(verdicts.map(({ p }) => p));
  return cases.map((found, id) => {
    const verdict = verdicts[id] as ManyVerdict; // as many as cases
    const level = levels[id]?.levels.at(-1);
    const adjustedP = adjusted[id];
    return {
      ...factsOf(found),
      ...outcomeOf(verdict, found.definition, rules),
      verdict,
      ...(level && { level }),
      ...(verdict.shift && { shift: verdict.shift }),
      ...(verdict.p !== undefined && { p: verdict.p }),
      ...(adjustedP !== undefined && { adjustedP }),
      notes: [...found.notes, ...verdict.notes, ...beganNotes(found, levels[id])],
    };
  });
}

type ManyVerdict = JudgedMany<number>['verdicts'][number];

function levelsOf(history: readonly Unit[]): SeriesLevels {
  const weights = unitWeights(history);
  return findChanges({ values: Float64Array.from(history, unitValue), ...(weights && { weights }) });
}

/** A change is called one when it is surely beyond the smallest effect of interest, and few of all that are called so are chance. */
function outcomeOf(
  { verdict, shift, p, isHeldBack }: ManyVerdict,
  { better }: KpiDefinition,
  { minEffect }: KpiRules,
): Pick<KpiAnalysis, 'state' | 'likely' | 'heldBack'> {
  if (p === undefined || !shift) return { state: 'too-few' };
  if (verdict === 'same') return { state: 'same' };
  const side = CHANGES[sideOf(shift.difference, better)];
  // Where the level is 0 there are no fractions of it: any change that is certain counts.
  const isCertain = verdict !== 'undecided' || isHeldBack;
  const found = shift.relative ? beyond(shift.relative, minEffect) : isCertain ? 'surely' : 'no';
  if (isHeldBack) return { state: 'undecided', ...(found !== 'no' && { heldBack: side }) };
  if (found === 'surely') return { state: side };
  return { state: 'undecided', ...(found === 'likely' && { likely: side }) };
}

const CHANGES: Readonly<Record<ReturnType<typeof sideOf>, ChangeState>> = {
  slower: 'regression',
  faster: 'improvement',
  changed: 'changed',
};

function beganNotes({ history }: KpiCase, found: SeriesLevels | undefined): readonly string[] {
  const last = found?.changes.at(-1);
  const began = last && history[last.index];
  if (!last || !began) return [];
  const change = plainly(formatChange(last.shift.relative?.change ?? Number.NaN));
  return [`The level it is compared with began at ${pointOf(began).name}: ${change} from the one before.`];
}

function byMethod(found: KpiCase, method: RegressionMethod, { isCompat }: KpiRules): KpiAnalysis {
  const facts = factsOf(found);
  const { better } = found.definition;
  const lowerBetter = better === 'unknown' ? undefined : better === 'lower';
  const result = method.judge(
    Float64Array.from(facts.history, ({ value }) => value),
    mean(facts.newest),
    { lowerBetter },
  );
  const count = found.values.length;
  const repeated = count > 1 ? [`${count} tests were judged as one value.`] : [];
  const state = stateOf(result, isCompat || lowerBetter !== undefined);
  return { ...facts, state, method: result, notes: [...facts.notes, ...repeated] };
}

function stateOf({ accepted, improved, rating = 0 }: MethodResult, hasDirection: boolean): KpiState {
  if (improved && rating >= 1) return hasDirection ? 'improvement' : 'changed';
  if (accepted === undefined) return 'too-few';
  if (accepted) return 'inline';
  return hasDirection ? 'regression' : 'changed';
}
