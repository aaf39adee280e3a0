import type { Series, SeriesValue } from '../../../formats/core/sample.ts';
import { type SqliteConnection, toLimit } from '../../../platform/adapters/sqlite.ts';
import { seriesKey } from '../../core/changes/change.ts';
import { directionFinder, unitOfSeries } from '../../core/changes/directions.ts';
import type { History, HistoryQuery, RunValues, Store, ThinnedHistory } from '../../core/store.ts';
import { readDirections } from './direction-table.ts';
import { outdateJudgement } from './judgement-table.ts';

type SeriesMethods = Pick<Store, 'saveValues' | 'series' | 'history' | 'thinned' | 'valuesOf'>;
type SeriesRow = readonly [
  id: number,
  experiment: string,
  path: string,
  unit: string,
  better: Series['better'],
  metric: string,
];

const COLUMNS = 'id, experiment, path, unit, better, metric';

export function seriesTables(connection: SqliteConnection): SeriesMethods {
  return {
    async saveValues({ runId, at, values }) {
      connection.atomically(() => {
        for (const value of values) {
          // NULL stands for NaN, which SQLite does not know.
          connection.run(
            'INSERT OR REPLACE INTO series_values (series_id, at, run_id, value) VALUES (?, ?, ?, ?)',
            [seriesId(connection, value), at, runId, Number.isNaN(value.value) ? null : value.value],
          );
          const { experiment, path } = value;
          outdateJudgement(connection, seriesKey({ kind: 'value', experiment, path }));
        }
      });
    },

    async series({ experiment, limit }) {
      const rows =
        experiment === undefined
          ? connection.all<SeriesRow>(`SELECT ${COLUMNS} FROM series ORDER BY experiment, path LIMIT ?`, [
              toLimit(limit),
            ])
          : connection.all<SeriesRow>(
              `SELECT ${COLUMNS} FROM series WHERE experiment = ? ORDER BY path LIMIT ?`,
              [experiment, toLimit(limit)],
            );
      const directionOf = directionFinder(readDirections(connection));
      return rows.map(([id, experiment, text, unit, better, metric]) => {
        const path = JSON.parse(text) as string[];
        const stored = { series: { kind: 'value', experiment, path }, unit, better, metric } as const;
        return { id, experiment, path, unit: unitOfSeries(stored), ...directionOf(stored) };
      });
    },

    history: async (seriesId, query) => readNewest(connection, seriesId, query),
    thinned: async (seriesId, query) => readThinned(connection, seriesId, query),
    valuesOf: async (runs) => readRuns(connection, runs),
  };
}

/** Finds or makes the series, and stores its unit and direction where the value has them. */
function seriesId(connection: SqliteConnection, value: SeriesValue): number {
  const { experiment, path, unit, better, metric } = value;
  const key = [experiment, JSON.stringify(path)];
  const find = () =>
    connection.first<SeriesRow>(`SELECT ${COLUMNS} FROM series WHERE experiment = ? AND path = ?`, key);
  let row = find();
  if (!row) {
    connection.run('INSERT INTO series (experiment, path, unit, better, metric) VALUES (?, ?, ?, ?, ?)', [
      ...key,
      unit ?? '',
      better ?? 'unknown',
      metric ?? '',
    ]);
    row = find();
  }
  if (!row) throw new Error(`Series ${key.join(' ')} is not there after it was made.`);
  const [id, , , knownUnit, knownBetter, knownMetric] = row;
  // A value without unit or direction removes neither.
  const newUnit = unit || knownUnit;
  const newBetter = better === undefined || better === 'unknown' ? knownBetter : better;
  const newMetric = metric || knownMetric;
  if (newUnit !== knownUnit || newBetter !== knownBetter || newMetric !== knownMetric) {
    connection.run('UPDATE series SET unit = ?, better = ?, metric = ? WHERE id = ?', [
      newUnit,
      newBetter,
      newMetric,
      id,
    ]);
  }
  return id;
}

type ValueRow = readonly [at: number, value: number | null, runId: string];

/**
 * Walks the index backwards from the newest, so that the cost is that of `limit`, not that of the history. All values come
 * as one row of texts: a row of the driver costs more than parsing a number. 17 digits give the very same number back.
 */
function readNewest(
  connection: SqliteConnection,
  seriesId: number,
  { limit, from, to }: HistoryQuery,
): History {
  const row = connection.first<readonly [times: string | null, values: string | null, runIds: string]>(
    `SELECT group_concat(iif(at = CAST(at AS INTEGER), CAST(at AS INTEGER), printf('%!.17g', at)), ' '),
       group_concat(iif(value IS NULL, 'NaN', printf('%!.17g', value)), ' '), json_group_array(run_id)
     FROM (SELECT at, value, run_id FROM series_values WHERE series_id = ? AND at >= ? AND at <= ?
       ORDER BY at DESC, run_id DESC LIMIT ?)`,
    [seriesId, from ?? -Infinity, to ?? Infinity, toLimit(limit)],
  );
  const [times, values, runIds] = row ?? [null, null, '[]'];
  return {
    times: numbersIn(times).reverse(),
    values: numbersIn(values).reverse(),
    runIds: (JSON.parse(runIds) as string[]).reverse(),
  };
}

function numbersIn(text: string | null): Float64Array {
  return text === null ? new Float64Array() : Float64Array.from(text.split(' '), toNumber);
}

/** SQLite finds the extremes: returning a row costs more than reading ten. */
function readThinned(connection: SqliteConnection, seriesId: number, query: HistoryQuery): ThinnedHistory {
  const range = [seriesId, query.from ?? -Infinity, query.to ?? Infinity];
  const [count, first, last] = connection.first<[number, number | null, number | null]>(
    'SELECT count(*), min(at), max(at) FROM series_values WHERE series_id = ? AND at >= ? AND at <= ?',
    range,
  ) ?? [0, null, null];
  if (count <= query.limit || first === null || last === null)
    return { ...readNewest(connection, seriesId, query), count };
  const width = Math.max(1, last - first) / Math.max(1, Math.floor((query.limit - 3) / 2));
  // Beside min() and max() the other columns are those of the row that has it.
  const extremes = (which: 'min' | 'max') =>
    connection.all<ValueRow>(
      `SELECT at, ${which}(value), run_id FROM series_values WHERE series_id = ? AND at >= ? AND at <= ?
       GROUP BY CAST((at - ?) / ? AS INTEGER)`,
      [...range, first, width],
    );
  const newest = connection.all<ValueRow>(
    'SELECT at, value, run_id FROM series_values WHERE series_id = ? AND at >= ? AND at <= ? ORDER BY at DESC, run_id DESC LIMIT 1',
    range,
  );
  const rows = new Map<string, ValueRow>();
  for (const row of [...extremes('min'), ...extremes('max'), ...newest]) rows.set(`${row[0]} ${row[2]}`, row);
  return { ...toHistory([...rows.values()].sort(byTime)), count };
}

function byTime([a, , one]: ValueRow, [b, , other]: ValueRow): number {
  return a - b || (one < other ? -1 : 1);
}

function toHistory(rows: readonly ValueRow[]) {
  return {
    times: Float64Array.from(rows, ([at]) => at),
    values: Float64Array.from(rows, ([, value]) => value ?? Number.NaN),
    runIds: rows.map(([, , runId]) => runId),
  };
}

/**
 * One seek for each series and run, in the order on disk: values of other runs are not read, however many there are.
 * A row of the driver costs more than the seek, so that all values of a series come as one text: place and value in turn.
 * 17 digits give the very same number back.
 */
function readRuns(connection: SqliteConnection, runs: Parameters<Store['valuesOf']>[0]): RunValues {
  const wanted = runs
    .map(({ id, startedAt }, place) => [startedAt, id, place] as const)
    .sort(([a], [b]) => a - b);
  const rows = connection.all<readonly [series: number, places: string, values: string]>(
    `WITH wanted (at, id, place) AS MATERIALIZED
       (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))
     SELECT series_id, group_concat(place, ' '), group_concat(iif(value IS NULL, 'NaN', printf('%!.17g', value)), ' ')
     FROM series CROSS JOIN wanted CROSS JOIN series_values
       ON series_id = series.id AND series_values.at = wanted.at AND run_id = wanted.id
     GROUP BY series.id`,
    [JSON.stringify(wanted)],
  );
  const places = rows.map(([, text]) => text.split(' '));
  const count = places.reduce((sum, { length }) => sum + length, 0);
  const columns = {
    series: new Int32Array(count),
    runs: new Int32Array(count),
    values: new Float64Array(count),
  };
  let at = 0;
  for (const [index, [series, , text]] of rows.entries()) {
    const own = places[index] ?? [];
    for (const [number, value] of text.split(' ').entries()) {
      columns.series[at] = series;
      columns.runs[at] = Number(own[number]);
      columns.values[at++] = toNumber(value);
    }
  }
  return columns;
}

/** SQLite prints infinity as Inf. */
function toNumber(text: string): number {
  const value = Number(text);
  return Number.isNaN(value) && /^-?Inf/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : value;
}
