import { type JobView, jobImagePath } from '../../../jobs/core/job-documents.ts';
import { baseName } from '../../../platform/core/path.ts';
import { documentFile, documentText } from '../../../platform/core/site/site-files.ts';
import { isHarmlessSvgFile } from '../../../platform/core/site/site-media.ts';
import {
  blockAddress,
  type HistoryColumns,
  type SplitHistory,
  splitHistory,
} from '../../core/site/history-blocks.ts';
import type { SiteFile } from '../../core/site/site-map.ts';
import { type ByteTools, hashBytes, hashText } from './load-file.ts';
import type { SiteAddress } from './site-addresses.ts';

export interface DocumentEffects extends JobImageEffects {
  /** What the server answers at an address below /api; undefined where it has nothing. */
  document(address: string): Promise<unknown>;
  history(query: NonNullable<SiteAddress['history']>): Promise<HistoryColumns | undefined>;
}

/** A document as a file, made on demand. `others`: what it depends on beside its own facts. */
export function siteDocument(
  one: SiteAddress,
  others: readonly string[],
  effects: DocumentEffects,
): SiteFile {
  const { address, facts, history, jobId } = one;
  const stamp = facts === undefined ? {} : { stamp: hashText(JSON.stringify([...others, facts]), effects) };
  if (history) return historyDocument({ address, query: history }, stamp, effects);
  const content = async () => withoutPlace((await effects.document(address)) ?? null);
  const file = documentFileOf(address, { stamp, content }, effects);
  return jobId === undefined ? file : { ...file, parts: () => jobImages(jobId, effects) };
}

/** A history, and the blocks that have its columns. */
function historyDocument(
  { address, query }: { readonly address: string; readonly query: NonNullable<SiteAddress['history']> },
  stamp: Pick<SiteFile, 'stamp'>,
  effects: DocumentEffects,
): SiteFile {
  // The head and its blocks are read one after the other, once: the history is held in between.
  let made: Promise<SplitHistory> | undefined;
  const split = async () => {
    const history = await effects.history(query);
    return history ? splitHistory(history) : { head: null, blocks: new Map() };
  };
  const head = documentFileOf(
    address,
    {
      stamp,
      content: async () => {
        made = split();
        return (await made).head;
      },
    },
    effects,
  );
  return {
    ...head,
    async parts() {
      const { blocks } = await (made ?? split());
      made = undefined;
      return [...blocks].map(([name, block]) => {
        const own = { stamp: { stamp: block.fingerprint() }, content: async () => block.make() };
        return documentFileOf(blockAddress(address, name), own, effects);
      });
    },
  };
}

interface Making {
  readonly stamp: Pick<SiteFile, 'stamp'>;
  content(): Promise<unknown>;
}

function documentFileOf(address: string, { stamp, content }: Making, { encode }: ByteTools): SiteFile {
  const path = documentFile(address);
  return {
    path,
    isNamed: false,
    ...stamp,
    async *bytes() {
      yield encode(documentText(path, await content()));
    },
  };
}

/** The path of the home is private. */
function withoutPlace(content: unknown): unknown {
  const { home } = (content ?? {}) as { readonly home?: unknown };
  return typeof home === 'string' ? { ...(content as object), home: baseName(home) } : content;
}

export interface JobImageEffects extends ByteTools {
  document(address: string): Promise<unknown>;
  /** The bytes of a file of a job, confined to its folder as by the server; undefined where there is none. */
  jobFile(id: string, path: string): Promise<Uint8Array | undefined>;
}

/** Of the pictures of one job: plots are some ten thousand bytes, and a site has a hundred jobs. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The pictures that a job reported, as far as they are small; the page says that others are not part of the copy. */
export async function jobImages(id: string, effects: JobImageEffects): Promise<readonly SiteFile[]> {
  const address = `jobs/${encodeURIComponent(id)}`;
  const { images = {} } = ((await effects.document(address)) ?? {}) as Partial<JobView>;
  const paths = new Set(Object.values(images));
  if (paths.size === 0) return [];
  const { files = [] } = ((await effects.document(`${address}/files`)) ?? {}) as Partial<Listing>;
  const made = new Map<string, SiteFile>();
  let left = MOST_BYTES;
  for (const { path, bytes: size } of files) {
    const to = paths.has(path) ? jobImagePath(id, path) : undefined;
    if (to === undefined || size > left) continue;
    const bytes = await effects.jobFile(id, path);
    if (bytes === undefined || bytes.length > left || !isSafe(path, bytes)) continue;
    left -= bytes.length;
    made.set(to, imageFile(to, bytes, effects));
  }
  return [...made.values()];
}

interface Listing {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

function imageFile(path: string, bytes: Uint8Array, tools: ByteTools): SiteFile {
  return {
    path,
    isNamed: false,
    stamp: hashBytes(bytes, tools),
    async *bytes() {
      yield bytes;
    },
  };
}

function isSafe(path: string, bytes: Uint8Array): boolean {
  return !/\.svg$/i.test(path) || isHarmlessSvgFile(bytes);
}
