import type { Exit } from '../../../../executors/core/executor.ts';
import type { Lane } from './lane.ts';

/** How long commands may take to end by themselves after SIGTERM. */
const GRACE_MS = 1_000;

/** Ends all commands of a call together: SIGTERM, then SIGKILL after the grace time. */
export class Ending {
  readonly #lanes: readonly Lane[];
  readonly #endEscaped: () => number;
  #killer: NodeJS.Timeout | undefined;
  reason: Exit | undefined;

  constructor(lanes: readonly Lane[], escaped: () => number) {
    this.#lanes = lanes;
    this.#endEscaped = escaped;
  }

  begin(reason: Exit): void {
    if (this.reason) return;
    this.reason = reason;
    for (const lane of this.#lanes) lane.signal('SIGTERM');
    this.#killer = setTimeout(() => {
      for (const lane of this.#lanes) lane.signal('SIGKILL');
    }, GRACE_MS);
  }

  /** Nothing is left of commands that were ended, not even what survived the one that started it. */
  async done(): Promise<void> {
    clearTimeout(this.#killer);
    if (!this.reason) return;
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    this.#endEscaped();
  }
}
