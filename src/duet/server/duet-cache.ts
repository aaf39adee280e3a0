import type { Disk } from '../../platform/core/disk.ts';
import type { DuetPlace } from '../app/read-duet-list.ts';
import {
  type DuetReading,
  type DuetReadingEffects,
  type DuetVerdicts,
  duetVerdicts,
  readDuetView,
} from '../app/read-duet-view.ts';
import { resultsFolder } from '../app/results-folder.ts';

/** Iterations take memory: a few duets are kept, as the pages of one request it again and again. */
const MAX_KEPT = 4;
const MAX_VERDICTS = 10_000;

/** Reads and judges a folder of duets once, and again when it has changed. */
export class DuetCache {
  readonly #effects: () => Promise<DuetReadingEffects>;
  readonly #kept = new Map<string, { readonly key: string; readonly reading: Promise<DuetReading> }>();
  readonly #verdicts = new Map<string, { readonly key: string; readonly verdicts: DuetVerdicts }>();
  /** One after the other: several at once would hold all of their iterations at once. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(effects: () => Promise<DuetReadingEffects>) {
    this.#effects = effects;
  }

  /** The headline of each duet: kept for all of them, as lists request many. */
  async verdicts(place: DuetPlace, disk: Disk): Promise<DuetVerdicts> {
    const key = await versionOf(place, disk);
    const known = this.#verdicts.get(place.path);
    if (known?.key === key) return known.verdicts;
    const verdicts = duetVerdicts((await this.read(place, disk)).view);
    if (this.#verdicts.size >= MAX_VERDICTS) this.#verdicts.clear();
    this.#verdicts.set(place.path, { key, verdicts });
    return verdicts;
  }

  async read(place: DuetPlace, disk: Disk): Promise<DuetReading> {
    const key = await versionOf(place, disk);
    const known = this.#kept.get(place.path);
    if (known?.key === key) {
      // Least recently used first.
      this.#kept.delete(place.path);
      this.#kept.set(place.path, known);
      return known.reading;
    }
    const reading = this.#last
      .catch(() => undefined)
      .then(async () => readDuetView(place, await this.#effects()));
    this.#last = reading;
    this.#kept.set(place.path, { key, reading });
    reading.catch(() => this.#kept.delete(place.path));
    for (const [path] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(path);
    }
    return reading;
  }
}

/** Results come into a folder under their names when they are whole: its time changes then. */
async function versionOf({ path, type }: DuetPlace, disk: Disk): Promise<string> {
  const paths = type === 'folder' ? [path, resultsFolder(path).journal] : [path];
  const facts = await Promise.all(paths.map((one) => disk.stat(one)));
  return facts.map((one) => (one ? `${one.modifiedAt} ${one.size}` : '')).join(' ');
}
