import type { Machine, Run } from '../../../core/model/run.ts';
import type { RunQuery, Store } from '../../../core/ports/store.ts';
import type { JsonObject } from '../../../core/text/json.ts';
import { type Bindable, type Connection, toLimit } from './connection.ts';

type RunMethods = Pick<Store, 'saveRun' | 'saveMachine' | 'countRuns' | 'latestRuns' | 'run' | 'machine'>;

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
  order: string,
  warnings: string,
];

const COLUMNS =
  'id, kind, project, label, state, started_at, ended_at, seed, machine_id, origin, task_order, warnings';
const BRIEF = COLUMNS.replace('task_order', "'[]'");

export function runTables(connection: Connection): RunMethods {
  return {
    async saveRun(run) {
      // An update and no REPLACE: replacing a row would delete the trials that refer to it.
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
      return connection
        .all<RunRow>(
          `SELECT ${query.isBrief ? BRIEF : COLUMNS} FROM runs ${where} ORDER BY started_at DESC, id DESC LIMIT ?`,
          [...values, toLimit(query.limit)],
        )
        .map(toRun);
    },

    async run(id) {
      const row = connection.first<RunRow>(`SELECT ${COLUMNS} FROM runs WHERE id = ?`, [id]);
      return row && toRun(row);
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

function toRun(row: RunRow): Run {
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
    order: JSON.parse(order) as string[],
    origin,
    warnings: JSON.parse(warnings) as string[],
  };
}
