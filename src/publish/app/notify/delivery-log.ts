import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Delivery, Pending } from '../../core/notices/pending-notices.ts';

/** A delivery that failed, kept for later inspection. */
export interface NotifyProblem {
  readonly at: number;
  readonly destination: string;
  readonly message: string;
}

/** What was delivered to one destination, and what is still to be sent. */
export interface DestinationLog {
  readonly deliveries: Map<string, Delivery>;
  pending: readonly Pending[];
}

const MOST_DELIVERIES = 3000;
const MOST_PROBLEMS = 20;

/** The log of notices: one small file of the home, rewritten after every message. */
export class DeliveryLog {
  readonly #file: string;
  readonly #disk: Disk;
  readonly #destinations = new Map<string, DestinationLog>();
  #problems: NotifyProblem[] = [];
  #saving: Promise<void> = Promise.resolve();

  private constructor(home: string, disk: Disk) {
    this.#file = homeLayout(home).notices;
    this.#disk = disk;
  }

  /** A file that cannot be read is replaced by an empty log, with a note. */
  static async open(
    home: string,
    disk: Disk,
  ): Promise<{ readonly log: DeliveryLog; readonly note?: string }> {
    const log = new DeliveryLog(home, disk);
    const text = await disk.readText(log.#file);
    if (text === undefined) return { log };
    try {
      log.#read(JSON.parse(text) as JsonValue);
      return { log };
    } catch (error) {
      const note = `${log.#file} cannot be read (${messageOf(error)}): earlier deliveries are forgotten.`;
      return { log: new DeliveryLog(home, disk), note };
    }
  }

  of(destination: string): DestinationLog {
    const known = this.#destinations.get(destination);
    if (known) return known;
    const fresh: DestinationLog = { deliveries: new Map(), pending: [] };
    this.#destinations.set(destination, fresh);
    return fresh;
  }

  /** Forgets destinations that are no longer defined. */
  keepOnly(destinations: ReadonlySet<string>): void {
    for (const name of this.#destinations.keys()) {
      if (!destinations.has(name)) this.#destinations.delete(name);
    }
  }

  addProblem(problem: NotifyProblem): void {
    this.#problems = [...this.#problems, problem].slice(-MOST_PROBLEMS);
  }

  get isComplete(): boolean {
    return [...this.#destinations.values()].every(({ pending }) => pending.length === 0);
  }

  get problems(): readonly NotifyProblem[] {
    return this.#problems;
  }

  /** Writes are serialised: destinations are served concurrently. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() =>
      this.#disk.writeText(this.#file, `${JSON.stringify(this.#content())}\n`, { durable: true }),
    );
    return this.#saving;
  }

  #content() {
    const destinations = [...this.#destinations].map(([name, { deliveries, pending }]) => {
      // The least recently updated are forgotten first.
      const kept = [...deliveries].slice(-MOST_DELIVERIES);
      return [name, { told: Object.fromEntries(kept), pending }] as const;
    });
    return { version: 1, destinations: Object.fromEntries(destinations), problems: this.#problems };
  }

  #read(value: JsonValue): void {
    if (!isJsonObject(value) || value['version'] !== 1 || !isJsonObject(value['destinations']))
      throw new Error('it is not a delivery log');
    for (const [name, one] of Object.entries(value['destinations'])) {
      if (!isJsonObject(one) || !isJsonObject(one['told']) || !Array.isArray(one['pending']))
        throw new Error(`"${name}" has no deliveries and pending notices`);
      // We wrote it: the outer shape was checked, the entries are trusted.
      this.#destinations.set(name, {
        deliveries: new Map(Object.entries(one['told']) as unknown as [string, Delivery][]),
        pending: one['pending'] as unknown as readonly Pending[],
      });
    }
    if (Array.isArray(value['problems'])) this.#problems = value['problems'] as unknown as NotifyProblem[];
  }
}
