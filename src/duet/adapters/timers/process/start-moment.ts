/** Long enough that both lanes have read their line, short enough not to be felt. */
const FIRST_MARGIN_US = 300;
const LEAST_MARGIN_US = 150;
const MOST_MARGIN_US = 800;
const LATE_US = 100;
/** These two balance where one start in five is late: waiting for the last of them would cost more than they do. */
const WHEN_LATE = 1.2;
const WHEN_IN_TIME = 0.95;

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
      ? Math.min(MOST_MARGIN_US, this.#marginUs * WHEN_LATE)
      : Math.max(LEAST_MARGIN_US, this.#marginUs * WHEN_IN_TIME);
  }
}
