import { baseName } from '../../core/path.ts';
import { documentText } from '../../core/site/document.ts';
import { documentFile } from '../../core/site/document-file.ts';
import {
  blockAddress,
  type HistoryColumns,
  type SplitHistory,
  splitHistory,
} from '../../core/site/history-blocks.ts';
import type { SiteFile } from '../../core/site/site-file.ts';
import type { ByteTools } from './load-file.ts';
import type { SiteAddress } from './site-addresses.ts';

export interface DocumentEffects extends ByteTools {
  /** What the server answers at an address below /api; undefined where it has nothing. */
  document(address: string): Promise<unknown>;
}

/** A document as a file, made when it is asked for. `version`: those of another one are made anew. */
export function documentOf(one: SiteAddress, version: string, effects: DocumentEffects): SiteFile {
  const { address, facts, isHistory = false } = one;
  const stamp = facts === undefined ? {} : { stamp: stampOf([version, facts], effects) };
  if (isHistory) return historyOf(address, stamp, effects);
  const content = async () => withoutPlace((await effects.document(address)) ?? null);
  return fileOf(address, { stamp, content }, effects);
}

/** A history, and the blocks that have its columns. */
function historyOf(address: string, stamp: Pick<SiteFile, 'stamp'>, effects: DocumentEffects): SiteFile {
  // The head and its blocks are asked for one after the other, and then no more: it is held in between.
  let made: Promise<SplitHistory> | undefined;
  const split = async () => {
    const history = await effects.document(address);
    return history ? splitHistory(history as HistoryColumns) : { head: null, blocks: new Map() };
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
      return [...blocks].map(([name, block]) =>
        fileOf(blockAddress(address, name), { stamp, content: async () => block }, effects),
      );
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

function stampOf(known: unknown, { newHash, encode }: ByteTools): string {
  const hash = newHash();
  hash.update(encode(JSON.stringify(known)));
  return hash.digest().slice(0, 32);
}
