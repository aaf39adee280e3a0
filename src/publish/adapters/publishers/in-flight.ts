/** Works that go on at the same time, a few at once; the first failure stops all that come after. */
export class InFlight {
  readonly #limit: number;
  readonly #underWay = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Resolves when there is room for the next one. */
  async start(work: () => Promise<void>): Promise<void> {
    this.#refuseFailed();
    const running = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underWay.delete(running));
    this.#underWay.add(running);
    if (this.#underWay.size >= this.#limit) await Promise.race(this.#underWay);
  }

  /** Resolves when all are done, and none failed. */
  async settle(): Promise<void> {
    await this.end();
    this.#refuseFailed();
  }

  /** Resolves when all have ended, in whatever way. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #refuseFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
