import type { Side } from '../../git/core/version-pairs.ts';
import type { PlannedRun } from '../core/duet.ts';
import type { DuetRunProblem, DuetRunRecord } from '../core/duet-journal.ts';

/** What a run of duet.yml files tells while it goes on. `name` is that of the suite. */
export type DuetRunEvent =
  | { readonly type: 'refused'; readonly file: string; readonly reason: string }
  | {
      readonly type: 'file-started';
      readonly name: string;
      readonly path: string;
      readonly seed: number;
      /** Absent when no side has an image. */
      readonly engine?: string;
      readonly filter: readonly string[];
      readonly excluded: number;
      readonly plan: readonly PlannedRun[];
      /** How many of the plan an earlier start has done. */
      readonly done: number;
    }
  | { readonly type: 'artifacts'; readonly name: string }
  | {
      readonly type: 'run-started';
      readonly name: string;
      readonly run: PlannedRun;
      readonly index: number;
      readonly total: number;
      readonly at: number;
      /** Absent while nothing is known to go by. */
      readonly leftMs?: number;
    }
  | {
      readonly type: 'step';
      readonly name: string;
      readonly run: PlannedRun;
      readonly step: 'RUN' | 'STOP' | 'GET' | 'RESULTS' | 'CLEANUP';
    }
  | { readonly type: 'output'; readonly name: string; readonly side: Side; readonly text: string }
  | {
      readonly type: 'run-problem';
      readonly name: string;
      readonly run: PlannedRun;
      readonly problem: DuetRunProblem;
    }
  | { readonly type: 'run-ended'; readonly name: string; readonly record: DuetRunRecord }
  | { readonly type: 'note' | 'warning'; readonly name: string; readonly text: string };

/** How logs and summaries call a run: duet.fop.0. */
export function runLabel({ type, benchmark, runid }: PlannedRun): string {
  return `${type}.${benchmark}.${runid}`;
}
