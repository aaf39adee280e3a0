import type { CommandTimer } from '../../duet/core/command-timer.ts';
import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import type { Version } from '../../git/core/version-pairs.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { BisectMetric, MetricRequest } from '../core/bisect-metric.ts';
import type { BisectEvent } from '../core/bisect-plan.ts';
import { recordedPairs, VALUE, WALL } from '../core/evidence.ts';
import { GOOD, type Search, type SearchOptions, type Suspects } from '../core/search.ts';
import type { Visit } from '../core/tally.ts';
import type { BisectJournal } from './bisect-journal.ts';
import { type MeasuredSide, resolveMetric } from './choose-metric.ts';
import { CommitPairs, interrupted, type PairSettings } from './commit-pairs.ts';

export interface BisectRequest {
  readonly range: CommitRange;
  readonly options: SearchOptions;
  readonly settings: PairSettings;
  readonly journal: BisectJournal;
}

export interface BisectEffects {
  readonly timer: CommandTimer;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** The command of a commit: checked out, built and set up, once for each number. Throws a NightmarkError where that fails. */
  sideAt(version: Version, build: number): Promise<MeasuredSide>;
  /** Whether that build is there. */
  hasBuild(version: Version, build: number): boolean;
  report(progress: BisectProgress): void;
}

export type BisectProgress =
  | { readonly type: 'building'; readonly version: Version; readonly build: number }
  | { readonly type: 'comparing'; readonly metric: BisectMetric; readonly note?: string }
  | { readonly type: 'skipped'; readonly version: Version; readonly reason: string }
  | { readonly type: 'measuring'; readonly version: Version; readonly text: MeasuringText };

/** What is measured and why; the likeliest commit, and what is probably left. */
export interface MeasuringText {
  readonly why: 'difference' | 'halve' | 'check';
  readonly pairs: number;
  readonly likeliest?: number;
  readonly remaining?: { readonly commits: number; readonly pairs: number; readonly ms: number };
}

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

/** What the user can choose otherwise; the commit is not to blame. */
const METRIC_CODES: ReadonlySet<string> = new Set(['BISECT_NO_METRIC', 'BISECT_WHICH_METRIC']);

/** Runs `search` with the good commit made ready. */
export async function withSearcher<T>(
  request: BisectRequest,
  effects: BisectEffects,
  search: (searcher: Searcher) => Promise<T>,
): Promise<T> {
  const session = await effects.timer.open(2);
  try {
    const searcher = new Searcher(request, effects);
    const good = await searcher.prepareGood();
    const pairs = new CommitPairs(good, request.settings, { session, signal: effects.signal });
    await pairs.checkGood();
    await searcher.begin(good, pairs);
    return await search(searcher);
  } finally {
    await session.close();
  }
}

/** One search: its state is in the journal, and what to do next follows from it. */
export class Searcher {
  readonly #request: BisectRequest;
  readonly #effects: BisectEffects;
  readonly #suspects: Suspects;
  readonly #numbers: ReadonlyMap<string, number>;
  /** The build of the good commit that all others are compared with. */
  readonly #goodBuild: number;
  /** Builds that were warmed up by this process. */
  readonly #warm = new Set<string>();
  #pairs: CommitPairs | undefined;

  constructor(request: BisectRequest, effects: BisectEffects) {
    this.#request = request;
    this.#effects = effects;
    this.#suspects = suspectsOf(request.range);
    this.#numbers = new Map(request.range.commits.map(({ commit }, index) => [commit, index]));
    this.#goodBuild = this.#firstGoodBuild();
  }

  get metric(): BisectMetric {
    const resolved = this.#events.find((event) => event.type === 'metric');
    return resolved?.type === 'metric' ? resolved.metric : { type: 'wall' };
  }

  state(): Search {
    const { journal, options, settings, range } = this.#request;
    const wanted = journal.plan.measure;
    const recorded = recordedPairs(this.#events, {
      ...{ numbers: this.#numbers, good: range.good.commit },
      primary: this.metric.type === 'wall' ? WALL : VALUE,
      ...(wanted !== undefined && { wanted }),
    });
    const builds = new Map(
      recorded.pairs.map(({ commit, build }) => [`${commit} ${build}`, { commit, build }]),
    );
    const lost = new Set<string>();
    for (const [key, { commit, build }] of builds)
      if (!this.#effects.hasBuild(this.#version(commit), build)) lost.add(key);
    const [pairMs, buildMs] = [this.mean('pair'), this.mean('prepared')];
    const buildCost =
      pairMs > 0 && buildMs > 0 ? Math.min(MOST_COST, Math.max(1, buildMs / pairMs)) : undefined;
    return {
      suspects: this.#suspects,
      evidence: { ...recorded, lost },
      options: { ...options, ...(buildCost !== undefined && { buildCost }) },
      seed: settings.seed,
    };
  }

  /** Mean of the milliseconds that something took. */
  mean(type: 'pair' | 'prepared'): number {
    const list = this.#events.flatMap((event) => (event.type === type ? [event.ms] : []));
    return list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / list.length;
  }

  async prepareGood(): Promise<MeasuredSide> {
    try {
      return await this.#prepare(this.#request.range.good, this.#goodBuild);
    } catch (error) {
      throw failedEnd('good', error, this.#effects.signal);
    }
  }

  /** Decides what is compared, once for all: a search that goes on compares the same. */
  async begin(good: MeasuredSide, pairs: CommitPairs): Promise<void> {
    this.#pairs = pairs;
    const { signal, report } = this.#effects;
    if (this.#events.some(({ type }) => type === 'metric')) return;
    const { work } = this.#request.journal.plan;
    const request: MetricRequest = work.type === 'experiment' ? work.metric : { type: 'wall' };
    const resolved = await resolveMetric(request, good.results).catch((error) => {
      const isChoice = error instanceof NightmarkError && METRIC_CODES.has(error.code);
      throw isChoice ? error : failedEnd('good', error, signal);
    });
    this.record({ type: 'metric', ...resolved });
    report({ type: 'comparing', ...resolved });
  }

  /** Measures rounds, pair by pair; a commit that cannot be measured is skipped. */
  async measure(rounds: readonly (readonly Visit[])[]): Promise<void> {
    const first = this.#events.reduce((round, it) => Math.max(round, nextRound(it)), 0);
    for (const [at, visits] of rounds.entries())
      for (const visit of visits) {
        if (this.#effects.signal.aborted) throw interrupted();
        const failure = await this.#visit(visit, first + at);
        if (failure !== undefined) this.#skip(visit.commit, failure);
        if (failure !== undefined) return;
      }
  }

  report(progress: { readonly commit: number; readonly text: MeasuringText }): void {
    this.#effects.report({ type: 'measuring', version: this.#version(progress.commit), text: progress.text });
  }

  record(event: BisectEvent): void {
    this.#request.journal.record(event);
  }

  now(): number {
    return this.#effects.clock.now();
  }

  cost(): BisectCost {
    const events = this.#events;
    const pairs = events.filter(({ type }) => type === 'pair');
    const reasons = new Map(events.flatMap((it) => (it.type === 'skip' ? [[it.commit, it.reason]] : [])));
    const { commits } = this.#request.range;
    return {
      pairs: pairs.length,
      measured: new Set(pairs.map((it) => (it.type === 'pair' ? it.commit : ''))).size,
      ms: events.reduce((sum, event) => sum + ('ms' in event ? event.ms : 0), 0),
      skipped: commits.flatMap((commit) => {
        const reason = reasons.get(commit.commit);
        return reason === undefined ? [] : [{ commit, reason }];
      }),
    };
  }

  /** Measures one pair; why that cannot be done, otherwise. */
  async #visit({ commit, build }: Visit, round: number): Promise<string | undefined> {
    const pairs = this.#pairs;
    if (!pairs) throw new NightmarkError('BISECT_BAD_STATE', 'The search has not begun.');
    const version = this.#version(commit);
    let side: MeasuredSide;
    try {
      side = await this.#prepare(version, build);
    } catch (error) {
      if (this.#effects.signal.aborted || !(error instanceof NightmarkError)) throw error;
      return messageOf(error);
    }
    const place = { commit, build, metric: this.metric };
    const key = `${commit} ${build}`;
    if (!this.#warm.has(key)) {
      const first = await pairs.measure(side, { ...place, number: 0 });
      if (first.state === 'failed') return first.reason;
      this.#warm.add(key);
    }
    const number = this.#events.filter(
      (it) => it.type === 'pair' && it.commit === version.commit && (it.build ?? 0) === build,
    ).length;
    const began = this.#effects.clock.micros();
    const found = await pairs.measure(side, { ...place, number });
    if (found.state === 'failed') return found.reason;
    const { order, good, value, measures } = found;
    const ms = (this.#effects.clock.micros() - began) / 1e3;
    const where = { commit: version.commit, build, goodBuild: this.#goodBuild, round, order };
    this.record({ type: 'pair', ...where, good, value, measures, ms });
    return undefined;
  }

  async #prepare(version: Version, build: number): Promise<MeasuredSide> {
    const { clock, report, signal, hasBuild, sideAt } = this.#effects;
    const isThere = hasBuild(version, build);
    if (!isThere) report({ type: 'building', version, build });
    const began = clock.micros();
    const side = await sideAt(version, build);
    if (signal.aborted) throw interrupted();
    const ms = (clock.micros() - began) / 1e3;
    if (!isThere) this.record({ type: 'prepared', commit: version.commit, build, ms });
    return side;
  }

  #skip(commit: number, reason: string): void {
    const version = this.#version(commit);
    if (commit === GOOD) throw failedEnd('good', reason, this.#effects.signal);
    if (commit === this.#suspects.parents.length - 1) throw failedEnd('bad', reason, this.#effects.signal);
    this.record({ type: 'skip', commit: version.commit, reason });
    this.#effects.report({ type: 'skipped', version, reason });
  }

  /** The one of before, where it is still there. */
  #firstGoodBuild(): number {
    const { good } = this.#request.range;
    let [last, highest] = [0, -1];
    for (const event of this.#events) {
      if (event.type !== 'pair') continue;
      last = event.goodBuild ?? 0;
      highest = Math.max(highest, last, event.commit === good.commit ? (event.build ?? 0) : 0);
    }
    return highest < 0 || this.#effects.hasBuild(good, last) ? last : highest + 1;
  }

  #version(commit: number): Version {
    const { range } = this.#request;
    return commit === GOOD ? range.good : (range.commits[commit] as RangeCommit); // steps name commits of the range
  }

  get #events(): readonly BisectEvent[] {
    return this.#request.journal.events;
  }
}

/** A build is worth at most so many pairs: longer ones are made all the same where nothing else helps. */
const MOST_COST = 100;

function nextRound(event: BisectEvent): number {
  return event.type === 'pair' ? (event.round ?? 0) + 1 : 0;
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
