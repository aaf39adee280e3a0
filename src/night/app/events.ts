import type { StageName } from '../../home/core/home.ts';
import type { PointResult } from '../../home/core/journal.ts';
import type { Run, StageResult, Trial } from '../../home/core/run.ts';

/** What a night tells while it goes on; terminals, logs and pages show it each in their way. */
export type NightEvent =
  | {
      readonly type: 'night-started';
      readonly run: Run;
      readonly isResumed: boolean;
      readonly stages: number;
    }
  | {
      readonly type: 'stage-started';
      readonly kind: Trial['kind'];
      readonly task: string;
      readonly stage: StageName;
      readonly at: number;
    }
  | { readonly type: 'stage-finished'; readonly result: StageResult }
  | {
      readonly type: 'point-finished';
      readonly result: PointResult;
      readonly done: number;
      readonly total: number;
      readonly remainingMs?: number;
    }
  | { readonly type: 'step'; readonly text: string }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'night-ended'; readonly run: Run; readonly trials: readonly Trial[] };
