import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Pending, Told } from '../../core/notices/told.ts';

/** What did not arrive, for those who look later. */
export interface NotifyProblem {
  readonly at: number;
  readonly destination: string;
  readonly message: string;
}

/** What one destination was told, and what it is still to be told. */
export interface DestinationBook {
  readonly told: Map<string, Told>;
  pending: readonly Pending[];
}

const MOST_TOLD = 3000;
const MOST_PROBLEMS = 20;

/** The memory of notices: one small file of the home, written whole after every message. */
export class NoticeBook {
  readonly #file: string;
  readonly #disk: Disk;
  readonly #destinations = new Map<string, DestinationBook>();
  #problems: NotifyProblem[] = [];
  #saving: Promise<void> = Promise.resolve();

  private constructor(home: string, disk: Disk) {
    this.#file = homeLayout(home).notices;
    this.#disk = disk;
  }

  /** A file that cannot be read is begun anew, and told. */
  static async open(
    home: string,
    disk: Disk,
  ): Promise<{ readonly book: NoticeBook; readonly note?: string }> {
    const book = new NoticeBook(home, disk);
    const text = await disk.readText(book.#file);
    if (text === undefined) return { book };
    try {
      book.#read(JSON.parse(text) as JsonValue);
      return { book };
    } catch (error) {
      const note = `${book.#file} cannot be read (${messageOf(error)}): what was told before is forgotten.`;
      return { book: new NoticeBook(home, disk), note };
    }
  }

  of(destination: string): DestinationBook {
    const known = this.#destinations.get(destination);
    if (known) return known;
    const fresh: DestinationBook = { told: new Map(), pending: [] };
    this.#destinations.set(destination, fresh);
    return fresh;
  }

  /** A destination that is in no definition any more waits for nothing. */
  keepOnly(destinations: ReadonlySet<string>): void {
    for (const name of this.#destinations.keys()) {
      if (!destinations.has(name)) this.#destinations.delete(name);
    }
  }

  addProblem(problem: NotifyProblem): void {
    this.#problems = [...this.#problems, problem].slice(-MOST_PROBLEMS);
  }

  get isEverythingTold(): boolean {
    return [...this.#destinations.values()].every(({ pending }) => pending.length === 0);
  }

  get problems(): readonly NotifyProblem[] {
    return this.#problems;
  }

  /** One write after the other: destinations work side by side. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() =>
      this.#disk.writeText(this.#file, `${JSON.stringify(this.#content())}\n`, { durable: true }),
    );
    return this.#saving;
  }

  #content() {
    const destinations = [...this.#destinations].map(([name, { told, pending }]) => {
      // The longest untouched are forgotten first.
      const kept = [...told].slice(-MOST_TOLD);
      return [name, { told: Object.fromEntries(kept), pending }] as const;
    });
    return { version: 1, destinations: Object.fromEntries(destinations), problems: this.#problems };
  }

  #read(value: JsonValue): void {
    if (!isJsonObject(value) || value['version'] !== 1 || !isJsonObject(value['destinations']))
      throw new Error('it is none of ours');
    for (const [name, one] of Object.entries(value['destinations'])) {
      if (!isJsonObject(one) || !isJsonObject(one['told']) || !Array.isArray(one['pending']))
        throw new Error(`"${name}" has no told and pending`);
      // Written by us: the shape was looked at, its parts are as we wrote them.
      this.#destinations.set(name, {
        told: new Map(Object.entries(one['told']) as unknown as [string, Told][]),
        pending: one['pending'] as unknown as readonly Pending[],
      });
    }
    if (Array.isArray(value['problems'])) this.#problems = value['problems'] as unknown as NotifyProblem[];
  }
}
