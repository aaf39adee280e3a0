import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { CancelSignal } from '../../core/signal.ts';
import type { JsonValue } from '../../core/text/json.ts';

/** What reading a tree of results needs of the world. */
export interface MatrixEffects {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly signal: CancelSignal;
  /** Throws a NightmarkError that says line and column. */
  parseYaml(text: string): JsonValue;
}
