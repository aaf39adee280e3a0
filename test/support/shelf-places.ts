import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer, skipWithoutPostgres } from './postgres-server.ts';

/** Where the storages of one kind are opened in tests: a new place each time, and all of them gone at the end. */
export interface ShelfPlaces {
  /** Why there are none, and how to get them; false when there are. */
  readonly skip: string | false;
  create(): Promise<string>;
  close(): Promise<void>;
}

export function shelfPlaces(id: string): ShelfPlaces {
  if (id === 'postgres') return postgresPlaces();
  if (id !== 'sqlite') return noPlaces(id);
  const root = mkdtempSync(join(tmpdir(), 'nightmark-shelf-'));
  let count = 0;
  return {
    skip: false,
    create: async () => join(root, `points %20 ${count++}`),
    close: async () => rmSync(root, { recursive: true }),
  };
}

/** A schema each, on a server of our own that is started for the first. */
function postgresPlaces(): ShelfPlaces {
  let server: Promise<PostgresServer> | undefined;
  let count = 0;
  return {
    skip: skipWithoutPostgres(),
    create: async () => {
      server ??= PostgresServer.start();
      return (await server).url(`place_${count++}`);
    },
    close: async () => (await server)?.remove(),
  };
}

function noPlaces(id: string): ShelfPlaces {
  return {
    skip: `no place for storages of kind ${id}: add it to test/support/shelf-places.ts`,
    create: () => Promise.reject(new Error(`no place for ${id}`)),
    close: async () => undefined,
  };
}
