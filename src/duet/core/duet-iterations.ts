import type { Iterations } from '../../formats/core/iterations.ts';
import type { DuetOrder, DuetRunType } from './duet.ts';

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
