import { type Bindable, type SqliteConnection, toLimit } from '../../../platform/adapters/sqlite.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Machine, Run } from '../../core/run.ts';
import type { RunQuery, Store } from '../../core/store.ts';

type RunMethods = Pick<
  Store,
  'saveRun' | 'saveMachine' | 'countRuns' | 'latestRuns' | 'run' | 'machine' | 'machineUse'
>;

type RunRow = readonly [
  id: string,
  kind: Run['kind'],
  project: string,
  label: string,
  state: Run['state'],
  startedAt: number,
  endedAt: number | null,
  seed: number | null,
  machineId: string | null,
  origin: Run['origin'],
  /** null: as in the row before. */
  order: string | null,
  warnings: string,
];

const COLUMNS =
  'id, kind, project, label, state, started_at, ended_at, seed, machine_id, origin, task_order, warnings';
const BRIEF = COLUMNS.replace('task_order', "'[]' AS task_order");
const NEWEST_FIRST = 'ORDER BY started_at DESC, id DESC';
/** A thousand nights of a thousand tasks have one order, mostly that of the night after: it is read and kept once. */
const OTHER_ORDER = 'CASE WHEN task_order IS NOT lag(task_order) OVER newest THEN task_order END';

export function runTables(connection: SqliteConnection): RunMethods {
  return {
    async saveRun(run) {
      // An update, not REPLACE: replacing a row would delete the trials that refer to it.
      connection.run(
        `INSERT INTO runs (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, project = excluded.project, label = excluded.label,
           state = excluded.state, started_at = excluded.started_at, ended_at = excluded.ended_at,
           seed = excluded.seed, machine_id = excluded.machine_id, origin = excluded.origin,
           task_order = excluded.task_order, warnings = excluded.warnings`,
        toRow(run),
      );
    },

    async saveMachine({ id, name, facts }) {
      connection.run('INSERT OR REPLACE INTO machines (id, name, facts) VALUES (?, ?, ?)', [
        id,
        name,
        JSON.stringify(facts),
      ]);
    },

    countRuns: async () => connection.first<[number]>('SELECT count(*) FROM runs')?.[0] ?? 0,

    async latestRuns(query) {
      const { where, values } = toCondition(query);
      const rows = connection.all<RunRow>(
        `SELECT ${COLUMNS.replace('task_order', OTHER_ORDER)} FROM (
           SELECT ${query.isBrief ? BRIEF : COLUMNS} FROM runs ${where} ${NEWEST_FIRST} LIMIT ?
         ) WINDOW newest AS (${NEWEST_FIRST}) ${NEWEST_FIRST}`,
        [...values, toLimit(query.limit)],
      );
      let order: Run['order'] = [];
      return rows.map((row) => {
        const run = toRun(row, order);
        order = run.order;
        return run;
      });
    },

    async run(id) {
      const row = connection.first<RunRow>(`SELECT ${COLUMNS} FROM runs WHERE id = ?`, [id]);
      return row && toRun(row);
    },

    async machineUse(kinds) {
      // Beside min() the other columns are those of the row that has it.
      const rows = connection.all<
        readonly [machineId: string | null, origin: Run['origin'], id: string, at: number]
      >(
        `SELECT machine_id, origin, id, min(started_at) FROM runs WHERE kind IN (SELECT value FROM json_each(?))
         GROUP BY machine_id, origin ORDER BY 4, 3`,
        [JSON.stringify(kinds)],
      );
      return rows.map(([machineId, origin, id, startedAt]) => ({
        ...(machineId !== null && { machineId }),
        origin,
        first: { id, startedAt },
      }));
    },

    async machine(id): Promise<Machine | undefined> {
      const row = connection.first<[string, string]>('SELECT name, facts FROM machines WHERE id = ?', [id]);
      return row && { id, name: row[0], facts: JSON.parse(row[1]) as JsonObject };
    },
  };
}

function toCondition({ kind, state, before }: RunQuery): { where: string; values: Bindable[] } {
  const conditions = [
    ['kind = ?', kind],
    ['state = ?', state],
    ['started_at < ?', before],
  ].filter(([, value]) => value !== undefined);
  if (conditions.length === 0) return { where: '', values: [] };
  return {
    where: `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`,
    values: conditions.map(([, value]) => value),
  };
}

function toRow(run: Run): Bindable[] {
  return [
    run.id,
    run.kind,
    run.project,
    run.label,
    run.state,
    run.startedAt,
    run.endedAt,
    run.seed,
    run.machineId,
    run.origin,
    JSON.stringify(run.order),
    JSON.stringify(run.warnings),
  ];
}

function toRun(row: RunRow, before: Run['order'] = []): Run {
  const [id, kind, project, label, state, startedAt, endedAt, seed, machineId, origin, order, warnings] = row;
  return {
    id,
    kind,
    project,
    label,
    state,
    startedAt,
    ...(endedAt === null ? {} : { endedAt }),
    ...(seed === null ? {} : { seed }),
    ...(machineId === null ? {} : { machineId }),
    order: order === null ? before : (JSON.parse(order) as string[]),
    origin,
    warnings: JSON.parse(warnings) as string[],
  };
}
