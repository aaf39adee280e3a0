/** Long enough that both lanes have read their line, short enough not to be felt. */
const FIRST_MARGIN_US = 400;
const LEAST_MARGIN_US = 200;
const MOST_MARGIN_US = 2_000;
const LATE_US = 50;

/** The moment at which lanes start together: a little ahead, and further when they were late the last time. */
export class StartMoment {
  #marginUs = FIRST_MARGIN_US;
  /** Date.now() cuts off at milliseconds; the largest difference seen is next to the truth. */
  #offsetMs = Number.NEGATIVE_INFINITY;

  next(): number {
    const wall = Date.now();
    const running = performance.now();
    this.#offsetMs = Math.max(this.#offsetMs, wall - running);
    // A clock that was set back must not make the lanes wait for the old time.
    const nowMs = Math.min(running + this.#offsetMs, wall + 1);
    return Math.round(nowMs * 1000 + this.#marginUs);
  }

  learn(momentUs: number, startsUs: readonly number[]): void {
    const isLate = startsUs.some((start) => start - momentUs > LATE_US);
    this.#marginUs = isLate
      ? Math.min(MOST_MARGIN_US, this.#marginUs * 1.5)
      : Math.max(LEAST_MARGIN_US, this.#marginUs * 0.98);
  }
}
