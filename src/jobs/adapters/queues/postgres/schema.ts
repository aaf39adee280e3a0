/** The layout of the tables; a later one migrates from it. */
export const LAYOUT = 4;

/**
 * Documents are texts and not jsonb, which would put keys into another order; what is searched is both. Times are milliseconds since 1970.
 */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS job_layout (one boolean PRIMARY KEY DEFAULT true CHECK (one), layout integer NOT NULL);
  CREATE TABLE IF NOT EXISTS jobs (
    id text COLLATE "C" PRIMARY KEY, created_at double precision NOT NULL, user_name text NOT NULL, project text NOT NULL,
    experiment text NOT NULL, name text NOT NULL, description text NOT NULL, sweep text NOT NULL, executor text NOT NULL,
    package text NOT NULL, workers integer NOT NULL, priority double precision NOT NULL, status text NOT NULL,
    attempt integer NOT NULL, lost integer NOT NULL, registered integer NOT NULL, blockers integer NOT NULL,
    open integer NOT NULL, not_before double precision NOT NULL, heartbeat_at double precision, odd_keys text NOT NULL DEFAULT '',
    searched_spec jsonb NOT NULL DEFAULT '{}', searched_config jsonb NOT NULL DEFAULT '{}',
    searched_facts jsonb NOT NULL DEFAULT '{}'
  );
  CREATE INDEX IF NOT EXISTS jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id) WHERE open > 0;
  CREATE INDEX IF NOT EXISTS jobs_by_age ON jobs (created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS jobs_by_package ON jobs (package) WHERE package <> '';
  CREATE TABLE IF NOT EXISTS job_documents (id text COLLATE "C" PRIMARY KEY, spec text NOT NULL, facts text NOT NULL,
    config text NOT NULL DEFAULT '{}');
  CREATE TABLE IF NOT EXISTS job_ranks (
    job_id text COLLATE "C" NOT NULL, rank integer NOT NULL, host text NOT NULL, pid integer NOT NULL,
    incarnation text NOT NULL, heartbeat_at double precision NOT NULL, ref text, done integer NOT NULL,
    PRIMARY KEY (job_id, rank)
  );
  CREATE TABLE IF NOT EXISTS job_arrivals (
    job_id text COLLATE "C" NOT NULL, barrier text NOT NULL, rank integer NOT NULL, PRIMARY KEY (job_id, barrier, rank)
  );
  CREATE TABLE IF NOT EXISTS job_after (
    job_id text COLLATE "C" NOT NULL, after_id text COLLATE "C" NOT NULL, PRIMARY KEY (job_id, after_id)
  );
  CREATE INDEX IF NOT EXISTS job_after_by_after ON job_after (after_id);
  CREATE TABLE IF NOT EXISTS job_logs (
    job_id text COLLATE "C" NOT NULL, number integer NOT NULL, is_tail integer NOT NULL, size integer NOT NULL,
    entries integer NOT NULL, body text NOT NULL, PRIMARY KEY (job_id, number)
  );
  CREATE TABLE IF NOT EXISTS job_log_sizes (
    job_id text COLLATE "C" PRIMARY KEY, next_number integer NOT NULL, head integer NOT NULL, tail integer NOT NULL,
    left_out integer NOT NULL
  );
  CREATE TABLE IF NOT EXISTS job_packages (
    hash text PRIMARY KEY, upload text NOT NULL, saved_at double precision NOT NULL
  );
  CREATE TABLE IF NOT EXISTS job_package_pieces (
    upload text NOT NULL, number integer NOT NULL, saved_at double precision NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (upload, number)
  );
`;

/**
 * From layout 1, which had no such columns, 2, which had texts, and 3, which had configurations with the jobs; they are filled by
 * fillSearchColumns.
 */
export const ADD_SEARCHED_COLUMNS = `
  ALTER TABLE job_documents ADD COLUMN IF NOT EXISTS config text NOT NULL DEFAULT '{}';
  UPDATE job_documents d SET config = j.config FROM jobs j WHERE j.id = d.id;
  ALTER TABLE jobs
    DROP COLUMN IF EXISTS search_spec,
    DROP COLUMN IF EXISTS search_facts,
    DROP COLUMN IF EXISTS config,
    ADD COLUMN IF NOT EXISTS odd_keys text NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS searched_spec jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN IF NOT EXISTS searched_config jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN IF NOT EXISTS searched_facts jsonb NOT NULL DEFAULT '{}';
`;
