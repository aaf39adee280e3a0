import type { LineFile } from '../../../charts/core/file/chart-file.ts';
import type { PointColumns } from '../../../formats/core/sample.ts';

/** The name of the graph of a telemetry series: "<group>_<label>", or the field of a GPU, which few machines have several of. */
export function telemetryName({ name, tags }: PointColumns): string {
  const group = name.replace(/^(?:cpu|gpu)\./, '');
  const { label, gpu = '0' } = tags;
  if (label !== undefined) return `${group}_${label}`;
  return gpu === '0' ? group : `gpu${gpu}.${group}`;
}

/** Readings over the seconds of the run. */
export function telemetryChart(columns: PointColumns, experiment: string): LineFile {
  const { times, values, unit } = columns;
  const x = Array.from(times, (time) => time / 1000);
  return {
    chart: 'line',
    title: `${experiment}: ${telemetryName(columns)}`,
    xTitle: 'seconds since the start',
    yTitle: unit === '' ? 'reading' : unit,
    series: [{ x, y: Array.from(values) }],
  };
}
