import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '../../../core/ports/store.ts';
import type { Connection } from './connection.ts';

/**
 * Many saves as one transaction. A `together` inside of another joins it; one that begins beside another
 * waits for it, so that the failure of one cannot take the saves of the other along.
 */
export function oneAtATime(connection: Connection): Store['together'] {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();

  return async function together<T>(work: () => Promise<T>): Promise<T> {
    if (inside.getStore()) return work();
    const mine = last.then(() => inside.run(true, () => transact(connection, work)));
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function transact<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** SQLite may have rolled back by itself (disk full); the first error is the one to tell. */
function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    return;
  }
}
