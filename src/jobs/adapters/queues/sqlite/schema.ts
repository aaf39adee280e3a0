/**
 * Step n brings the schema from version n to n + 1; steps that were released are never edited. See docs/schema.md.
 * What is searched is filled in by fillSearchColumns after the last of them.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY, created_at REAL NOT NULL, user_name TEXT NOT NULL, project TEXT NOT NULL,
    experiment TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, sweep TEXT NOT NULL, executor TEXT NOT NULL,
    package TEXT NOT NULL, workers INTEGER NOT NULL, priority REAL NOT NULL, status TEXT NOT NULL, attempt INTEGER NOT NULL,
    lost INTEGER NOT NULL, registered INTEGER NOT NULL, blockers INTEGER NOT NULL, open INTEGER NOT NULL,
    not_before REAL NOT NULL, heartbeat_at REAL, config TEXT NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id, not_before, project) WHERE open > 0;
  CREATE INDEX jobs_by_age ON jobs (created_at DESC, id DESC, project, experiment, name, user_name, sweep, description);
  CREATE INDEX jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX jobs_by_package ON jobs (package) WHERE package <> '';

  CREATE TABLE job_documents (id TEXT NOT NULL PRIMARY KEY, spec TEXT NOT NULL, facts TEXT NOT NULL) STRICT;

  CREATE TABLE job_ranks (
    job_id TEXT NOT NULL, rank INTEGER NOT NULL, host TEXT NOT NULL, pid INTEGER NOT NULL, incarnation TEXT NOT NULL,
    heartbeat_at REAL NOT NULL, ref TEXT, done INTEGER NOT NULL, PRIMARY KEY (job_id, rank)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_arrivals (
    job_id TEXT NOT NULL, barrier TEXT NOT NULL, rank INTEGER NOT NULL, PRIMARY KEY (job_id, barrier, rank)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_after (
    job_id TEXT NOT NULL, after_id TEXT NOT NULL, PRIMARY KEY (job_id, after_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_after_by_after ON job_after (after_id);

  CREATE TABLE job_logs (
    job_id TEXT NOT NULL, number INTEGER NOT NULL, is_tail INTEGER NOT NULL, size INTEGER NOT NULL,
    entries INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (job_id, number)
  ) STRICT;

  CREATE TABLE job_log_sizes (
    job_id TEXT NOT NULL PRIMARY KEY, next_number INTEGER NOT NULL, head INTEGER NOT NULL, tail INTEGER NOT NULL,
    left_out INTEGER NOT NULL
  ) STRICT;
  `,
  `
  ALTER TABLE jobs ADD COLUMN search_spec TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE jobs ADD COLUMN search_facts TEXT NOT NULL DEFAULT '{}';
  `,
  // In SQLite's own form of JSON, of which single values are read without the rest; x'0c' is an empty object.
  `
  ALTER TABLE jobs DROP COLUMN search_spec;
  ALTER TABLE jobs DROP COLUMN search_facts;
  ALTER TABLE jobs ADD COLUMN searched_spec BLOB NOT NULL DEFAULT x'0c';
  ALTER TABLE jobs ADD COLUMN searched_config BLOB NOT NULL DEFAULT x'0c';
  ALTER TABLE jobs ADD COLUMN searched_facts BLOB NOT NULL DEFAULT x'0c';
  `,
  // What is searched in tables of its own, with the same numbers: a search reads one or two of them from end to end, and little else.
  `
  CREATE TABLE numbered_jobs (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_at REAL NOT NULL, user_name TEXT NOT NULL, project TEXT NOT NULL,
    experiment TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, sweep TEXT NOT NULL, executor TEXT NOT NULL,
    package TEXT NOT NULL, workers INTEGER NOT NULL, priority REAL NOT NULL, status TEXT NOT NULL, attempt INTEGER NOT NULL,
    lost INTEGER NOT NULL, registered INTEGER NOT NULL, blockers INTEGER NOT NULL, open INTEGER NOT NULL,
    not_before REAL NOT NULL, heartbeat_at REAL, odd_keys TEXT NOT NULL DEFAULT ''
  ) STRICT;
  INSERT INTO numbered_jobs (id, created_at, user_name, project, experiment, name, description, sweep, executor, package,
      workers, priority, status, attempt, lost, registered, blockers, open, not_before, heartbeat_at)
    SELECT id, created_at, user_name, project, experiment, name, description, sweep, executor, package,
      workers, priority, status, attempt, lost, registered, blockers, open, not_before, heartbeat_at
    FROM jobs ORDER BY created_at, id;
  ALTER TABLE job_documents ADD COLUMN config TEXT NOT NULL DEFAULT '{}';
  UPDATE job_documents SET config = (SELECT config FROM jobs j WHERE j.id = job_documents.id);
  DROP TABLE jobs;
  ALTER TABLE numbered_jobs RENAME TO jobs;
  CREATE INDEX jobs_by_turn ON jobs (executor, open DESC, priority DESC, created_at, id, not_before, project) WHERE open > 0;
  CREATE INDEX jobs_by_age ON jobs (created_at DESC, id DESC, project, experiment, name, user_name, sweep, description, odd_keys);
  CREATE INDEX jobs_by_status ON jobs (status, created_at DESC, id DESC);
  CREATE INDEX jobs_by_package ON jobs (package) WHERE package <> '';
  CREATE TABLE job_searched_spec (n INTEGER PRIMARY KEY, searched_spec BLOB NOT NULL) STRICT;
  CREATE TABLE job_searched_config (n INTEGER PRIMARY KEY, searched_config BLOB NOT NULL) STRICT;
  CREATE TABLE job_searched_facts (n INTEGER PRIMARY KEY, searched_facts BLOB NOT NULL) STRICT;
  CREATE TRIGGER jobs_gone AFTER DELETE ON jobs BEGIN
    DELETE FROM job_searched_spec WHERE n = OLD.n;
    DELETE FROM job_searched_config WHERE n = OLD.n;
    DELETE FROM job_searched_facts WHERE n = OLD.n;
  END;
  `,
];
