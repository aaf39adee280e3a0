import type { CommandTimer } from '../../duet/core/command-timer.ts';
import type { CommitRange, RangeCommit } from '../../git/core/commit-history.ts';
import type { Version } from '../../git/core/version-pairs.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Judgement } from '../../stats/verdict.ts';
import type { Conclusion } from '../core/conclusion.ts';
import type { BisectMetric } from '../core/metric.ts';
import { nextStep, type Step } from '../core/next-step.ts';
import type { Remaining } from '../core/remaining.ts';
import type { SearchOptions } from '../core/search.ts';
import type { BisectBook } from './bisect-book.ts';
import { CommitPairs, interrupted, type PairSettings } from './commit-pairs.ts';
import type { MeasuredSide } from './measured-side.ts';
import { failedEnd, Searcher } from './searcher.ts';

export interface BisectRequest {
  readonly range: CommitRange;
  readonly options: SearchOptions;
  readonly settings: PairSettings;
  readonly book: BisectBook;
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
    await search.settle(good);
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
