/** Wrong tokens from one address in one window; more are not even looked at. */
const MOST_FAILURES = 60;
const WINDOW_MS = 60_000;
/** Addresses that are remembered: who has many cannot fill the memory. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  readonly since: number;
}

/** Slows down whoever tries tokens one after the other. */
export class FailureLimit {
  readonly #byAddress = new Map<string, Failures>();

  /** Seconds until tokens from this address are looked at again; 0: now. */
  waitSeconds(address: string, now: number): number {
    const failures = this.#byAddress.get(address);
    if (failures === undefined || failures.count < MOST_FAILURES) return 0;
    const left = failures.since + WINDOW_MS - now;
    if (left > 0) return Math.ceil(left / 1000);
    this.#byAddress.delete(address);
    return 0;
  }

  count(address: string, now: number): void {
    const before = this.#byAddress.get(address);
    if (before !== undefined && before.since + WINDOW_MS > now) {
      before.count++;
      return;
    }
    this.#byAddress.delete(address);
    // Maps keep the order of insertion: the first one is the oldest.
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size >= MOST_ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest);
    this.#byAddress.set(address, { count: 1, since: now });
  }
}
