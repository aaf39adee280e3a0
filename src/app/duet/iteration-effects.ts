import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Format } from '../../core/ports/format.ts';
import type { CancelSignal } from '../../core/signal.ts';

/** What reading results takes of the world. */
export interface IterationEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly formats: readonly Format[];
  readonly signal: CancelSignal;
}
