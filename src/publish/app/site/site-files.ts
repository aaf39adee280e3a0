import { readHistory } from '../../../dashboard/app/read-history.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-map.ts';
import { artifactFiles, type Budget } from './artifact-files.ts';
import { makeOutline, type Outline, type OutlineCache, touchedFiles, withHash } from './publish-cache.ts';
import {
  changeAddresses,
  compareAddresses,
  curveAddresses,
  duetAddresses,
  experimentAddresses,
  homeAddresses,
  jobAddresses,
  otherAddresses,
  type ReadDocument,
  rowAddresses,
  runAddresses,
  runListAddresses,
  type SiteAddress,
} from './site-addresses.ts';
import { type JobImageEffects, siteDocument } from './site-document.ts';
import { type FactsEffects, RECENT, readOuterFacts, readSiteFacts, type SiteFacts } from './site-facts.ts';
import { cachedOutcomes, cachedStore } from './store-cache.ts';

export interface SiteRequest {
  readonly home: string;
  /** Bytes of artifacts: the oldest nights are left out first. Counted down. */
  readonly budget: Budget;
  /** Documents of another version are made anew. */
  readonly version: string;
  readonly outlines: OutlineCache;
}

export interface SiteEffects extends JobImageEffects, FactsEffects {
  /** What the server answers at an address below /api; undefined where it has nothing. */
  document(address: string): Promise<unknown>;
  /** The page itself: its one HTML file, scripts and style sheet, all in the first folder. */
  page(): SiteFiles;
}

/** A function that makes the files of a site, in an order that does not change. */
export type SiteSource = (request: SiteRequest, effects: SiteEffects) => SiteFiles;

/** Nights back of which data files are published. */
const DATA_NIGHTS = 60;

/** Everything a home shows: the page, the documents that it reads, artifacts. */
export const siteFiles: SiteSource = async function* (request, effects) {
  const { home, budget, version } = request;
  const memo = documentMemo(effects.document);
  const making = { ...effects, ...memo, history: historyReader(effects) };
  const { experiments, addresses } = await outlineOf(request, making);
  yield* effects.page();
  const files: SiteFile[] = [];
  for (const one of addresses) {
    const { showsFilesOf } = one;
    const touched = showsFilesOf === undefined ? '' : await touchedFiles(home, showsFilesOf, effects.disk);
    files.push(siteDocument(one, [version, touched], making));
  }
  for await (const one of addressesInFiles(memo.read))
    files.push(siteDocument(withHash(one, effects), [version], making));
  // All files of a folder come together.
  yield* files.sort((a, b) => (folderOf(a) === folderOf(b) ? 0 : folderOf(a) < folderOf(b) ? -1 : 1));
  yield* artifactFiles({ home, experiments, nights: DATA_NIGHTS }, effects.disk, budget);
};

type OutlineEffects = SiteEffects & { readonly read: ReadDocument };

async function outlineOf(
  { home, version, outlines }: SiteRequest,
  effects: OutlineEffects,
): Promise<Outline> {
  const outer = await readOuterFacts(home, effects);
  const key = outer.ofIndex === undefined ? undefined : `${version} ${outer.ofIndex}`;
  const known = key === undefined ? undefined : outlines.outline(key);
  if (known) return known;
  const facts = await readSiteFacts(outer, effects.store);
  const outline = await makeOutline(facts.experiments, addressesInIndex(facts, effects), effects);
  if (key !== undefined) outlines.setOutline(key, outline);
  return outline;
}

/** Each document that a page of the site may read and that follows from the index, or is made anew every time. */
async function* addressesInIndex(facts: SiteFacts, effects: OutlineEffects): AsyncIterable<SiteAddress> {
  const { read, store } = effects;
  yield* homeAddresses(read, facts);
  for (const name of facts.experiments) yield* experimentAddresses(name, facts);
  yield* runListAddresses(read, facts);
  for (const [place, run] of facts.runs.entries()) {
    yield* runAddresses(run, { store, isRecent: place < RECENT });
  }
  yield* changeAddresses(read, facts);
  yield* otherAddresses(read, facts);
  yield* rowAddresses('compare', { read, facts });
  yield* compareAddresses(facts, effects);
}

/** Those whose number follows from files and queues beside the index. */
async function* addressesInFiles(read: ReadDocument): AsyncIterable<SiteAddress> {
  yield* duetAddresses(read);
  yield* curveAddresses(read);
  yield* jobAddresses(read);
}

/** Histories as the server returns them, read directly: they are most of what a further night changes. */
function historyReader({ store }: SiteEffects) {
  const reads = cachedStore(store);
  const endings = cachedOutcomes(store);
  return ({ name, first }: { readonly name: string; readonly first: number }) =>
    readHistory({ name, first }, reads, endings);
}

/** A document that was read to find further addresses is not made a second time: its text is held until it is written. */
function documentMemo(make: SiteEffects['document']) {
  const held = new Map<string, string | undefined>();
  return {
    async read(address: string): Promise<unknown> {
      if (held.has(address)) return parsed(held.get(address));
      const made = await make(address);
      held.set(address, JSON.stringify(made));
      return made;
    },
    async document(address: string): Promise<unknown> {
      const known = held.get(address);
      return held.delete(address) ? parsed(known) : make(address);
    },
  };
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

function folderOf({ path }: SiteFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
