import { type Group, groupsOf } from './groups.ts';
import { type Posterior, posteriorOf } from './posterior.ts';
import { badOf, GOOD, type Search } from './search.ts';
import { doubtsOf, neighboursOf, sharesOf } from './sides.ts';
import { severalOf, smallestSet, sum, sureOf, worstCase } from './sureness.ts';
import { Tally, type Visit } from './tally.ts';
import { type Action, RESERVED, Worth } from './worth.ts';

/** What one measure says. */
export interface Reading {
  readonly measure: string;
  readonly posterior: Posterior;
}

/** What to do next; it follows from the evidence alone, so an interrupted search goes on as if nothing had happened. */
export type Step =
  | {
      readonly type: 'measure';
      /** difference: good against bad; halve: which side of the change a commit is on; check: what the answer rests on. */
      readonly why: 'difference' | 'halve' | 'check';
      /** The commit that it is about. */
      readonly commit: number;
      readonly rounds: readonly (readonly Visit[])[];
      readonly reading?: Reading;
    }
  | Verdict;

/** The end of a search; `reading` is that of the measure which decided. */
export type Verdict = { readonly reading: Reading; readonly readings: readonly Reading[] } & (
  | { readonly type: 'found'; readonly commits: readonly number[]; readonly certainty: number }
  | { readonly type: 'several'; readonly certainty: number }
  | { readonly type: 'no-difference'; readonly certainty: number }
  /** difference: whether there is one; pairs: more of them would tell nothing; builds: no further one is allowed. */
  | { readonly type: 'undecided'; readonly why: 'difference' | 'pairs' | 'builds' }
);

export function nextStep(search: Search): Step {
  return new Decision(search).step();
}

/** One step of a search. */
class Decision {
  readonly #search: Search;
  readonly #tally: Tally;
  readonly #bad: number;

  constructor(search: Search) {
    this.#search = search;
    this.#tally = new Tally(search.evidence);
    this.#bad = badOf(search.suspects);
  }

  step(): Step {
    const first = this.#firstPairs();
    if (first) return first;
    const { suspects, evidence, options } = this.#search;
    const measures = measuresOf(this.#search);
    const readings = measures.map(
      (measure): Reading => ({
        measure,
        posterior: posteriorOf(suspects, evidence, { measure, minEffect: options.minEffect }),
      }),
    );
    // Each measure that may decide has its share of the doubt.
    const target = 1 - (1 - options.certainty) / measures.length;
    const claim = (probability: number) => 1 - (1 - probability) * measures.length;
    const isTestable = (commit: number) => !evidence.skipped.has(commit);
    const leads = readings.map((reading) => {
      return { reading, groups: groupsOf(suspects, reading.posterior.one, isTestable) };
    });
    const { reading, groups } = leads.reduce((a, b) =>
      (b.groups[0]?.probability ?? 0) > (a.groups[0]?.probability ?? 0) ? b : a,
    );
    const { posterior } = reading;
    const group = groups[0] as Group; // the bad commit is a suspect
    const likeliest = sureOf(posterior, group.commits);
    if (group.probability >= Math.min(target, LIKELY)) {
      const check = this.#check(group.commits, reading);
      if (likeliest >= target && check === 'checked')
        return { type: 'found', commits: group.commits, certainty: claim(likeliest), reading, readings };
      if (check !== 'checked') return check ?? { type: 'undecided', why: 'builds', reading, readings };
    }
    const equal = readings.find((it) => it.posterior.same >= target && !isContradicted(it, readings));
    if (equal) {
      const certainty = claim(equal.posterior.same);
      return { type: 'no-difference', certainty, reading: equal, readings };
    }
    const several = severalOf(posterior);
    const places = posterior.two.map((two) => groupsOf(suspects, two, isTestable)[0]?.probability ?? 0);
    const isLocated = posterior.spread >= target || sum(places) >= LOCATED;
    const measure =
      several >= target && isLocated ? undefined : this.#measureMore(reading, { groups, target });
    if (measure) return measure;
    if (several >= target) return { type: 'several', certainty: claim(several), reading, readings };
    const isOutOfBuilds = this.#tally.used() >= options.mostBuilds - RESERVED;
    if (posterior.none > RATHER) return { type: 'undecided', why: 'difference', reading, readings };
    const undecided = {
      type: 'undecided',
      why: isOutOfBuilds ? 'builds' : 'pairs',
      reading,
      readings,
    } as const;
    const set = smallestSet(groups, posterior, target);
    if (!set || set.length > Math.min(MOST_NAMED, suspects.parents.length / 3)) return undecided;
    const check = this.#check(set, reading);
    if (check !== 'checked') return check ?? undecided;
    return { type: 'found', commits: set, certainty: claim(sureOf(posterior, set)), reading, readings };
  }

  /** Good and bad, until a first estimate of the noise can be had. A large difference needs no second build of the good one. */
  #firstPairs(): Step | undefined {
    const { evidence } = this.#search;
    const pairs = this.#tally.pairs(this.#bad);
    if (pairs < 2) return this.#plan('difference', [{ commit: this.#bad }], 2 - pairs);
    if (pairs >= FIRST_PAIRS) return undefined;
    const isLarge = measuresOf(this.#search).some((measure) =>
      evidence.pairs.every(({ logRatios }) => Math.abs(logRatios[measure] ?? 0) > LARGE),
    );
    const commits = isLarge ? [this.#bad] : [this.#bad, GOOD];
    return this.#plan(
      'difference',
      commits.map((commit) => ({ commit })),
      FIRST_PAIRS - pairs,
    );
  }

  /** Whether both neighbours of an answer were measured well, and in two builds where a build could make the difference. */
  #check(commits: readonly number[], reading: Reading): Step | 'checked' | undefined {
    const { suspects, evidence, options } = this.#search;
    const { shift, noise } = reading.posterior;
    const ends = neighboursOf(suspects, commits, (commit) => !evidence.skipped.has(commit));
    const tally = this.#tally;
    const isBuiltOnce = Math.abs(shift.mean) > BEYOND_BUILDS;
    const wanted = isBuiltOnce
      ? CHECKED
      : Math.max(CHECKED, Math.min(MOST_CHECKED, Math.ceil(CHECK_SQUARE * (noise / shift.mean) ** 2)));
    const missing = (commit: number) => {
      if (!isBuiltOnce) return wanted - tally.pairsOfSecond(commit);
      return commit === GOOD ? 0 : wanted - tally.pairs(commit);
    };
    const unsure = ends.filter((commit) => missing(commit) > 0);
    if (unsure.length === 0) return 'checked';
    const isNew = (commit: number) => !isBuiltOnce && tally.builds(commit) < (commit === GOOD ? 1 : 2);
    if (tally.used() + unsure.filter(isNew).length > options.mostBuilds) return undefined;
    const others = unsure.length === 1 ? ends.filter((commit) => !unsure.includes(commit)) : [];
    const entries = [
      ...unsure.map((commit) => ({ commit, isNew: isNew(commit) })),
      ...others.filter((commit) => tally.has(commit)).map((commit) => ({ commit })),
    ];
    const rounds = Math.ceil(Math.max(...unsure.map(missing)) / 2);
    return this.#plan('check', entries, rounds, reading);
  }

  #measureMore(
    reading: Reading,
    { groups, target }: { readonly groups: readonly Group[]; readonly target: number },
  ): Step | undefined {
    const { suspects, evidence, options } = this.#search;
    const { posterior } = reading;
    const [bad, tally] = [this.#bad, this.#tally];
    const worth = new Worth(posterior, tally, options);
    const hasBegun = tally.commits().some((commit) => commit !== bad && commit !== GOOD);
    const doubt = posterior.none > (hasBegun || this.#canTell(posterior) ? RATHER : DOUBTFUL);
    if (doubt || posterior.same > RATHER) {
      const step = this.#difference(reading, worth);
      if (step || posterior.none > RATHER) return step;
    }
    // What is sure on average may not be so in a case that is still plausible: then that is the one to ask.
    const [group] = groups;
    const isSure = (group?.probability ?? 0) >= target;
    const one = isSure ? worstCase(posterior, group?.commits ?? []) : posterior.one;
    const masses = isSure ? [one] : [one, ...posterior.two];
    const shares = sharesOf(
      suspects,
      one.map((_, at) => sum(masses.map((mass) => mass[at] ?? 0))),
    );
    const isTestable = (commit: number) => !evidence.skipped.has(commit);
    const doubts = doubtsOf(suspects, masses).filter(([commit]) => commit !== bad && isTestable(commit));
    const inside = worth.best(doubts);
    const corners = [...new Set([GOOD, ...neighboursOf(suspects, group?.commits ?? [], isTestable), bad])];
    const other = 1 - sum(one);
    const outside = worth.best(corners.map((commit) => [commit, other * (1 - other)]));
    const rivals = sum(one) - sum((group?.commits ?? []).map((commit) => one[commit] ?? 0));
    const action = rivals >= other ? (inside ?? outside) : (outside ?? inside);
    if (!action) return undefined;
    if (action === outside) return this.#corners(corners, action, { reading, stride: worth.stride });
    return this.#halve(action, { reading, shares, stride: worth.stride });
  }

  /** Whether the pairs of good and bad are many enough to say what there is to say. */
  #canTell({ shift, noise, builds }: Posterior): boolean {
    const [bad, good] = [this.#tally.pairs(this.#bad), this.#tally.pairs(GOOD)];
    const variance = noise ** 2 * (1 / bad + 1 / Math.max(1, good));
    return (shift.mean ** 2 + shift.error ** 2) / variance > CLEAR_SQUARE || variance < builds ** 2 / 4;
  }

  #difference(reading: Reading, worth: Worth): Step | undefined {
    const { mostPairs } = this.#search.options;
    const { none } = reading.posterior;
    const [bad, tally] = [this.#bad, this.#tally];
    const most = mostPairs === undefined ? MOST_DIFFERENCE : 8 * mostPairs;
    if (tally.pairs(bad) >= most) return undefined;
    const doubt = Math.max(0.05, none * (1 - none));
    const action = worth.best([bad, GOOD].map((commit) => [commit, doubt]));
    if (!action) return undefined;
    const entries = [bad, GOOD].map((commit) => ({ commit, isNew: isNewIn(action, commit) }));
    const growing = Math.max(1, Math.floor(tally.pairs(bad) / 6));
    const rounds = action.isNew ? Math.max(2, worth.stride) : Math.min(growing, worth.stride);
    return this.#plan('difference', entries, rounds, reading);
  }

  /** Both ends and both neighbours of the likeliest commit: where one commit did it, they lie at two levels. */
  #corners(
    corners: readonly number[],
    action: Action,
    { reading, stride }: { readonly reading: Reading; readonly stride: number },
  ): Step {
    const entries = corners
      .filter((commit) => this.#tally.has(commit) || commit === action.commit)
      .map((commit) => ({ commit, isNew: isNewIn(action, commit) }));
    return this.#plan('check', entries, Math.max(2, Math.round(stride / 2)), reading);
  }

  /** A commit, beside one that lies before the change and one after it, in turns where rounds differ little. */
  #halve(
    action: Action,
    given: { readonly reading: Reading; readonly shares: Float64Array; readonly stride: number },
  ): Step {
    const { reading, shares, stride } = given;
    const { commit } = action;
    const entry = { commit, isNew: isNewIn(action, commit) };
    const references = this.#references(commit, shares).map((reference) => ({ commit: reference }));
    const turn = references[this.#tally.round % references.length];
    const isUneven = reading.posterior.rounds > UNEVEN;
    const entries = isUneven || !turn ? [entry, ...references] : [entry, entry, turn];
    const rounds = isUneven || !turn ? stride : Math.ceil(stride / 2);
    return this.#plan('halve', entries, rounds, reading);
  }

  #references(candidate: number, shares: Float64Array): readonly number[] {
    const known = this.#tally.commits().filter((commit) => commit !== candidate && commit !== GOOD);
    const before = known.filter((commit) => (shares[commit] ?? 0) < 0.1);
    const after = known.filter((commit) => (shares[commit] ?? 0) > 0.9);
    return [
      ...(before.length > 0 ? [Math.max(...before)] : this.#tally.has(GOOD) ? [GOOD] : []),
      ...(after.length > 0 ? [Math.min(...after)] : [this.#bad]),
    ];
  }

  #plan(
    why: 'difference' | 'halve' | 'check',
    entries: readonly { readonly commit: number; readonly isNew?: boolean }[],
    rounds: number,
    reading?: Reading,
  ): Step {
    const planned = this.#tally.plan(entries, { rounds, seed: this.#search.seed });
    const commit = entries[0]?.commit ?? this.#bad;
    return { type: 'measure', why, commit, rounds: planned, ...(reading && { reading }) };
  }
}

/** Pairs of good and bad before anything is estimated. */
const FIRST_PAIRS = 6;
/** Where each of the first pairs differs by more, as a logarithm, no build alone did it. */
const LARGE = 0.25;
/** Beyond a difference of this size one build of each neighbour is enough. */
const BEYOND_BUILDS = 0.18;
/** So probable an answer is checked, and then asked again. */
const LIKELY = 0.9;
/** Pairs of the commits on either side of the change before it is called found. */
const CHECKED = 4;
/** The same for the second build of each, in squares of the noise over the difference: three standard errors; and at most. */
const CHECK_SQUARE = 9;
const MOST_CHECKED = 60;
/** That no commit did it: more probable than this, good and bad are measured before others are built; or than this, at all. */
const DOUBTFUL = 0.15;
const RATHER = 0.5;
/** The square of a difference in standard errors: pairs of good and bad that would show it have said what they can. */
const CLEAR_SQUARE = 12;
/** Below this it is ruled out that no commit did it. */
const RULED_OUT = 0.05;
/** Rounds that scatter so much more than pairs: commits are compared within rounds. */
const UNEVEN = 0.3;
/** Pairs of good and bad: at a noise of 7 % a pair they still show 2 % in nine of ten searches. */
const MOST_DIFFERENCE = 256;
/** Where more than one commit did it, the search ends when it is so probable which two. */
const LOCATED = 0.8;
/** More commits than these are no answer. */
const MOST_NAMED = 8;

function isNewIn(action: Action, commit: number): boolean {
  return action.isNew && action.commit === commit;
}

/** Whether another measure says that something differs: then this one, which does not, has not the last word. */
function isContradicted(reading: Reading, readings: readonly Reading[]): boolean {
  return readings.some((it) => it !== reading && it.posterior.none < RULED_OUT);
}

/** The measures that every pair has. */
function measuresOf({ evidence: { pairs } }: Search): readonly string[] {
  const names = Object.keys(pairs[0]?.logRatios ?? {});
  return names.filter((name) => pairs.every(({ logRatios }) => logRatios[name] !== undefined));
}
