import { statSync } from 'node:fs';
import openSqliteStore from '../adapters/stores/sqlite/index.ts';
import { homeLayout } from '../core/model/layout.ts';
import type { Store } from '../core/ports/store.ts';

/** The index of a home for reading, while others may create or replace the file. */
export interface WatchedIndex {
  /** Undefined while there is no index. */
  current(): Promise<Store | undefined>;
  close(): void;
}

interface OpenStore {
  readonly store: Store;
  readonly inode: number;
}

/** `reindex` swaps the file: the one that is open is then another one than that of the name, and is opened anew. */
export function watchIndex(home: string): WatchedIndex {
  const file = homeLayout(home).index;
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
        const store = await openSqliteStore(file, { readOnly: true });
        // Two requests may have waited for it.
        if (open) store.close();
        else open = { store, inode };
      }
      return open?.store;
    },
    close() {
      retire();
      retire();
    },
  };
}
