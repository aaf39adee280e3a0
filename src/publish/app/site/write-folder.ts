import type { Publication, PutFile } from '../../core/site/publisher.ts';
import {
  listingPlace,
  listingText,
  placeOf,
  readListing,
  type SiteEntry,
  type SiteFile,
  type SiteListing,
  shortHash,
} from '../../core/site/site-map.ts';
import { type ByteTools, checked, type Loaded, loadFile, loadText } from './load-file.ts';
import type { PublishCache } from './publish-cache.ts';

export interface FolderEffects extends ByteTools {
  readonly publication: Pick<Publication, 'read'>;
  readonly stamps: PublishCache;
  put(file: PutFile): Promise<void>;
  /** For files that keep their path: they come after all others. */
  putLater(file: PutFile): void;
}

export interface WrittenFolder {
  /** Hash of its listing. */
  readonly hash: string;
  /** Where its files lie, the listing included. */
  readonly places: readonly string[];
  readonly retired: readonly string[];
  readonly unchanged: number;
}

/**
 * One folder of a site. Its earlier listing is read only when something is new: a folder in which nothing
 * changed costs no request to the target.
 */
export class FolderWriter {
  readonly folder: string;
  readonly #oldHash: string | undefined;
  readonly #effects: FolderEffects;
  readonly #entries = new Map<string, SiteEntry>();
  /** Known by their stamps, and not yet compared with the target. */
  readonly #waiting: SiteFile[] = [];
  #old: SiteListing | undefined;
  #unchanged = 0;

  constructor(folder: string, oldHash: string | undefined, effects: FolderEffects) {
    this.folder = folder;
    this.#oldHash = oldHash;
    this.#effects = effects;
  }

  async add(file: SiteFile): Promise<void> {
    const { stamps } = this.#effects;
    if (!this.#isKnown(file)) return this.#writeWithParts(file);
    for (const part of stamps.partsOf(file)) {
      // An unknown part is made together with all other parts.
      if (!this.#isKnown(partOf(file, part))) return this.#writeWithParts(file);
    }
  }

  #isKnown(file: SiteFile): boolean {
    const known = this.#effects.stamps.find(file);
    if (!known) return false;
    this.#entries.set(this.#nameOf(file), toEntry(known, file));
    this.#waiting.push(file);
    return true;
  }

  async #writeWithParts(file: SiteFile): Promise<void> {
    await this.#write(file);
    const parts = (await file.parts?.()) ?? [];
    this.#effects.stamps.setParts(
      file,
      parts.map(({ path }) => path),
    );
    for (const part of parts) if (!this.#isKnown(part)) await this.#write(part);
  }

  async finish(): Promise<WrittenFolder> {
    let listing = this.#listing();
    const isSame = () => shortHash(listing.sha256) === this.#oldHash;
    if (!isSame()) {
      for (const file of this.#waiting) {
        const entry = this.#entries.get(this.#nameOf(file));
        if (entry && isEqual((await this.#oldFiles()).get(this.#nameOf(file)), entry)) this.#unchanged++;
        else await this.#write(file);
      }
      listing = this.#listing();
    } else this.#unchanged += this.#waiting.length;

    const hash = shortHash(listing.sha256);
    const places = [...this.#entries].map(([name, entry]) => placeOf(this.#pathOf(name), entry));
    if (isSame())
      return {
        hash,
        places: [...places, listingPlace(this.folder, hash)],
        retired: [],
        unchanged: this.#unchanged,
      };
    const path = listingPlace(this.folder, hash);
    await this.#effects.put({ ...listing, path });
    const live = new Set(places);
    const before = placesOf(this.folder, await this.#oldFiles(), this.#oldHash);
    const retired = before.filter((place) => !live.has(place));
    return { hash, places: [...places, path], retired, unchanged: this.#unchanged };
  }

  async #write(file: SiteFile): Promise<void> {
    const { stamps, newHash, put, putLater } = this.#effects;
    const loaded = await loadFile(file, newHash);
    stamps.set(file, loaded);
    const entry = toEntry(loaded, file);
    const name = this.#nameOf(file);
    this.#entries.set(name, entry);
    if (isEqual((await this.#oldFiles()).get(name), entry)) {
      this.#unchanged++;
      return;
    }
    const path = placeOf(file.path, entry);
    // Those that wait for the end are read again then, and not held until then.
    if (file.isNamed) putLater({ ...loaded, path, bytes: () => checked(file, loaded.sha256, newHash) });
    else await put({ ...loaded, path });
  }

  async #oldFiles(): Promise<SiteListing> {
    this.#old ??= await oldListing(this.folder, this.#oldHash, this.#effects.publication);
    return this.#old;
  }

  #listing(): Loaded {
    const sorted = [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return loadText(listingText(this.folder, new Map(sorted)), this.#effects);
  }

  #nameOf({ path }: SiteFile): string {
    return this.folder === '' ? path : path.slice(this.folder.length + 1);
  }

  #pathOf(name: string): string {
    return this.folder === '' ? name : `${this.folder}/${name}`;
  }
}

/** A part by its path, made with the others when its bytes are read. */
function partOf(file: SiteFile, { path, stamp }: Pick<SiteFile, 'path' | 'stamp'>): SiteFile {
  return {
    path,
    isNamed: file.isNamed,
    ...(stamp !== undefined && { stamp }),
    async *bytes() {
      const part = (await file.parts?.())?.find((one) => one.path === path);
      if (part) yield* part.bytes();
    },
  };
}

/** A listing that is missing or invalid counts as empty: everything is written anew. */
export async function oldListing(
  folder: string,
  hash: string | undefined,
  publication: Pick<Publication, 'read'>,
): Promise<SiteListing> {
  const text = hash === undefined ? undefined : await publication.read(listingPlace(folder, hash));
  return (text === undefined ? undefined : readListing(text)) ?? new Map();
}

/** Everything of a folder that a listing names, and the listing itself. */
export function placesOf(folder: string, listing: SiteListing, hash: string | undefined): readonly string[] {
  const places = [...listing].map(([name, entry]) =>
    placeOf(folder === '' ? name : `${folder}/${name}`, entry),
  );
  return hash === undefined ? places : [...places, listingPlace(folder, hash)];
}

function toEntry(
  { sha256, size }: { readonly sha256: string; readonly size: number },
  file: SiteFile,
): SiteEntry {
  return { hash: shortHash(sha256), size, isNamed: file.isNamed };
}

function isEqual(a: SiteEntry | undefined, b: SiteEntry): boolean {
  return a?.hash === b.hash && a.isNamed === b.isNamed;
}
