import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Disk } from '../../platform/core/disk.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';

/** What reading a tree of results needs of the world. */
export interface MatrixEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** Throws a NightmarkError that says line and column. */
  parseYaml(text: string): JsonValue;
}
