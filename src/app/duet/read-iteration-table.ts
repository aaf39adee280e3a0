import type { DuetIterations } from '../../core/model/iterations.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Format } from '../../core/ports/format.ts';
import type { CancelSignal } from '../../core/signal.ts';

export interface IterationEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly formats: readonly Format[];
  readonly signal: CancelSignal;
}

export interface IterationTable {
  /** In the order in which they were met. Runs of different folders are different runs, also under one runid. */
  readonly runs: readonly DuetIterations[];
  /** What could not be read, with file and line; counted where there is much of it. */
  readonly notes: readonly string[];
}

/** Reads iterations of a table (`duet process`, or the original's) or straight from a folder of results. */
export async function readIterationTable(_path: string, _effects: IterationEffects): Promise<IterationTable> {
  return { runs: [], notes: [] };
}
