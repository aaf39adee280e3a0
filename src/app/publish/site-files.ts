import { baseName } from '../../core/path.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Store } from '../../core/ports/store.ts';
import { documentText } from '../../core/site/document.ts';
import { documentFile } from '../../core/site/document-file.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-file.ts';
import { artifactFiles, type Budget } from './artifact-files.ts';
import {
  changeAddresses,
  duetAddresses,
  homeAddresses,
  otherAddresses,
  runListAddresses,
} from './document-addresses.ts';
import type { ByteTools } from './load-file.ts';
import {
  experimentAddresses,
  RECENT,
  readSiteFacts,
  runAddresses,
  type SiteAddress,
  type SiteFacts,
} from './site-addresses.ts';

export interface SiteRequest {
  readonly home: string;
  /** Bytes of artifacts: the oldest nights are left out first. Counted down. */
  readonly budget: Budget;
  /** Documents of another version are made anew. */
  readonly version: string;
}

export interface SiteEffects extends ByteTools {
  readonly store: Store;
  readonly disk: Disk;
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
  const facts = await readSiteFacts(effects.store);
  yield* effects.page();
  const files: SiteFile[] = [];
  for await (const one of addresses(request, facts, effects)) files.push(documentOf(one, request, effects));
  // All files of a folder come together.
  yield* files.sort((a, b) => (folderOf(a) === folderOf(b) ? 0 : folderOf(a) < folderOf(b) ? -1 : 1));
  const artifacts = { home, experiments: facts.experiments, nights: DATA_NIGHTS };
  yield* artifactFiles(artifacts, effects.disk, budget);
};

/** Each document that a page of the site may ask for. */
async function* addresses(
  { home }: SiteRequest,
  facts: SiteFacts,
  effects: SiteEffects,
): AsyncIterable<SiteAddress> {
  const { document: ask, store } = effects;
  yield* homeAddresses(ask);
  for (const name of facts.experiments) yield* experimentAddresses(home, name, { ...effects, facts });
  yield* runListAddresses(ask);
  for (const [place, run] of facts.runs.entries()) {
    yield* runAddresses(run, { store, isRecent: place < RECENT });
  }
  yield* changeAddresses(ask);
  yield* duetAddresses(ask);
  yield* otherAddresses(ask);
}

/** Made when it is asked for. */
function documentOf(
  { address, facts }: SiteAddress,
  { version }: SiteRequest,
  effects: SiteEffects,
): SiteFile {
  const path = documentFile(address);
  return {
    path,
    isNamed: false,
    ...(facts !== undefined && { stamp: stampOf([version, facts], effects) }),
    async *bytes() {
      yield effects.encode(documentText(path, withoutPlace((await effects.document(address)) ?? null)));
    },
  };
}

/** Where the home lies is nobody's business. */
function withoutPlace(content: unknown): unknown {
  const { home } = (content ?? {}) as { readonly home?: unknown };
  return typeof home === 'string' ? { ...(content as object), home: baseName(home) } : content;
}

function folderOf({ path }: SiteFile): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function stampOf(known: unknown, { newHash, encode }: ByteTools): string {
  const hash = newHash();
  hash.update(encode(JSON.stringify(known)));
  return hash.digest().slice(0, 32);
}
