import { IngestCounters } from '../../src/metrics/core/lines/ingest-counters.ts';
import { readLines } from '../../src/metrics/core/lines/read-lines.ts';
import type { PointWriter } from '../../src/metrics/core/points/point-reader.ts';
import { ColumnRegistry } from '../../src/metrics/core/series/column-registry.ts';

/** A writer that keeps points in memory, and shows them as text: "measurement,tag=value field=value type". */
export function memoryPoints(databases: readonly string[]) {
  const book = new ColumnRegistry();
  const points: string[] = [];
  const times: string[] = [];
  const writer: PointWriter = {
    hasDatabase: (name) => databases.includes(name),
    async write({ body, ...record }) {
      const { rows, ...read } = readLines(body, book, record);
      for (let i = 0; i < rows.count; i++) {
        const { measurement, tags, field, type } = book.at(rows.column[i] as number);
        const raw = rows.value[i] as number;
        const value = rows.isOther[i] === 1 ? rows.others[raw] : raw;
        const head = [measurement, ...tags.map(([key, text]) => `${key}=${text}`)].join();
        points.push(`${head} ${field}=${Object.is(value, -0) ? '-0' : value} ${type}`);
        times.push(`${rows.timestamps.ms[i]}+${rows.timestamps.ns[i]}`);
      }
      return { ...read, values: rows.count };
    },
  };
  return { writer, points, times, counters: new IngestCounters(), book };
}
