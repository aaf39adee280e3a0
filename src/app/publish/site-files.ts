import type { SiteFile, SiteFiles } from '../../core/site/site-file.ts';
import { artifactFiles, type Budget } from './artifact-files.ts';
import { compareAddresses } from './compare-addresses.ts';
import {
  type AskDocument,
  changeAddresses,
  duetAddresses,
  homeAddresses,
  otherAddresses,
  runListAddresses,
} from './document-addresses.ts';
import { documentOf } from './document-of.ts';
import { jobAddresses } from './job-addresses.ts';
import type { ByteTools } from './load-file.ts';
import { experimentAddresses, RECENT, runAddresses, type SiteAddress } from './site-addresses.ts';
import { type FactsEffects, readSiteFacts, type SiteFacts } from './site-facts.ts';

export interface SiteRequest {
  readonly home: string;
  /** Bytes of artifacts: the oldest nights are left out first. Counted down. */
  readonly budget: Budget;
  /** Documents of another version are made anew. */
  readonly version: string;
}

export interface SiteEffects extends ByteTools, FactsEffects {
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
  const { home, budget } = request;
  const facts = await readSiteFacts(home, effects);
  const remembering = { ...effects, ...rememberOnce(effects.document) };
  yield* effects.page();
  const files: SiteFile[] = [];
  for await (const one of addresses(request, facts, remembering))
    files.push(documentOf(one, request.version, remembering));
  // All files of a folder come together.
  yield* files.sort((a, b) => (folderOf(a) === folderOf(b) ? 0 : folderOf(a) < folderOf(b) ? -1 : 1));
  const artifacts = { home, experiments: facts.experiments, nights: DATA_NIGHTS };
  yield* artifactFiles(artifacts, effects.disk, budget);
};

/** Each document that a page of the site may ask for. */
async function* addresses(
  { home }: SiteRequest,
  facts: SiteFacts,
  effects: SiteEffects & { readonly ask: AskDocument },
): AsyncIterable<SiteAddress> {
  const { ask, store } = effects;
  yield* homeAddresses(ask, facts);
  for (const name of facts.experiments) yield* experimentAddresses(home, name, { ...effects, facts });
  yield* runListAddresses(ask, facts);
  for (const [place, run] of facts.runs.entries()) {
    yield* runAddresses(run, { store, isRecent: place < RECENT });
  }
  yield* changeAddresses(ask, facts);
  yield* duetAddresses(ask);
  yield* otherAddresses(ask, facts);
  yield* compareAddresses(facts, effects);
  yield* jobAddresses(ask);
}

/** What was asked for to find further addresses is not made a second time; it is held until it is written. */
function rememberOnce(make: SiteEffects['document']) {
  const held = new Map<string, unknown>();
  return {
    async ask(address: string): Promise<unknown> {
      if (!held.has(address)) held.set(address, await make(address));
      return held.get(address);
    },
    async document(address: string): Promise<unknown> {
      const known = held.get(address);
      return held.delete(address) ? known : make(address);
    },
  };
}

function folderOf({ path }: SiteFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
