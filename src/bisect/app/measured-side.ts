import type { CommandSide } from '../../duet/app/compare-request.ts';
import type { SeriesValue } from '../../formats/core/sample.ts';

/** A commit made ready, and what its runs report. */
export interface MeasuredSide extends CommandSide {
  /** Absent: there is nothing but the time of the command. */
  readonly results?: RunResults;
}

/** The results of the newest run of one commit. */
export interface RunResults {
  /** Before each run: what an older one left must not be taken for its own. */
  clear(): Promise<void>;
  /** All values, as a night would store them. Throws a NightmarkError where there is none that can be read. */
  read(): Promise<readonly SeriesValue[]>;
}
