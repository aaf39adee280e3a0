import { documentFile } from '../../platform/core/site/site-files.ts';
import { type Source, SourceProblem } from '../../platform/page/data/source.ts';
import { blockAddress, blocksOf, type HistoryBlock, joinHistory } from '../core/site/history-blocks.ts';
import {
  listingOf,
  listingPath,
  listingPlace,
  placeOf,
  ROOT_PATH,
  rootOf,
  type SiteListing,
  type SiteRoot,
} from '../core/site/site-map.ts';

/** Documents of a static site: the root names listings of folders, a listing the file that holds a document. */
export const fileSource: Source = {
  isLive: false,
  async json(path) {
    const found = (await readWhole(path, false)) ?? (await readWhole(path, true));
    // Null: the document was made and is empty, such as a comparison of nights that have nothing in common.
    if (found === undefined || found === null) throw notPublished(path);
    return found;
  },
  place: sitePlace,
  async bytes() {
    throw new SourceProblem('The static site has no single points.', {
      hint: 'The server of the home has them.',
    });
  },
  async change() {
    throw new SourceProblem('Nothing can be changed in the static site.', {
      hint: 'Use the server of the home.',
    });
  },
};

let root: Promise<SiteRoot | undefined> | undefined;
const listings = new Map<string, Promise<SiteListing | undefined>>();

/** Where a file of the site lies; undefined when it was not published. */
async function sitePlace(path: string): Promise<string | undefined> {
  const slash = path.lastIndexOf('/');
  const listing = await listingIn(path.slice(0, Math.max(0, slash)));
  const entry = listing?.get(path.slice(slash + 1));
  return entry && placeOf(path, entry);
}

/** A long history lies in blocks. */
async function readWhole(address: string, isAnew: boolean): Promise<unknown> {
  const head = await readDocument(address, isAnew);
  const names = blocksOf(head);
  if (names === undefined) return head;
  const blocks = await Promise.all(names.map((name) => readDocument(blockAddress(address, name), false)));
  const isWhole = blocks.every((block) => block !== undefined);
  return isWhole ? joinHistory(head, blocks as HistoryBlock[]) : undefined;
}

/** Anew: a publication since the page was opened may have replaced the files that it knows. */
async function readDocument(address: string, isAnew: boolean): Promise<unknown> {
  if (isAnew) {
    root = undefined;
    listings.clear();
  }
  const path = documentFile(address);
  const place = await sitePlace(path);
  return place === undefined ? undefined : loadDocument(place, path);
}

async function listingIn(folder: string): Promise<SiteListing | undefined> {
  // The time keeps a browser from answering with the root that it has.
  root ??= loadDocument(`${ROOT_PATH}?${Date.now()}`, ROOT_PATH).then(rootOf);
  const hash = (await root)?.folders[folder];
  if (hash === undefined) return undefined;
  const known = listings.get(folder);
  if (known) return known;
  const loading = loadDocument(listingPlace(folder, hash), listingPath(folder)).then(listingOf);
  listings.set(folder, loading);
  return loading;
}

function notPublished(path: string): SourceProblem {
  return new SourceProblem('This was not published.', {
    status: 404,
    hint: `The site has no document "${path}": it was left out to keep the site small, or was removed since. The server of the home may have it.`,
  });
}

/**
 * A page opened from disk may load scripts and nothing else: documents of a static site are scripts that pass on their
 * path and a JSON text.
 */
declare global {
  var nightmarkDocument: ((path: string, text: string) => void) | undefined;
}

const waiting = new Map<string, (text: string) => void>();

/** Before the first document is loaded. */
export function takeDocuments(): void {
  globalThis.nightmarkDocument = (path, text) => waiting.get(path)?.(text);
}

/** The content of the document `path`, whose file is `place`; undefined when there is no such file. */
export function loadDocument(place: string, path: string): Promise<unknown> {
  return new Promise((done, fail) => {
    const script = document.createElement('script');
    let content: { readonly value: unknown } | undefined;
    const others = waiting.get(path);
    waiting.set(path, (text) => {
      others?.(text);
      try {
        content = { value: JSON.parse(text) };
      } catch (error) {
        fail(error);
      }
    });
    const finish = () => {
      script.remove();
      waiting.delete(path);
      done(content?.value);
    };
    script.onload = finish;
    script.onerror = finish;
    script.src = place;
    document.head.append(script);
  });
}
