import { type SqliteConnection, toLimit } from '../../../../platform/adapters/sqlite.ts';
import type { Trial } from '../../../core/run.ts';
import type { Outcome, OutcomeQuery, Store } from '../../../core/store.ts';

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
