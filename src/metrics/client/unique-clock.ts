import type { Timestamp } from '../core/points/points.ts';

/**
 * The present, but never the same moment twice: a second point of a series at the same moment would replace the first.
 * Processes that share their tags begin their milliseconds at different nanoseconds, for the same reason.
 */
export class UniqueClock {
  readonly #offset = (process.pid % 900) * 1_000;
  #ms = 0;
  #ns = 0;

  /** The moment that was given, or the present. */
  moment(given?: bigint | Date): Timestamp {
    if (given instanceof Date) return { ms: Math.trunc(given.getTime()), ns: 0 };
    if (given !== undefined) return toMoment(given);
    const now = Date.now();
    if (now > this.#ms) {
      this.#ms = now;
      this.#ns = this.#offset;
    } else if (++this.#ns === 1_000_000) {
      this.#ms++;
      this.#ns = 0;
    }
    return { ms: this.#ms, ns: this.#ns };
  }
}

function toMoment(nanoseconds: bigint): Timestamp {
  const ns = BigInt.asIntN(64, nanoseconds) % 1_000_000n;
  return { ms: Number((nanoseconds - ns) / 1_000_000n), ns: Number(ns) };
}
