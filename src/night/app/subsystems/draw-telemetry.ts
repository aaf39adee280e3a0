import type { LineFile } from '../../../charts/core/file/chart-file.ts';
import { drawChartFile } from '../../../charts/core/file/draw-chart-file.ts';
import type { PictureMaker } from '../../../charts/core/picture-maker.ts';
import type { PointColumns } from '../../../formats/core/sample.ts';
import { analyzedExperiments, stageStatus } from '../../../home/app/result-files.ts';
import { fileNames } from '../../../home/app/telemetry/record-telemetry.ts';
import type { Task } from '../../../home/core/home.ts';
import { readTelemetryFile, type TelemetryKind } from '../../../home/core/machine/telemetry-file.ts';
import { failure, isTruthy, success } from '../../../home/core/status.ts';
import { timestampMs } from '../../../kit/core/data-series.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { BuiltInSubsystem, SubsystemWork } from './subsystem-work.ts';

/** Draws the newest telemetry of every experiment that has some. */
export const drawTelemetry: BuiltInSubsystem = async (work) => {
  const problems: string[] = [];
  let found = 0;
  for (const task of await analyzedExperiments(work, work.home.tasks)) {
    const run = await stageStatus(work, task, 'run');
    if (!run?.success) continue;
    for (const kind of ['cpu', 'gpu'] as const) {
      if (!isTruthy(run.extra[`run_${kind}_telemetry`] ?? false)) continue;
      try {
        found += await drawNewest(task, kind, work);
      } catch (error) {
        if (!(error instanceof NightmarkError) || error.code === 'DISK_FULL') throw error;
        problems.push(`${task.name}: ${error.message}`);
      }
    }
  }
  if (problems.length > 0) return failure(`Encountered err while generating graphs: ${problems.join('; ')}`);
  return found > 0 ? success('success') : failure('No telemetry data found');
};

const MAX_BYTES = 256 * 1024 * 1024;

/** How many recordings of that kind were drawn: none or one. */
async function drawNewest({ name }: Task, kind: TelemetryKind, work: SubsystemWork): Promise<number> {
  const { layout, disk, tools } = work;
  const dir = joinPath(layout.telemetry(name), kind);
  const newest = newestOf(
    kind,
    (await disk.list(dir)).map((entry) => entry.name),
  );
  const text =
    newest && (await disk.readText(joinPath(dir, newest.file), { maxBytes: MAX_BYTES, within: dir }));
  if (!newest || text === undefined) return 0;
  const { columns } = readTelemetryFile(text, { kind, experiment: name, startedAt: 0 });
  const names = fileNames(columns.map(telemetryName));
  const pictures: PictureMaker = await tools.openPictures();
  const kept = joinPath(layout.telemetry(name), 'graph', newest.label, kind);
  const shown = joinPath(layout.graph(name), `${kind}_telemetry`);
  for (const [index, column] of columns.entries()) {
    const png = await pictures.png(drawChartFile(telemetryChart(column, name)));
    await disk.writeBytes(joinPath(kept, `${names[index]}-${newest.label}.png`), png);
    await disk.writeBytes(joinPath(shown, `${names[index]}.png`), png);
  }
  return columns.length === 0 ? 0 : 1;
}

/** cpu-<label>.json of the last night that has one. */
function newestOf(kind: TelemetryKind, files: readonly string[]) {
  const labelled = files.flatMap((file) => {
    const [, label = '', night = '', count = '1'] =
      new RegExp(`^${kind}-((\\d{2}-\\d{2}-\\d{4}-\\d{4})(?:-(\\d+))?)\\.json$`).exec(file) ?? [];
    return label === '' ? [] : [{ file, label, at: timestampMs(night), count: Number(count) }];
  });
  return labelled.sort((a, b) => a.at - b.at || a.count - b.count).at(-1);
}

/** The name of the graph of a telemetry series: "<group>_<label>", or the field of a GPU, which few machines have several of. */
function telemetryName({ name, tags }: PointColumns): string {
  const group = name.replace(/^(?:cpu|gpu)\./, '');
  const { label, gpu = '0' } = tags;
  if (label !== undefined) return `${group}_${label}`;
  return gpu === '0' ? group : `gpu${gpu}.${group}`;
}

/** Readings over the seconds of the run. */
function telemetryChart(columns: PointColumns, experiment: string): LineFile {
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
