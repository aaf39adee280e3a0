import type { PointColumns, SampleSet } from '../../../formats/core/sample.ts';
import type { Bindable, SqliteConnection } from '../../../platform/adapters/sqlite.ts';
import type { Store } from '../../core/store.ts';

type PointMethods = Pick<Store, 'appendPoints' | 'pointsOf'>;
type SegmentRow = readonly [firstAt: number, times: Uint8Array, values: Uint8Array];
type PointRow = readonly [name: string, tags: string, unit: string, times: Uint8Array, values: Uint8Array];

interface Segment {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export function pointTable(connection: SqliteConnection): PointMethods {
  return {
    async appendPoints(runId, columns) {
      connection.atomically(() => {
        for (const column of columns) append(connection, runId, column);
      });
    },

    async pointsOf(runId) {
      const rows = connection.all<PointRow>(
        `SELECT name, tags, unit, times, point_values FROM point_columns
         WHERE run_id = ? ORDER BY name, tags, first_at`,
        [runId],
      );
      return joinSegments(rows);
    },
  };
}

/** A segment replaces what was stored for its range of time, so that appending it again changes nothing. */
function append(
  connection: SqliteConnection,
  runId: string,
  { name, tags, unit, ...column }: PointColumns,
): void {
  const added = sorted(column);
  const [first, last] = [added.times[0], added.times.at(-1)];
  if (first === undefined || last === undefined) return;
  const key = [runId, name, JSON.stringify(Object.fromEntries(Object.entries(tags).sort(byKey)))];
  const overlapping = overlappingSegments(connection, [...key, last, first]);
  const known = overlapping.map(([, times, values]) => ({
    times: fromBlob(times),
    values: fromBlob(values),
  }));
  const merged = concatenate([
    ...known.map((segment) => where(segment, (at) => at < first)),
    added,
    ...known.map((segment) => where(segment, (at) => at > last)),
  ]);
  for (const [firstAt] of overlapping) {
    connection.run('DELETE FROM point_columns WHERE run_id = ? AND name = ? AND tags = ? AND first_at = ?', [
      ...key,
      firstAt,
    ]);
  }
  connection.run(
    `INSERT INTO point_columns (run_id, name, tags, first_at, last_at, unit, times, point_values)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [...key, merged.times[0], merged.times.at(-1), unit, toBlob(merged.times), toBlob(merged.values)],
  );
}

function overlappingSegments(connection: SqliteConnection, span: readonly Bindable[]): readonly SegmentRow[] {
  const condition = 'run_id = ? AND name = ? AND tags = ? AND first_at <= ? AND last_at >= ?';
  const isKnown = connection.first(`SELECT 1 FROM point_columns WHERE ${condition} LIMIT 1`, span);
  if (!isKnown) return [];
  return connection.all<SegmentRow>(
    `SELECT first_at, times, point_values FROM point_columns WHERE ${condition} ORDER BY first_at`,
    span,
  );
}

function joinSegments(rows: readonly PointRow[]): PointColumns[] {
  const groups = new Map<string, PointRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row[0], row[1]]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((group) => {
    const [name = '', tags = '{}', unit = ''] = group[0] ?? [];
    const segments = group.map(([, , , times, values]) => ({
      times: fromBlob(times),
      values: fromBlob(values),
    }));
    return { name, tags: JSON.parse(tags) as Record<string, string>, unit, ...concatenate(segments) };
  });
}

function sorted({ times, values }: Segment): Segment {
  const isSorted = times.every((at, index) => index === 0 || at >= (times[index - 1] ?? at));
  if (isSorted && times.length === values.length) return { times, values };
  const order = Array.from(times.subarray(0, values.length).keys());
  order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  return pick({ times, values }, order);
}

function where(segment: Segment, isWanted: (at: number) => boolean): Segment {
  const order = Array.from(segment.times.keys()).filter((index) =>
    isWanted(segment.times[index] ?? Number.NaN),
  );
  return pick(segment, order);
}

function pick({ times, values }: Segment, order: readonly number[]): Segment {
  return {
    times: Float64Array.from(order, (index) => times[index] ?? Number.NaN),
    values: Float64Array.from(order, (index) => values[index] ?? Number.NaN),
  };
}

function concatenate(segments: readonly Segment[]): Segment {
  const length = segments.reduce((sum, { times }) => sum + times.length, 0);
  const [times, values] = [new Float64Array(length), new Float64Array(length)];
  let at = 0;
  for (const segment of segments) {
    times.set(segment.times, at);
    values.set(segment.values, at);
    at += segment.times.length;
  }
  return { times, values };
}

const byKey = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : a > b ? 1 : 0);

type SampleMethods = Pick<Store, 'saveSamples' | 'samplesOf'>;
type SampleRow = readonly [
  benchmark: string,
  metric: string,
  unit: string,
  better: SampleSet['better'],
  settings: string,
  values: Uint8Array,
  original: string | null,
];

const COLUMNS = 'benchmark, metric, unit, better, settings, sample_values, original';

export function sampleTable(connection: SqliteConnection): SampleMethods {
  return {
    async saveSamples(runId, task, samples) {
      connection.atomically(() => {
        connection.run('DELETE FROM samples WHERE run_id = ? AND task = ?', [runId, task]);
        for (const [position, set] of samples.entries()) {
          const { benchmark, metric, unit, better, settings, values, original } = set;
          connection.run(
            `INSERT INTO samples (run_id, task, position, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            [
              runId,
              task,
              position,
              JSON.stringify(benchmark),
              metric,
              unit,
              better,
              JSON.stringify(settings),
              toBlob(values),
              original ?? null,
            ],
          );
        }
      });
    },

    samplesOf: async (runId, task) =>
      connection
        .all<SampleRow>(`SELECT ${COLUMNS} FROM samples WHERE run_id = ? AND task = ? ORDER BY position`, [
          runId,
          task,
        ])
        .map(toSampleSet),
  };
}

function toSampleSet([benchmark, metric, unit, better, settings, values, original]: SampleRow): SampleSet {
  return {
    benchmark: JSON.parse(benchmark) as string[],
    metric,
    unit,
    better,
    values: Array.from(fromBlob(values)),
    settings: JSON.parse(settings) as SampleSet['settings'],
    ...(original !== null && { original }),
  };
}

/** Numbers as 64-bit floats in a blob: exact, compact, and read without an object per number. */
function toBlob(values: ArrayLike<number>): Uint8Array {
  const column = values instanceof Float64Array ? values : Float64Array.from(values);
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
}

function fromBlob(blob: Uint8Array): Float64Array {
  // A copy: the bytes of the driver may begin where no Float64Array can.
  const bytes = new Uint8Array(blob.byteLength - (blob.byteLength % 8));
  bytes.set(blob.subarray(0, bytes.byteLength));
  return new Float64Array(bytes.buffer);
}
