import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { LogRecord } from '../../../core/points/point-storage.ts';
import { recordValues, valuesList } from './rows.ts';
import type { WriterSession } from './writer-session.ts';

interface Waiting {
  readonly record: LogRecord;
  readonly resolve: (number: number) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_RECORDS = 1_000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Records that come while an insert is under way go together into the next one: the server writes to its disk once for all of
 * them. The numbers are ours, so an insert that is done again after a lost connection adds nothing twice.
 */
export class AppendQueue {
  readonly #session: WriterSession;
  readonly #table: string;
  readonly #waiting: Waiting[] = [];
  #lastNumber: number;
  #isBusy = false;

  constructor(session: WriterSession, table: string, lastNumber: number) {
    this.#session = session;
    this.#table = table;
    this.#lastNumber = lastNumber;
  }

  append(record: LogRecord): Promise<number> {
    if (record.database.includes('\0')) {
      return Promise.reject(
        new NightmarkError('POINTS_BAD_NAME', 'The name of a database has a NUL character.'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
      if (!this.#isBusy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchSize());
      const first = this.#lastNumber + 1;
      this.#lastNumber += batch.length;
      try {
        await this.#insert(batch, first);
        for (const [at, { resolve }] of batch.entries()) resolve(first + at);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isBusy = false;
  }

  #batchSize(): number {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ record }, at) => {
      bytes += record.body.length;
      return at === MOST_RECORDS || (at > 0 && bytes > MOST_BYTES);
    });
    return end === -1 ? this.#waiting.length : end;
  }

  #insert(batch: readonly Waiting[], first: number): Promise<unknown> {
    const text = `INSERT INTO ${this.#table} VALUES ${valuesList(batch.length, 8)} ON CONFLICT (number) DO NOTHING`;
    const values = batch.flatMap(({ record }, at) => recordValues(first + at, record));
    return this.#session.run((client) => client.query(text, values));
  }
}
