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
import { loadDocument } from './site-scripts.ts';

/** Documents of a static site: the root names listings of folders, a listing the file that holds a document. */
export const fileSource: Source = {
  isLive: false,
  async json(path) {
    const found = (await readWhole(path, false)) ?? (await readWhole(path, true));
    // Null: it was wanted, and there is no such thing, as a comparison of nights that have nothing in common.
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
      hint: 'Ask the server of the home.',
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

/** Anew: a publication since the page was opened may have put other files into the place of those it knows. */
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
  const asked = loadDocument(listingPlace(folder, hash), listingPath(folder)).then(listingOf);
  listings.set(folder, asked);
  return asked;
}

function notPublished(path: string): SourceProblem {
  return new SourceProblem('This was not published.', {
    status: 404,
    hint: `The site has no document "${path}": it was left out to keep the site small, or was removed since. The server of the home may have it.`,
  });
}
