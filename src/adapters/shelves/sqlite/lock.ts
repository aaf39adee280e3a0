import Database from 'libsql';
import { NightmarkError } from '../../../core/errors.ts';

/** An SQLite file inside of an exclusive transaction: the kernel gives it up with the process, however that ends. */
export function lockShelf(file: string): () => void {
  const database = new Database(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new NightmarkError(
      'POINTS_SHELF_IN_USE',
      `Another process writes the points of ${file.replace(/\/[^/]*$/, '')}.`,
      {
        hint: 'Stop it (a "nightmark serve" of this home?), or write through it. Reading is possible meanwhile.',
        cause,
      },
    );
  }
  held.add(database);
  return () => {
    if (!held.delete(database)) return;
    database.exec('ROLLBACK');
    database.close();
  };
}

/** Kept from the garbage collector, which would close the file and with it give up the lock. */
const held = new Set<Database.Database>();
