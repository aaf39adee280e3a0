import * as fs from 'node:fs';
import { NightmarkError } from '../../core/errors.ts';

/** Something found below the root, with the facts of the thing itself, links not followed. */
export interface Found {
  /** Relative to the root; empty for the root. */
  readonly path: string;
  readonly place: string;
  readonly facts: fs.Stats;
}

interface WalkOptions {
  readonly isLeftOut: (path: string) => boolean;
  /** Gets what could not be read; throws to end the walk. */
  readonly onFailure: (place: string, error: unknown) => void;
}

/**
 * The tree below root, sorted by entry name byte by byte (a folder sorts with its slash, so that the whole
 * list is sorted, not only each folder). Iterative: a deep tree must not exhaust the stack.
 */
export function* walkTree(root: string, options: WalkOptions): Generator<Found> {
  const waiting: Found[] = [{ path: '', place: root, facts: fs.statSync(root) }];
  for (let found = waiting.pop(); found !== undefined; found = waiting.pop()) {
    yield found;
    if (!found.facts.isDirectory()) continue;
    for (const child of childrenOf(found, options).reverse()) waiting.push(child);
  }
}

function childrenOf(folder: Found, { isLeftOut, onFailure }: WalkOptions): Found[] {
  const children: Found[] = [];
  for (const name of namesIn(folder.place, onFailure)) {
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    if (isLeftOut(path)) continue;
    const place = `${folder.place}/${name}`;
    try {
      children.push({ path, place, facts: fs.lstatSync(place) });
    } catch (error) {
      onFailure(place, name.includes('\uFFFD') ? badName(place) : error);
    }
  }
  return children.sort((a, b) => compare(sortKey(a), sortKey(b)));
}

function namesIn(dir: string, onFailure: WalkOptions['onFailure']): readonly string[] {
  try {
    return fs.readdirSync(dir);
  } catch (error) {
    onFailure(dir, error);
    return [];
  }
}

// Node shows a name that is not UTF-8 with replacement characters, under which the file is not found again.
function badName(place: string): NightmarkError {
  return new NightmarkError('ARCHIVE_NAME', `The name of ${place} is not valid UTF-8.`, {
    hint: 'Rename the file; its name could not be restored as it is.',
  });
}

const sortKey = ({ path, facts }: Found) => (facts.isDirectory() ? `${path}/` : path);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
