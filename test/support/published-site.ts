import assert from 'node:assert/strict';
import { listingPlace, placeOf, readListing, readRoot } from '../../src/publish/core/site/site-map.ts';

/** What a page finds under a path: through the root and the listing of the folder. */
export async function follow(read: (place: string) => Promise<string>, path: string): Promise<string> {
  const root = readRoot(await read('site.js'));
  const slash = path.lastIndexOf('/');
  const base = path.slice(0, Math.max(0, slash));
  const listing = readListing(await read(listingPlace(base, root?.folders[base] ?? 'none')));
  const entry = listing?.get(path.slice(slash + 1));
  assert.ok(entry, `${path} is not in the site`);
  return read(placeOf(path, entry));
}
