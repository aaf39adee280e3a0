import { readHistory } from '../../../dashboard/app/read-history.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-file.ts';
import { artifactFiles, type Budget } from './artifact-files.ts';
import { compareAddresses, rowAddresses } from './compare-addresses.ts';
import {
  type AskDocument,
  changeAddresses,
  curveAddresses,
  duetAddresses,
  homeAddresses,
  otherAddresses,
  runListAddresses,
} from './document-addresses.ts';
import { documentOf } from './document-of.ts';
import { endingBook } from './ending-book.ts';
import { jobAddresses } from './job-addresses.ts';
import type { JobImageEffects } from './job-images.ts';
import { makeOutline, type Outline, type OutlineBook, touchedFiles, withHash } from './outline.ts';
import { rememberReads } from './remember-reads.ts';
import { experimentAddresses, RECENT, runAddresses, type SiteAddress } from './site-addresses.ts';
import { type FactsEffects, readOuterFacts, readSiteFacts, type SiteFacts } from './site-facts.ts';

export interface SiteRequest {
  readonly home: string;
  /** Bytes of artifacts: the oldest nights are left out first. Counted down. */
  readonly budget: Budget;
  /** Documents of another version are made anew. */
  readonly version: string;
  readonly book: OutlineBook;
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
  const memory = rememberOnce(effects.document);
  const making = { ...effects, ...memory, history: historyReader(effects) };
  const { experiments, addresses } = await outlineOf(request, making);
  yield* effects.page();
  const files: SiteFile[] = [];
  for (const one of addresses) {
    const { showsFilesOf } = one;
    const touched = showsFilesOf === undefined ? '' : await touchedFiles(home, showsFilesOf, effects.disk);
    files.push(documentOf(one, [version, touched], making));
  }
  for await (const one of addressesInFiles(memory.ask))
    files.push(documentOf(withHash(one, effects), [version], making));
  // All files of a folder come together.
  yield* files.sort((a, b) => (folderOf(a) === folderOf(b) ? 0 : folderOf(a) < folderOf(b) ? -1 : 1));
  yield* artifactFiles({ home, experiments, nights: DATA_NIGHTS }, effects.disk, budget);
};

type Asking = SiteEffects & { readonly ask: AskDocument };

async function outlineOf({ home, version, book }: SiteRequest, effects: Asking): Promise<Outline> {
  const outer = await readOuterFacts(home, effects);
  const key = outer.ofIndex === undefined ? undefined : `${version} ${outer.ofIndex}`;
  const known = key === undefined ? undefined : book.outline(key);
  if (known) return known;
  const facts = await readSiteFacts(outer, effects.store);
  const outline = await makeOutline(facts.experiments, addressesInIndex(facts, effects), effects);
  if (key !== undefined) book.learnOutline(key, outline);
  return outline;
}

/** Each document that a page of the site may ask for and that follows from the index, or is made anew every time. */
async function* addressesInIndex(facts: SiteFacts, effects: Asking): AsyncIterable<SiteAddress> {
  const { ask, store } = effects;
  yield* homeAddresses(ask, facts);
  for (const name of facts.experiments) yield* experimentAddresses(name, facts);
  yield* runListAddresses(ask, facts);
  for (const [place, run] of facts.runs.entries()) {
    yield* runAddresses(run, { store, isRecent: place < RECENT });
  }
  yield* changeAddresses(ask, facts);
  yield* otherAddresses(ask, facts);
  yield* rowAddresses('compare', { ask, facts });
  yield* compareAddresses(facts, effects);
}

/** Those whose number follows from files and queues beside the index. */
async function* addressesInFiles(ask: AskDocument): AsyncIterable<SiteAddress> {
  yield* duetAddresses(ask);
  yield* curveAddresses(ask);
  yield* jobAddresses(ask);
}

/** Histories as the server answers them, read here: they are most of what a further night makes anew. */
function historyReader({ store }: SiteEffects) {
  const reads = rememberReads(store);
  const endings = endingBook(store);
  return ({ name, first }: { readonly name: string; readonly first: number }) =>
    readHistory({ name, first }, reads, endings);
}

/** What was asked for to find further addresses is not made a second time; it is held until it is written, as a text. */
function rememberOnce(make: SiteEffects['document']) {
  const held = new Map<string, string | undefined>();
  return {
    async ask(address: string): Promise<unknown> {
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
