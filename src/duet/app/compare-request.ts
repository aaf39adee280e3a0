import type { Side } from '../../git/core/version-pairs.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { CommandTimer, CounterSupport, TimedCommand } from '../core/command-timer.ts';
import type { PairMode } from '../core/comparison.ts';
import type { DecidingMeasure } from '../core/judge-measures.ts';
import type { CoreHalves, PairCount } from '../core/pair-plan.ts';

export type Argv = readonly [string, ...string[]];

/** One of the two commands with all that belongs to it. */
export interface CommandSide {
  readonly name: string;
  /** For people: as it was typed. */
  readonly command: string;
  readonly argv: Argv;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Once before the first run. */
  readonly setup?: Argv;
  /** Before each run, not measured. */
  readonly prepare?: Argv;
  /** Once after the last run, also after a failure. */
  readonly cleanup?: Argv;
}

export interface CompareRequest {
  readonly sides: Readonly<Record<Side, CommandSide>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly mode: PairMode;
  readonly count: PairCount;
  /** Pairs before the measured ones. */
  readonly warmup: number;
  readonly stop: 'when-decided' | 'never';
  readonly level: number;
  readonly minEffect: number;
  /** Which measure decides; default: auto. */
  readonly measure?: DecidingMeasure;
  /** Where counters are asked for: those that can be read, and why the others cannot. */
  readonly counters?: CounterSupport;
  readonly seed: number;
  readonly ignoreFailure: boolean;
  readonly output: TimedCommand['output'];
  readonly timeoutMs?: number;
  /** Cores of A and B; swapped from pair to pair. */
  readonly cores?: CoreHalves;
  /** The shell of the commands with an empty command, to measure its own share of the time. */
  readonly emptyShell?: Argv;
  /** What is known of the machine or of the options before the first run. */
  readonly notes: readonly string[];
}

export interface CompareEffects {
  readonly timer: CommandTimer;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  readonly notify: (event: CompareEvent) => void;
  /** Measures noise now, and again when the returned function is called: notes on what disturbed in between. */
  readonly watchNoise?: () => Promise<() => Promise<readonly string[]>>;
}

export type CompareEvent =
  | { readonly type: 'warming-up'; readonly done: number; readonly of: number }
  /** A run of one side alone has no ratio. */
  | {
      readonly type: 'measured';
      readonly done: number;
      readonly planned: number;
      readonly logRatio?: number;
    };
