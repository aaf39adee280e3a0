import type { CommandTimer } from '../../duet/core/command-timer.ts';
import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import type { Version } from '../../git/core/version-pairs.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { Judgement } from '../../stats/verdict.ts';
import { type BisectMetric, judgedIn, type MetricRequest } from '../core/bisect-metric.ts';
import type { BisectEvent } from '../core/bisect-plan.ts';
import { type Conclusion, conclude } from '../core/conclusion.ts';
import { judgeDifference, nextStep, type Step } from '../core/next-step.ts';
import { estimateRemaining, type Remaining } from '../core/posterior.ts';
import {
  badOf,
  type Evidence,
  type MeasuredPair,
  ratiosByCommit,
  type Search,
  type SearchOptions,
  type Suspects,
} from '../core/search.ts';
import type { BisectJournal } from './bisect-journal.ts';
import { type MeasuredSide, resolveMetric } from './choose-metric.ts';
import { CommitPairs, interrupted, type PairSettings } from './commit-pairs.ts';

export interface BisectRequest {
  readonly range: CommitRange;
  readonly options: SearchOptions;
  readonly settings: PairSettings;
  readonly journal: BisectJournal;
  /** Only whether good and bad differ. */
  readonly onlyDifference?: boolean;
}

export interface BisectEffects {
  readonly timer: CommandTimer;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** The command of a commit: checked out, built and set up. Throws a NightmarkError where that fails. */
  sideAt(version: Version): Promise<MeasuredSide>;
  report(progress: BisectProgress): void;
}

export type BisectProgress =
  | { readonly type: 'preparing'; readonly version: Version }
  | { readonly type: 'comparing'; readonly metric: BisectMetric; readonly note?: string }
  | { readonly type: 'skipped'; readonly version: Version; readonly reason: string }
  | {
      readonly type: 'measuring';
      readonly version: Version;
      readonly step: Extract<Step, { type: 'measure' }>;
      readonly remaining?: Remaining & { readonly ms: number };
    };

export interface SkippedCommit {
  readonly commit: RangeCommit;
  readonly reason: string;
}

/** How much was done, in this process and in those before it. */
export interface BisectCost {
  readonly pairs: number;
  readonly measured: number;
  readonly ms: number;
  readonly skipped: readonly SkippedCommit[];
}

export type BisectOutcome = BisectCost & { readonly metric: BisectMetric } & (
    | ({ readonly state: 'found' } & Conclusion)
    | { readonly state: 'no-difference' | 'difference'; readonly judgement: Judgement }
  );

/** Measures pairs until it is sure enough which commit did it. */
export async function bisectCommits(request: BisectRequest, effects: BisectEffects): Promise<BisectOutcome> {
  const session = await effects.timer.open(2);
  try {
    const search = new Searcher(request, effects);
    const good = await search.prepare(request.range.good).catch((error) => {
      throw failedEnd('good', error, effects.signal);
    });
    const pairs = new CommitPairs(good, request.settings, { session, signal: effects.signal });
    await pairs.checkGood();
    await search.resolveMetric(good);
    for (;;) {
      if (effects.signal.aborted) throw interrupted();
      const step = nextStep(search.state());
      const isOver = step.type !== 'measure' || (request.onlyDifference && step.why !== 'difference');
      if (!isOver && step.type === 'measure') await search.measure(step, pairs);
      else return search.end(step);
    }
  } finally {
    await session.close();
  }
}

/** What the user can choose otherwise; the commit is not to blame. */
const METRIC_CODES: ReadonlySet<string> = new Set(['BISECT_NO_METRIC', 'BISECT_WHICH_METRIC']);

/** One search: its state is in the journal, and the next step follows from it. */
class Searcher {
  readonly #request: BisectRequest;
  readonly #effects: BisectEffects;
  readonly #suspects: Suspects;
  readonly #numbers: ReadonlyMap<string, number>;
  /** Commits that were warmed up by this process. */
  readonly #warm = new Set<number>();

  constructor(request: BisectRequest, effects: BisectEffects) {
    this.#request = request;
    this.#effects = effects;
    this.#suspects = suspectsOf(request.range);
    this.#numbers = new Map(request.range.commits.map(({ commit }, index) => [commit, index]));
  }

  state(): Search {
    const pairs: MeasuredPair[] = [];
    const skipped = new Set<number>();
    for (const event of this.#request.journal.events) {
      if (event.type !== 'pair' && event.type !== 'skip') continue;
      const commit = this.#numbers.get(event.commit);
      if (commit === undefined) continue;
      if (event.type === 'pair') pairs.push({ commit, logRatio: Math.log(event.value / event.good) });
      else skipped.add(commit);
    }
    const { mode, cores } = this.#request.settings;
    const doSidesChangePlaces = cores !== undefined || mode === 'alternate';
    const evidence: Evidence = { pairs, skipped, doSidesChangePlaces };
    return { suspects: this.#suspects, evidence, options: this.#request.options };
  }

  get #metric(): BisectMetric {
    const resolved = this.#request.journal.events.find((event) => event.type === 'metric');
    return resolved?.type === 'metric' ? resolved.metric : { type: 'wall' };
  }

  /** Decides what is compared, once for all: a search that goes on compares the same. */
  async resolveMetric(good: MeasuredSide): Promise<void> {
    const { journal } = this.#request;
    const { signal, report } = this.#effects;
    if (journal.events.some(({ type }) => type === 'metric')) return;
    const { work } = journal.plan;
    const request: MetricRequest = work.type === 'experiment' ? work.metric : { type: 'wall' };
    const resolved = await resolveMetric(request, good.results).catch((error) => {
      const isChoice = error instanceof NightmarkError && METRIC_CODES.has(error.code);
      throw isChoice ? error : failedEnd('good', error, signal);
    });
    this.#record({ type: 'metric', ...resolved });
    report({ type: 'comparing', ...resolved });
  }

  async prepare(version: Version): Promise<MeasuredSide> {
    const { clock, report, signal } = this.#effects;
    report({ type: 'preparing', version });
    const began = clock.micros();
    const side = await this.#effects.sideAt(version);
    if (signal.aborted) throw interrupted();
    this.#record({ type: 'prepared', commit: version.commit, ms: (clock.micros() - began) / 1e3 });
    return side;
  }

  async measure(step: Extract<Step, { type: 'measure' }>, pairs: CommitPairs): Promise<void> {
    const version = this.#commit(step.commit);
    let side: MeasuredSide;
    try {
      side = await this.prepare(version);
    } catch (error) {
      if (this.#effects.signal.aborted || !(error instanceof NightmarkError)) throw error;
      return this.#skip(step.commit, messageOf(error));
    }
    this.#reportStep(step, version);
    if (!this.#warm.has(step.commit)) {
      const first = await pairs.measure(side, { commit: step.commit, number: 0, metric: this.#metric });
      if (first.state === 'failed') return this.#skip(step.commit, first.reason);
      this.#warm.add(step.commit);
    }
    const before = this.state().evidence.pairs.filter(({ commit }) => commit === step.commit).length;
    for (let pair = 0; pair < step.pairs; pair++) {
      const began = this.#effects.clock.micros();
      const place = { commit: step.commit, number: before + pair, metric: this.#metric };
      const found = await pairs.measure(side, place);
      if (found.state === 'failed') return this.#skip(step.commit, found.reason);
      const { order, good, value } = found;
      const ms = (this.#effects.clock.micros() - began) / 1e3;
      this.#record({ type: 'pair', commit: version.commit, order, good, value, ms });
    }
  }

  end(step: Step): BisectOutcome {
    const cost = { ...this.#cost(), metric: this.#metric };
    // A single suspect is found as soon as it differs.
    const isAsked = this.#request.onlyDifference && step.type === 'found';
    if (step.type === 'measure' || isAsked)
      return { state: 'difference', judgement: this.#difference(), ...cost };
    this.#record({ type: 'end', at: this.#effects.clock.now(), state: step.type });
    if (step.type === 'no-difference') return { state: step.type, judgement: step.judgement, ...cost };
    return { state: 'found', ...conclude(this.state(), step), ...cost };
  }

  /** What the pairs of good and bad say. */
  #difference(): Judgement {
    const { suspects, evidence, options } = this.state();
    const ratios = ratiosByCommit(evidence).get(badOf(suspects)) ?? [];
    const found = judgeDifference(ratios, options, evidence.doSidesChangePlaces);
    if (found.state !== 'open') return judgedIn(this.#metric, found.judgement);
    throw new NightmarkError('BISECT_BAD_STATE', 'The duet ended before its first look.');
  }

  #reportStep(step: Extract<Step, { type: 'measure' }>, version: Version): void {
    const { options } = this.#request;
    const remaining = step.posterior && estimateRemaining(step.posterior, options);
    const mean = (type: 'pair' | 'prepared') => {
      const list = this.#request.journal.events.flatMap((event) => (event.type === type ? [event.ms] : []));
      return list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / list.length;
    };
    const ms = remaining && remaining.pairs * mean('pair') + remaining.commits * mean('prepared');
    this.#effects.report({
      ...{ type: 'measuring', version, step },
      ...(remaining && ms !== undefined && { remaining: { ...remaining, ms } }),
    });
  }

  #skip(commit: number, reason: string): void {
    const version = this.#commit(commit);
    if (commit === this.#suspects.parents.length - 1) throw failedEnd('bad', reason, this.#effects.signal);
    this.#record({ type: 'skip', commit: version.commit, reason });
    this.#effects.report({ type: 'skipped', version, reason });
  }

  #commit(index: number): RangeCommit {
    return this.#request.range.commits[index] as RangeCommit; // steps name commits of the range
  }

  #cost(): BisectCost {
    const { events } = this.#request.journal;
    const pairs = events.filter(({ type }) => type === 'pair');
    const reasons = new Map(events.flatMap((it) => (it.type === 'skip' ? [[it.commit, it.reason]] : [])));
    return {
      pairs: pairs.length,
      measured: new Set(pairs.map((it) => (it.type === 'pair' ? it.commit : ''))).size,
      ms: events.reduce((sum, event) => sum + ('ms' in event ? event.ms : 0), 0),
      skipped: this.#request.range.commits.flatMap((commit) => {
        const reason = reasons.get(commit.commit);
        return reason === undefined ? [] : [{ commit, reason }];
      }),
    };
  }

  #record(event: BisectEvent): void {
    this.#request.journal.record(event);
  }
}

function failedEnd(which: 'good' | 'bad', failure: unknown, signal: CancelSignal): unknown {
  if (signal.aborted || (typeof failure !== 'string' && !(failure instanceof NightmarkError))) return failure;
  return new NightmarkError(
    which === 'good' ? 'BISECT_GOOD_FAILED' : 'BISECT_BAD_FAILED',
    `The ${which} commit cannot be measured: ${typeof failure === 'string' ? failure : failure.message}`,
    { hint: `Name another ${which} commit, or fix the build or the command.` },
  );
}

/** The suspects in the form that the mathematics takes. */
function suspectsOf({ commits }: CommitRange): Suspects {
  const at = new Map(commits.map(({ commit }, index) => [commit, index]));
  const known = (hash: string) => {
    const index = at.get(hash);
    return index === undefined ? [] : [index];
  };
  return {
    parents: commits.map(({ parents }) => parents.flatMap(known)),
    weights: commits.map(({ isLikely }) => (isLikely ? LIKELY : 1)),
  };
}

/** A commit that touches a likely path weighs as much as ten others. */
const LIKELY = 10;
