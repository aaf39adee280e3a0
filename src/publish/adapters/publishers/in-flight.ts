/** A limited number of concurrent tasks; after the first failure no further one starts. */
export class InFlight {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when there is room for the next one. */
  async start(work: () => Promise<void>): Promise<void> {
    this.#throwFailure();
    const task = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
    if (this.#running.size >= this.#limit) await Promise.race(this.#running);
  }

  /** Resolves when all are done, and none failed. */
  async drain(): Promise<void> {
    await this.end();
    this.#throwFailure();
  }

  /** Resolves when all have ended, failed or not. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
