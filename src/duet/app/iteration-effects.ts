import type { Format } from '../../formats/core/format.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';

/** What reading results takes of the world. */
export interface IterationEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly formats: readonly Format[];
  readonly signal: CancelSignal;
}
