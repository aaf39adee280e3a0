import { median } from '../../stats/summary.ts';
import type { RatioEffect } from '../../stats/verdict.ts';
import type { Reading, Verdict } from './next-step.ts';
import type { Estimate, Posterior } from './posterior.ts';
import { GOOD, partsOf, type Search, type Suspects } from './search.ts';
import { severalOf, sum } from './sureness.ts';
import { Tally } from './tally.ts';

export interface Likely {
  readonly commit: number;
  readonly probability: number;
}

/** The answer of a search. */
export type Conclusion = ConclusionFacts &
  (
    | {
        readonly state: 'found';
        /** Most probable first. Several: those between them cannot be measured, or cannot be distinguished. */
        readonly culprits: readonly Likely[];
        /** Probability that it is (one of) them. */
        readonly certainty: number;
        /** The next ones, most probable first. */
        readonly runnersUp: readonly Likely[];
      }
    /** More than one commit made the difference. `likely`: those with the largest parts; empty where it is spread evenly. */
    | { readonly state: 'several'; readonly certainty: number; readonly likely: readonly Likely[] }
    | { readonly state: 'no-difference'; readonly certainty: number }
    | {
        readonly state: 'undecided';
        /** Whether there is a difference at all; which commit it is, for want of further builds; or beyond any measurement. */
        readonly why: 'difference' | 'builds' | 'pairs';
        readonly likely: readonly Likely[];
        /** Pairs of good and bad that would probably decide whether they differ. */
        readonly wantedPairs?: number;
      }
  );

export interface ConclusionFacts {
  /** The measure that decided, and what all of them say. */
  readonly measure: string;
  readonly measures: readonly MeasureSummary[];
  /** Bad over good. */
  readonly effect: RatioEffect;
  /** Probability that no commit did it, and that more than one did. */
  readonly none: number;
  readonly several: number;
  /** Measured commits in their order: value over that of the good one. */
  readonly levels: readonly CommitLevel[];
  /** Measured commits that are neither like the good one nor like the bad one. */
  readonly between: readonly { readonly commit: number; readonly ratio: number }[];
  readonly builds: { readonly made: number; readonly most: number; readonly spread: number };
  /** Standard deviation of one pair. */
  readonly noise: number;
  readonly minEffect: number;
}

export interface CommitLevel {
  readonly commit: number;
  readonly builds: number;
  readonly pairs: number;
  readonly ratio: number;
  /** Standard error of the logarithm, by pairs alone. */
  readonly error: number;
}

export interface MeasureSummary {
  readonly measure: string;
  readonly effect: RatioEffect;
  /** The most probable commit by this measure alone. */
  readonly likeliest: Likely;
  /** decided: the answer is this measure's; disagrees: it says another commit, or that nothing differs. */
  readonly says: 'decided' | 'agrees' | 'undecided' | 'disagrees';
}

export function conclude(search: Search, verdict: Verdict): Conclusion {
  const { suspects, evidence, options } = search;
  const { reading, readings } = verdict;
  const { posterior } = reading;
  const hasShift = verdict.type === 'found' || verdict.type === 'several';
  const named = new Set(verdict.type === 'found' ? verdict.commits : []);
  const levels = commitLevels(posterior);
  const likely = likeliest(posterior.one);
  const facts: ConclusionFacts = {
    measure: reading.measure,
    measures: readings.map((it) => summarize(it, { reading, named })),
    effect: effectOf(hasShift ? posterior.shift : posterior.ends),
    none: posterior.none,
    several: severalOf(posterior),
    levels,
    between: hasShift ? between(suspects, levels, { posterior, named }) : [],
    builds: { made: new Tally(evidence).used(), most: options.mostBuilds, spread: posterior.builds },
    ...{ noise: posterior.noise, minEffect: options.minEffect },
  };
  switch (verdict.type) {
    case 'found': {
      const culprits = likely.filter(({ commit }) => named.has(commit));
      const others = likely.filter(({ commit }) => !named.has(commit));
      return { ...facts, state: 'found', culprits, certainty: verdict.certainty, runnersUp: shown(others) };
    }
    case 'several': {
      const { certainty } = verdict;
      const [earlier, later] = posterior.two;
      const isEven = posterior.spread > certainty / 2;
      const parts = likeliest(earlier.map((p, at) => Math.min(1, 2 * (p + (later[at] ?? 0)))));
      return { ...facts, state: 'several', certainty, likely: isEven ? [] : shown(parts) };
    }
    case 'no-difference':
      return { ...facts, state: 'no-difference', certainty: verdict.certainty };
    case 'undecided': {
      const { why } = verdict;
      const wanted = why === 'difference' && { wantedPairs: pairsToDecide(posterior, options.minEffect) };
      return { ...facts, state: 'undecided', why, likely: shown(likely), ...wanted };
    }
  }
}

const LEAST_SHOWN = 0.001;
const MOST_SHOWN = 3;
const LEVEL = 0.95;
/** Standard deviations on either side of a normal interval of that level. */
const DEVIATIONS = 1.96;

function shown(list: readonly Likely[]): readonly Likely[] {
  return list.filter(({ probability }) => probability >= LEAST_SHOWN).slice(0, MOST_SHOWN);
}

function likeliest(probabilities: Float64Array): readonly Likely[] {
  const all = Array.from(probabilities, (probability, commit) => ({ commit, probability }));
  return all.sort((a, b) => b.probability - a.probability || a.commit - b.commit);
}

export function effectOf({ mean, error }: Estimate): RatioEffect {
  const [low, high] = [mean - DEVIATIONS * error, mean + DEVIATIONS * error];
  return { ratio: Math.exp(mean), low: Math.exp(low), high: Math.exp(high), level: LEVEL };
}

function summarize(
  { measure, posterior }: Reading,
  { reading, named }: { readonly reading: Reading; readonly named: ReadonlySet<number> },
): MeasureSummary {
  const [first = { commit: 0, probability: 0 }] = likeliest(posterior.one);
  const says = () => {
    if (measure === reading.measure) return 'decided';
    if (named.size === 0) return 'undecided';
    if (posterior.same >= SURE) return 'disagrees';
    if (first.probability < HALF) return 'undecided';
    if (named.has(first.commit)) return 'agrees';
    return first.probability >= SURE ? 'disagrees' : 'undecided';
  };
  return { measure, effect: effectOf(posterior.ends), likeliest: first, says: says() };
}

const SURE = 0.9;
const HALF = 0.5;

/** Pairs of several builds of a commit as one level. */
function commitLevels({ levels }: Posterior): readonly CommitLevel[] {
  const byCommit = new Map<number, Posterior['levels'][number][]>();
  for (const level of levels) byCommit.set(level.commit, [...(byCommit.get(level.commit) ?? []), level]);
  const found = [...byCommit].map(([commit, units]): CommitLevel => {
    const pairs = sum(units.map((unit) => unit.pairs));
    const mean = sum(units.map((unit) => (unit.mean * unit.pairs) / pairs));
    const error = Math.sqrt(sum(units.map((unit) => ((unit.error * unit.pairs) / pairs) ** 2)));
    const builds = new Set(units.map(({ build }) => build)).size;
    return { commit, builds, pairs, ratio: Math.exp(mean), error };
  });
  return found.sort((a, b) => a.commit - b.commit);
}

/** Standard errors, and part of the difference: a commit so far from both levels is at neither. */
const FAR = 4;
const FAR_PART = 0.25;

function between(
  suspects: Suspects,
  levels: readonly CommitLevel[],
  { posterior, named }: { readonly posterior: Posterior; readonly named: ReadonlySet<number> },
): ConclusionFacts['between'] {
  const [culprit] = named;
  if (culprit === undefined) return [];
  const isAfter = ({ commit }: CommitLevel) => commit !== GOOD && partsOf(suspects, commit)[culprit] === 1;
  const centre = (list: readonly CommitLevel[]) =>
    list.length === 0 ? 0 : median(Float64Array.from(list, ({ ratio }) => Math.log(ratio)));
  const sides = [levels.filter((it) => !isAfter(it)), levels.filter(isAfter)].map(centre);
  const reach = FAR_PART * Math.abs(posterior.shift.mean);
  return levels.flatMap(({ commit, ratio, error }) => {
    const distance = Math.min(...sides.map((side) => Math.abs(Math.log(ratio) - side)));
    return commit !== GOOD && distance > Math.max(FAR * error, reach) ? [{ commit, ratio }] : [];
  });
}

/** So that three standard errors fit into what is to be seen. */
function pairsToDecide({ ends, noise }: Posterior, minEffect: number): number {
  const wanted = Math.max(Math.abs(ends.mean), Math.log1p(minEffect)) / 3;
  return Math.ceil((2 * noise ** 2) / wanted ** 2);
}
