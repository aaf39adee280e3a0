import type { Database, Row } from '../session.ts';

const MEASURES = 3;
const AGAIN_MS = 60_000;

/** The time of the server: our clock and how far it is off, measured now and again so that all machines have one time. */
export class ServerClock {
  readonly #database: Database;
  #offset = 0;
  #measuredAt = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  now(): number {
    if (performance.now() - this.#measuredAt > AGAIN_MS) {
      this.#measuredAt = performance.now();
      // A server that is not there is told of by whoever has something to ask.
      this.measure().catch(() => undefined);
    }
    return Date.now() + this.#offset;
  }

  /** The quickest of some answers is the most exact: half of its way is at most how wrong it is. */
  async measure(): Promise<void> {
    let quickest = Number.POSITIVE_INFINITY;
    for (let count = 0; count < MEASURES; count++) {
      const sent = Date.now();
      const start = performance.now();
      const [row] = await this.#database.rows<Row & { ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS ms',
      );
      const took = performance.now() - start;
      if (row === undefined || took >= quickest) continue;
      quickest = took;
      this.#offset = Math.round(row.ms - (sent + took / 2));
    }
    this.#measuredAt = performance.now();
  }
}
