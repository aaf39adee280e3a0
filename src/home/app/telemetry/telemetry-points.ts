import type { PointColumns } from '../../../formats/core/sample.ts';
import { telemetryIdentity } from '../../core/machine/telemetry-file.ts';
import { telemetryNumber } from '../../core/machine/telemetry-value.ts';
import type { TelemetryColumn } from './telemetry-columns.ts';
import type { RecordedColumns } from './write-telemetry.ts';

/** The recording as series for the store: numbers only, with the names that a reading of the files gives. */
export function telemetryPoints(
  experiment: string,
  startedAt: number,
  recorded: RecordedColumns,
): readonly PointColumns[] {
  return (['cpu', 'gpu'] as const).flatMap((kind) =>
    recorded[kind].flatMap((column) => {
      const points = toPoints(column, startedAt);
      if (points.times.length === 0) return [];
      return [{ ...telemetryIdentity(kind, experiment, column), unit: column.unit, ...points }];
    }),
  );
}

function toPoints(column: TelemetryColumn, startedAt: number): Pick<PointColumns, 'times' | 'values'> {
  const times = new Float64Array(column.length);
  const values = new Float64Array(column.length);
  let count = 0;
  for (let index = 0; index < column.length; index++) {
    const value = column.valueAt(index);
    const number = typeof value === 'number' ? value : telemetryNumber(value)?.value;
    if (number === undefined) continue;
    times[count] = Math.round(startedAt + column.elapsedAt(index) * 1000);
    values[count] = number;
    count++;
  }
  return { times: times.slice(0, count), values: values.slice(0, count) };
}
