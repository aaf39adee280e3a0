import type { DuetOrder, DuetRunType } from '../../duet/core/duet.ts';

/**
 * Iterations of one side of one run, as columns, in the order of their starts. Times are nanoseconds after `originNs` of
 * the run: whole numbers below 2^53, so nothing of a nanosecond is lost although time since 1970 no longer fits a double.
 */
export interface Iterations {
  /** The harness's own numbers. */
  readonly numbers: Int32Array;
  /** Absent where the harness does not tell when an iteration began; pairing is then by number. */
  readonly starts?: Float64Array;
  readonly ends?: Float64Array;
  readonly times: Float64Array;
}

/** One run of one benchmark: both sides, or what there is of them. */
export interface DuetIterations {
  /** Where it ran: the label under which runs are compared (host name, or the folder). Never dropped when unknown. */
  readonly environment: string;
  readonly suite: string;
  readonly benchmark: string;
  readonly type: DuetRunType;
  readonly runid: number;
  readonly order: DuetOrder | 'None';
  /** Nanoseconds since 1970 of the moment that `starts` and `ends` count from. */
  readonly originNs: bigint;
  readonly A?: Iterations;
  readonly B?: Iterations;
}
