import { statSync } from 'node:fs';
import { lockHolder } from '../../platform/adapters/file-locks.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { openSqliteStore } from '../adapters/store/sqlite-store.ts';
import { homeLayout } from '../core/home-layout.ts';
import type { Run } from '../core/run.ts';
import type { Store } from '../core/store.ts';

/**
 * A home with results but without a usable index (a copied one, an old dashboard, a damaged file) gets one from its
 * files. False: the home has no results yet, and no index.
 */
export async function ensureIndex(home: string, context: CliContext): Promise<boolean> {
  const { index, runs, data, payloads } = homeLayout(home);
  const { disk, stderr } = context;
  const reason = await whyUnusable(index, context);
  if (reason === undefined) return true;
  const folders = [runs, data(''), payloads('')];
  const contents = await Promise.all(folders.map((folder) => disk.list(folder)));
  const hasResults = contents.some((entries) => entries.length > 0);
  if (!hasResults) return false;
  stderr.write(`${reason}: building it from its files ...\n`);
  const { rebuildIndex } = await import('./rebuild-index.ts');
  const { failed } = await rebuildIndex(home, context);
  if (failed > 0) stderr.write(`${failed} files could not be used: nightmark reindex names them.\n`);
  return true;
}

async function whyUnusable(index: string, { disk }: CliContext): Promise<string | undefined> {
  if (!(await disk.stat(index))) return 'This home has no index yet';
  try {
    (await openSqliteStore(index, { readOnly: true })).close();
    return undefined;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    if (error.code === 'STORE_EMPTY') return 'The index of this home is empty';
    if (error.code === 'STORE_OUTDATED') return 'The index of this home is of an older version';
    if (error.code === 'STORE_DAMAGED') return 'The index of this home is damaged';
    throw error;
  }
}

/** The index of a home for reading, while others may create or replace the file. */
export interface WatchedIndex {
  /** Undefined while there is no index. */
  current(): Promise<Store | undefined>;
  /** Changes with everything that is written; undefined right after that, while more may come unseen. */
  version(): string | undefined;
  close(): void;
}

/** Two writes in one tick of the kernel's clock have the same time. */
const SETTLED_MS = 50;

interface OpenStore {
  readonly store: Store;
  readonly inode: number;
}

/** `reindex` swaps the file: the one that is open is then another one than that of the name, and is opened anew. */
export function watchIndex(home: string): WatchedIndex {
  const { index: file, lock } = homeLayout(home);
  const isAlive = () => lockHolder(lock) !== undefined;
  let open: OpenStore | undefined;
  // Requests under way may still read it: it is closed with the next swap.
  let retired: OpenStore | undefined;
  const retire = () => {
    retired?.store.close();
    retired = open;
    open = undefined;
  };
  return {
    async current() {
      const inode = statSync(file, { throwIfNoEntry: false })?.ino;
      if (open && open.inode !== inode) retire();
      if (inode === undefined) return undefined;
      if (!open) {
        const store = await openMade(file);
        if (store === undefined) return undefined;
        // Two requests may have waited for it.
        if (open) store.close();
        else open = { store: withoutDeadRuns(store, isAlive), inode };
      }
      return open?.store;
    },
    version() {
      const facts = [file, `${file}-wal`].map((one) =>
        statSync(one, { throwIfNoEntry: false, bigint: true }),
      );
      const newest = Math.max(...facts.map((one) => Number(one?.mtimeMs ?? 0)));
      if (Date.now() - newest < SETTLED_MS) return undefined;
      const stamps = facts.map((one) => (one ? `${one.ino} ${one.size} ${one.mtimeNs}` : ''));
      // A run that was killed is seen as interrupted from then on, though nothing is written.
      return [...stamps, isAlive()].join(' ');
    },
    close() {
      retire();
      retire();
    },
  };
}

/** Undefined: the first night has created the file, and not yet its tables. */
async function openMade(file: string): Promise<Store | undefined> {
  try {
    return await openSqliteStore(file, { readOnly: true });
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'STORE_EMPTY') return undefined;
    throw error;
  }
}

/** A run that was killed could not write down that it ended: without a holder of the lock it was interrupted. */
function withoutDeadRuns(store: Store, isAlive: () => boolean): Store {
  const seen = (run: Run): Run =>
    run.state === 'running' && !isAlive() ? { ...run, state: 'interrupted' } : run;
  return {
    ...store,
    latestRuns: async (query) => (await store.latestRuns(query)).map(seen),
    run: async (id) => {
      const run = await store.run(id);
      return run && seen(run);
    },
  };
}
