/** The layout of the tables; a later one migrates from it. */
export const LAYOUT = 1;

/**
 * Keys of columns are JSON texts because a tag may hold NUL, which no text of PostgreSQL does. Bodies and blocks lie outside
 * of their rows and uncompressed: blocks are compressed already, and lines are gone soon. The queue of jobs may make the same
 * schema at the same moment, which IF NOT EXISTS does not allow for: both take the same lock.
 */
export function tablesOf(schema: string): string {
  return `
    SELECT pg_advisory_xact_lock(hashtext('nightmark.schema'));
    CREATE SCHEMA IF NOT EXISTS ${schema};
    CREATE TABLE IF NOT EXISTS ${schema}.point_facts (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      layout integer NOT NULL,
      writer text NOT NULL,
      settled_up_to bigint NOT NULL,
      changes bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS ${schema}.point_log (
      number bigint PRIMARY KEY,
      database text NOT NULL,
      kind text NOT NULL,
      precision text NOT NULL,
      received_ms bigint NOT NULL,
      received_ns integer NOT NULL,
      keeps_not_finite boolean NOT NULL,
      body bytea NOT NULL
    );
    CREATE TABLE IF NOT EXISTS ${schema}.point_databases (name text PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS ${schema}.point_columns (
      number bigint PRIMARY KEY,
      database text NOT NULL,
      type smallint NOT NULL,
      key text NOT NULL
    );
    CREATE INDEX IF NOT EXISTS point_columns_database ON ${schema}.point_columns (database);
    CREATE TABLE IF NOT EXISTS ${schema}.point_blocks (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      col bigint NOT NULL,
      tier smallint NOT NULL,
      first_ms bigint NOT NULL,
      first_ns integer NOT NULL,
      last_ms bigint NOT NULL,
      last_ns integer NOT NULL,
      count integer NOT NULL,
      bytes bytea NOT NULL
    );
    CREATE INDEX IF NOT EXISTS point_blocks_time ON ${schema}.point_blocks (col, tier, last_ms, last_ns);
    ALTER TABLE ${schema}.point_log ALTER COLUMN body SET STORAGE EXTERNAL;
    ALTER TABLE ${schema}.point_blocks ALTER COLUMN bytes SET STORAGE EXTERNAL;
  `;
}
