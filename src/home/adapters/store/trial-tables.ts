import type { Exit } from '../../../executors/core/executor.ts';
import type { CommitFacts } from '../../../formats/core/commit-facts.ts';
import { type SqliteConnection, toLimit } from '../../../platform/adapters/sqlite.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { STAGE_ORDER, type StageResult, type Trial } from '../../core/run.ts';
import type { Outcome, OutcomeQuery, Store, TrialDigest, TrialGroup } from '../../core/store.ts';

type TrialMethods = Pick<
  Store,
  | 'saveTrials'
  | 'saveStages'
  | 'trialsOf'
  | 'trialDigest'
  | 'newestTasks'
  | 'trialGroups'
  | 'commitFacts'
  | 'stagesOf'
>;

type TrialRow = readonly [
  runId: string,
  kind: Trial['kind'],
  task: string,
  title: string | null,
  state: Trial['state'],
  failedStage: StageResult['stage'] | null,
  message: string,
  startedAt: number | null,
  durationMs: number | null,
  commits: string,
];

type StageRow = readonly [
  kind: StageResult['kind'],
  task: string,
  stage: StageResult['stage'],
  success: number,
  message: string,
  extra: string,
  startedAt: number,
  durationMs: number,
  attempts: number,
  exit: string | null,
  log: string | null,
];

const TRIAL_COLUMNS =
  'run_id, kind, task, title, state, failed_stage, message, started_at, duration_ms, commits';
const STAGE_COLUMNS =
  'kind, task, stage, success, message, extra, started_at, duration_ms, attempts, exit, log';

export function trialTables(connection: SqliteConnection): TrialMethods {
  return {
    async saveTrials(trials) {
      connection.atomically(() => {
        for (const trial of trials) {
          connection.run(
            `INSERT OR REPLACE INTO trials (${TRIAL_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            [
              trial.runId,
              trial.kind,
              trial.task,
              trial.title,
              trial.state,
              trial.failedStage,
              trial.message,
              trial.startedAt,
              trial.durationMs,
              JSON.stringify(trial.commits),
            ],
          );
          for (const [source, facts] of Object.entries(trial.commitFacts ?? {})) {
            const row = [source, trial.commits[source] ?? '', JSON.stringify(facts)];
            connection.run('INSERT OR REPLACE INTO commits (source, hash, document) VALUES (?, ?, ?)', row);
          }
        }
      });
    },

    async commitFacts(source, hash) {
      const row = connection.first<readonly [document: string]>(
        'SELECT document FROM commits WHERE source = ? AND hash = ?',
        [source, hash],
      );
      return row && (JSON.parse(row[0]) as CommitFacts);
    },

    async saveStages(runId, stages) {
      connection.atomically(() => {
        for (const stage of stages) {
          connection.run(
            `INSERT OR REPLACE INTO stages (run_id, ${STAGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            [
              runId,
              stage.kind,
              stage.task,
              stage.stage,
              stage.success,
              stage.message,
              JSON.stringify(stage.extra),
              stage.startedAt,
              stage.durationMs,
              stage.attempts,
              stage.exit && JSON.stringify(stage.exit),
              stage.log,
            ],
          );
        }
      });
    },

    // One query a run, so that the same prepared statement serves any number of them.
    trialsOf: async (runIds) =>
      runIds.flatMap((runId) =>
        connection
          .all<TrialRow>(`SELECT ${TRIAL_COLUMNS} FROM trials WHERE run_id = ? ORDER BY kind, task`, [runId])
          .map(toTrial),
      ),

    trialDigest: async (runIds) => digest(connection, runIds),
    newestTasks: async (runIds) => newestTasks(connection, runIds),
    trialGroups: async (runId) => trialGroups(connection, runId),

    stagesOf: async (runId) =>
      connection
        .all<StageRow>(`SELECT ${STAGE_COLUMNS} FROM stages WHERE run_id = ?`, [runId])
        .map(toStage)
        .sort(byTime),
  };
}

/** One small grouping for each run: together they would be sorted on disk. */
function digest(connection: SqliteConnection, runIds: readonly string[]): TrialDigest {
  const found = { counts: [] as Counted[], failed: [] as Named[], commits: [] as Committed[] };
  for (const runId of runIds) {
    const seen = new Set<string>();
    const counts = new Map<string, Counted>();
    for (const [kind, state, commits, count, failed] of connection.all<DigestRow>(DIGEST, [runId])) {
      const key = `${kind} ${state}`;
      counts.set(key, { runId, kind, state, count: count + (counts.get(key)?.count ?? 0) });
      for (const task of JSON.parse(failed) as string[]) found.failed.push({ runId, kind, task });
      if (!seen.has(commits)) found.commits.push({ runId, commits: JSON.parse(commits) as Trial['commits'] });
      seen.add(commits);
    }
    found.counts.push(...counts.values());
  }
  return found;
}

const DIGEST = `SELECT kind, state, commits, count(*), json_group_array(task) FILTER (WHERE state = 'failed')
  FROM trials WHERE run_id = ? GROUP BY kind, state, commits`;
type DigestRow = readonly [Trial['kind'], Trial['state'], commits: string, count: number, failed: string];
type Counted = TrialDigest['counts'][number];
type Named = TrialDigest['failed'][number];
type Committed = TrialDigest['commits'][number];

/** Names as one text: a row of the driver costs more than all names of a group. */
function trialGroups(connection: SqliteConnection, runId: string): readonly TrialGroup[] {
  const rows = connection.all<readonly [state: Trial['state'], commits: string, tasks: string]>(
    `SELECT state, commits, json_group_array(task) FROM trials WHERE run_id = ? AND kind = 'experiment'
     GROUP BY state, commits`,
    [runId],
  );
  return rows.map(([state, commits, tasks]) => ({
    state,
    commits: JSON.parse(commits) as Trial['commits'],
    tasks: JSON.parse(tasks) as string[],
  }));
}

/** The ids as one text, so that the same prepared statement serves any number of them. */
function newestTasks(connection: SqliteConnection, runIds: readonly string[]): readonly Named[] {
  // Of the columns beside max() SQLite takes those of the row that has it.
  const rows = connection.all<NamedRow>(
    `SELECT run_id, trials.kind, task, max(runs.started_at) FROM trials JOIN runs ON runs.id = run_id
     WHERE run_id IN (SELECT value FROM json_each(?)) GROUP BY trials.kind, task ORDER BY trials.kind, task`,
    [JSON.stringify(runIds)],
  );
  return rows.map(named);
}

type NamedRow = readonly [runId: string, kind: Trial['kind'], task: string, ...rest: number[]];

function named([runId, kind, task]: NamedRow) {
  return { runId, kind, task };
}

function byTime(a: StageResult, b: StageResult): number {
  return a.startedAt - b.startedAt || STAGE_ORDER.indexOf(a.stage) - STAGE_ORDER.indexOf(b.stage);
}

function toTrial(row: TrialRow): Trial {
  const [runId, kind, task, title, state, failedStage, message, startedAt, durationMs, commits] = row;
  return {
    runId,
    task,
    kind,
    ...(title === null ? {} : { title }),
    state,
    ...(failedStage === null ? {} : { failedStage }),
    message,
    ...(startedAt === null ? {} : { startedAt }),
    ...(durationMs === null ? {} : { durationMs }),
    commits: JSON.parse(commits) as Record<string, string>,
  };
}

function toStage(row: StageRow): StageResult {
  const [kind, task, stage, success, message, extra, startedAt, durationMs, attempts, exit, log] = row;
  return {
    task,
    kind,
    stage,
    success: success === 1,
    message,
    extra: JSON.parse(extra) as JsonObject,
    startedAt,
    durationMs,
    attempts,
    ...(exit === null ? {} : { exit: JSON.parse(exit) as Exit }),
    ...(log === null ? {} : { log }),
  };
}

type OutcomeRow = readonly [
  runId: string,
  label: string,
  at: number,
  state: Trial['state'],
  message: string,
  durationMs: number | null,
  machineId: string | null,
  commits: string,
];

export function outcomeView(connection: SqliteConnection): Pick<Store, 'outcomes'> {
  return { outcomes: async (query) => readOutcomes(connection, query) };
}

/** Walks the runs backwards from the newest and finds the trial of each by its key: no index of its own is needed. */
function readOutcomes(
  connection: SqliteConnection,
  { experiment, limit, from, to }: OutcomeQuery,
): Outcome[] {
  const rows = connection.all<OutcomeRow>(
    `SELECT runs.id, runs.label, runs.started_at, trials.state, substr(trials.message, 1, 300), trials.duration_ms,
       runs.machine_id, trials.commits
     FROM runs CROSS JOIN trials ON trials.run_id = runs.id AND trials.kind = 'experiment' AND trials.task = ?
     WHERE runs.started_at >= ? AND runs.started_at <= ?
     ORDER BY runs.started_at DESC, runs.id DESC LIMIT ?`,
    [experiment, from ?? -Infinity, to ?? Infinity, toLimit(limit)],
  );
  // Many nights measure the same commit.
  const known = new Map<string, Trial['commits']>();
  const commitsOf = (text: string) => {
    const commits = known.get(text) ?? (JSON.parse(text) as Trial['commits']);
    known.set(text, commits);
    return commits;
  };
  return rows.reverse().map(([runId, label, at, state, message, durationMs, machineId, commits]) => ({
    runId,
    label,
    at,
    state,
    message,
    ...(durationMs === null ? {} : { durationMs }),
    ...(machineId === null ? {} : { machineId }),
    commits: commitsOf(commits),
  }));
}
