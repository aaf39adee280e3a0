import { randomUUID } from 'node:crypto';
import {
  connectPostgres,
  type PostgresUse,
  postgresAddress,
  postgresFailure,
} from '../../../../platform/adapters/postgres.ts';
import type { PointStorage } from '../../../core/points/point-storage.ts';
import { PostgresShelf } from './postgres-shelf.ts';
import { ShelfReading } from './shelf-reading.ts';
import { WriterSession } from './writer-session.ts';

export interface PostgresOptions {
  /** Reads beside the process that writes. */
  readonly readOnly?: boolean;
  /** How long a lost connection is tried again before a write fails; 5 seconds unless told, which senders wait for. */
  readonly patienceMs?: number;
  /** How long a connection and each answer may take. */
  readonly answerMs?: number;
  /** Where it is said that a connection is lost or back. */
  readonly tell?: (message: string) => void;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const PATIENCE_MS = 5_000;
const READERS = 8;
const POINTS: PostgresUse = {
  example: 'metrics',
  codes: {
    badAddress: 'POINTS_BAD_ADDRESS',
    secretInAddress: 'POINTS_SECRET_IN_ADDRESS',
    unreachable: 'POINTS_POSTGRES_UNREACHABLE',
    refused: 'POINTS_POSTGRES_DENIED',
    noDatabase: 'POINTS_POSTGRES_NO_DATABASE',
    noTable: 'POINTS_NO_SHELF',
    full: 'POINTS_POSTGRES_FULL',
  },
};

/** Points in a PostgreSQL database. `place`: its address, or empty for that in NIGHTMARK_POSTGRES_URL. */
async function openPostgresShelf(place: string, options: PostgresOptions = {}): Promise<PointStorage> {
  const given = postgresAddress(place, options.env ?? process.env, POINTS);
  // In quotes: its name may be a word of SQL.
  const address = { ...given, schema: `"${given.schema}"` };
  const { pool, newClient } = await connectPostgres(address, {
    connections: READERS,
    answerMs: options.answerMs,
  });
  const reading = new ShelfReading(pool, address);
  const session = new WriterSession({
    address,
    newClient,
    name: randomUUID(),
    patienceMs: options.patienceMs ?? PATIENCE_MS,
    tell: options.tell ?? (() => {}),
  });
  try {
    if (options.readOnly !== true) {
      return new PostgresShelf(address.schema, reading, { session, start: await session.start() });
    }
    await pool.query(`SELECT 1 FROM ${address.schema}.point_facts`);
    return new PostgresShelf(address.schema, reading);
  } catch (error) {
    await pool.end();
    throw postgresFailure(error, address);
  }
}

export default openPostgresShelf;
