import { curveFromJson } from '../../charts/core/curves/curve.ts';
import type { Payload } from '../../formats/core/kpi/kpi.ts';
import type { Store } from '../../home/core/store.ts';
import type { Job } from '../../jobs/core/job.ts';
import type { JobQueue } from '../../jobs/core/job-queue.ts';
import type { PointReader } from '../../metrics/core/points/point-reader.ts';
import type { StoredColumn } from '../../metrics/core/points/point-storage.ts';
import type { ColumnValues } from '../../metrics/core/points/points.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { isUsualValue } from '../core/curve-table.ts';
import { nameBySettings, namingSettings } from '../core/name-curve.ts';
import type { CurveFile } from './find-curves.ts';

const JOBS = 500;
const MOST_CURVES = 400;
const MOST_VALUES = 5_000;

/** Metrics of jobs that are learning curves by their name ("return", "reward"), where they were logged with a step. */
export async function jobCurves(queue: JobQueue, reader: PointReader): Promise<readonly CurveFile[]> {
  const jobs = new Map((await queue.list({ limit: JOBS })).map((job) => [job.id, job]));
  if (jobs.size === 0) return [];
  const found: CurveFile[] = [];
  for (const database of reader.databases()) {
    for (const { id, value, step } of curveColumns(reader.columns(database))) {
      const job = jobs.get(id);
      if (!job || found.length >= MOST_CURVES) continue;
      const file = await readCurve(job, { value, step }, reader);
      if (file) found.push(file);
    }
  }
  return found;
}

interface Pair {
  readonly value: StoredColumn;
  readonly step: StoredColumn;
}

/** Values with their steps, by job. */
function curveColumns(columns: readonly StoredColumn[]): readonly (Pair & { readonly id: string })[] {
  const series = new Map<string, Map<string, StoredColumn>>();
  for (const column of columns) {
    if (!isUsualValue(column.measurement) || (column.field !== 'value' && column.field !== 'step')) continue;
    const key = JSON.stringify([column.measurement, column.tags]);
    const fields = series.get(key) ?? new Map<string, StoredColumn>();
    series.set(key, fields.set(column.field, column));
  }
  return [...series.values()].flatMap((fields) => {
    const [value, step] = [fields.get('value'), fields.get('step')];
    const id = value?.tags.find(([key]) => key === 'job_id')?.[1];
    return value && step && id !== undefined ? [{ id, value, step }] : [];
  });
}

async function readCurve(
  job: Job,
  { value, step }: Pair,
  reader: PointReader,
): Promise<CurveFile | undefined> {
  const last = { last: MOST_VALUES };
  const values = await reader.read(value.number, {}, last);
  const steps = stepsByMoment(await reader.read(step.number, {}, last));
  const [x, y]: [number[], number[]] = [[], []];
  for (const [place, number] of (values.numbers ?? []).entries()) {
    const at = steps.get(timestampKey(values, place));
    if (at === undefined) continue;
    x.push(at);
    y.push(number);
  }
  if (x.length === 0) return undefined;
  const columns = new Map([
    ['step', Float64Array.from(x)],
    [value.measurement, Float64Array.from(y)],
  ]);
  const { git, id, experiment, config } = job;
  const named = nameBySettings(namingSettings(config), experiment);
  const commit = git ? { commit: `${git.commit}${git.isDirty ? '-dirty' : ''}` } : {};
  const table = { ...named, seed: named.seed ?? id.slice(-6), edition: 'jobs', columns, ...commit };
  return { path: `job ${id}`, at: values.timestamps.ms.at(-1) ?? job.createdAt, tables: [table] };
}

function stepsByMoment(steps: ColumnValues): ReadonlyMap<string, number> {
  return new Map(
    Array.from(steps.numbers ?? [], (step, place) => [timestampKey(steps, place), step] as const),
  );
}

function timestampKey({ timestamps: { ms, ns } }: ColumnValues, place: number): string {
  return `${ms[place]} ${ns[place]}`;
}

/** Tests whose results are searched for curves: the newest. */
const MOST_TESTS = 1_000;

/** Curves among the results of tests: fields that a workload declares as one. */
export async function payloadCurves(store: Store | undefined): Promise<readonly CurveFile[]> {
  const payloads = (await store?.payloads({ limit: MOST_TESTS })) ?? [];
  return payloads.flatMap((payload) => {
    const tables = tablesOf(payload);
    const path = `test ${payload.metadata.test_uuid}`;
    return tables.length === 0 ? [] : [{ path, at: Date.parse(payload.metadata.start) || 0, tables }];
  });
}

function tablesOf({ metadata, results }: Payload): CurveFile['tables'] {
  if (!isJsonObject(results)) return [];
  const settings = isJsonObject(metadata.settings) ? metadata.settings : {};
  const workload = typeof metadata['workload'] === 'string' ? metadata['workload'] : 'tests';
  const named = nameBySettings(settings, workload);
  return Object.entries(results).flatMap(([field, value]) =>
    curvesIn(value).map(({ x, y }, place, all) => {
      const columns = new Map([
        ['x', x],
        [field, y],
      ]);
      const seed = all.length > 1 ? { seed: `${named.seed ?? ''} ${place + 1}`.trim() } : {};
      // The same settings again are a newer run of the same: the newest counts.
      return { ...named, ...seed, edition: 'tests', columns };
    }),
  );
}

function curvesIn(value: JsonValue) {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => curveFromJson(one) ?? []);
}
