import { baseName } from '../../../platform/core/path.ts';
import { documentFile, documentText } from '../../../platform/core/site/site-files.ts';
import {
  blockAddress,
  type HistoryColumns,
  type SplitHistory,
  splitHistory,
} from '../../core/site/history-blocks.ts';
import type { SiteFile } from '../../core/site/site-file.ts';
import { type JobImageEffects, jobImages } from './job-images.ts';
import { type ByteTools, hashText } from './load-file.ts';
import type { SiteAddress } from './site-addresses.ts';

export interface DocumentEffects extends JobImageEffects {
  /** What the server answers at an address below /api; undefined where it has nothing. */
  document(address: string): Promise<unknown>;
  history(asked: NonNullable<SiteAddress['history']>): Promise<HistoryColumns | undefined>;
}

/** A document as a file, made when it is asked for. `others`: what it rests on beside its own facts. */
export function documentOf(one: SiteAddress, others: readonly string[], effects: DocumentEffects): SiteFile {
  const { address, facts, history, jobId } = one;
  const stamp = facts === undefined ? {} : { stamp: hashText(JSON.stringify([...others, facts]), effects) };
  if (history) return historyOf({ address, asked: history }, stamp, effects);
  const content = async () => withoutPlace((await effects.document(address)) ?? null);
  const file = fileOf(address, { stamp, content }, effects);
  return jobId === undefined ? file : { ...file, parts: () => jobImages(jobId, effects) };
}

/** A history, and the blocks that have its columns. */
function historyOf(
  { address, asked }: { readonly address: string; readonly asked: NonNullable<SiteAddress['history']> },
  stamp: Pick<SiteFile, 'stamp'>,
  effects: DocumentEffects,
): SiteFile {
  // The head and its blocks are asked for one after the other, and then no more: it is held in between.
  let made: Promise<SplitHistory> | undefined;
  const split = async () => {
    const history = await effects.history(asked);
    return history ? splitHistory(history) : { head: null, blocks: new Map() };
  };
  const head = fileOf(
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
        const own = { stamp: { stamp: block.print() }, content: async () => block.make() };
        return fileOf(blockAddress(address, name), own, effects);
      });
    },
  };
}

interface Making {
  readonly stamp: Pick<SiteFile, 'stamp'>;
  content(): Promise<unknown>;
}

function fileOf(address: string, { stamp, content }: Making, { encode }: ByteTools): SiteFile {
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

/** Where the home lies is nobody's business. */
function withoutPlace(content: unknown): unknown {
  const { home } = (content ?? {}) as { readonly home?: unknown };
  return typeof home === 'string' ? { ...(content as object), home: baseName(home) } : content;
}
