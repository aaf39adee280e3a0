import type { PointReader } from '../../metrics/core/points/point-reader.ts';
import type { StoredColumn } from '../../metrics/core/points/point-storage.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { Job, JobMetric } from '../core/job.ts';

/** One metric of a job: what the job told of it, and the columns that hold its values. */
export interface JobSeries {
  readonly measurement: string;
  /** Its own: those that every metric of a job has are left out. */
  readonly tags: JsonObject;
  readonly columns: readonly StoredColumn[];
  /** The newest and the extreme values; absent for points that came by another way than the job's events. */
  readonly summary?: JobMetric;
}

/** Put to every metric of a job, by us and by Telegraf. */
const COMMON_TAGS = new Set(['host', 'user', 'job_id', 'project', 'experiment', 'job', 'influxdb_database']);

/** Finds series of many jobs with one look at the columns. */
export class SeriesFinder {
  readonly #reader: PointReader | undefined;
  #byJob: ReadonlyMap<string, readonly StoredColumn[]> | undefined;

  constructor(reader: PointReader | undefined) {
    this.#reader = reader;
  }

  /** Those that the job told of, then others that carry its id, in whatever database they are. */
  seriesOf(job: Pick<Job, 'id' | 'metrics'>): readonly JobSeries[] {
    const groups = new Map<string, StoredColumn[]>();
    for (const column of this.columnsOf(job.id)) {
      const own = column.tags.filter(([key]) => !COMMON_TAGS.has(key));
      const key = keyOf(column.measurement, own);
      const group = groups.get(key);
      if (group) group.push(column);
      else groups.set(key, [column]);
    }
    const told = job.metrics.map((metric) => withColumns(metric, groups));
    const known = new Set(job.metrics.map(keyOfMetric));
    const others = [...groups].filter(([key]) => !known.has(key)).map(([, columns]) => untold(columns));
    return [...told, ...others.sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1))];
  }

  /** Everything that carries the id of a job. */
  columnsOf(id: string): readonly StoredColumn[] {
    this.#byJob ??= this.#columnsByJob();
    return this.#byJob.get(id) ?? [];
  }

  #columnsByJob(): ReadonlyMap<string, readonly StoredColumn[]> {
    const found = new Map<string, StoredColumn[]>();
    const reader = this.#reader;
    for (const database of reader?.databases() ?? []) {
      for (const column of reader?.columns(database) ?? []) {
        const id = column.tags.find(([key]) => key === 'job_id')?.[1];
        if (id === undefined) continue;
        const columns = found.get(id);
        if (columns) columns.push(column);
        else found.set(id, [column]);
      }
    }
    return found;
  }
}

function withColumns(metric: JobMetric, groups: ReadonlyMap<string, readonly StoredColumn[]>): JobSeries {
  const { measurement, tags } = metric;
  // A metric may have a tag that is called like a common one: then that one tells columns apart, too.
  const extra = tagTexts(tags).filter(([key]) => COMMON_TAGS.has(key));
  const columns = (groups.get(keyOfMetric(metric)) ?? []).filter((column) =>
    extra.every(([key, value]) => column.tags.some(([name, text]) => name === key && text === value)),
  );
  return { measurement, tags, columns, summary: metric };
}

function untold(columns: readonly StoredColumn[]): JobSeries {
  const { measurement = '', tags = [] } = columns[0] ?? {};
  return {
    measurement,
    tags: Object.fromEntries(tags.filter(([key]) => !COMMON_TAGS.has(key))),
    columns,
  };
}

function keyOfMetric({ measurement, tags }: JobMetric): string {
  return keyOf(
    measurement,
    tagTexts(tags).filter(([key]) => !COMMON_TAGS.has(key)),
  );
}

function keyOf(measurement: string, tags: readonly (readonly [string, string])[]): string {
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([measurement, sorted]);
}

function orderKey({ measurement, tags }: JobSeries): string {
  return keyOf(measurement, tagTexts(tags));
}

/** As line protocol has them: it drops tags without a value, and says booleans as Python does. */
function tagTexts(tags: JsonObject): readonly (readonly [string, string])[] {
  return Object.entries(tags)
    .map(([key, value]) => [key, tagText(value)] as const)
    .filter(([key, text]) => key !== '' && text !== '');
}

/** The text of a tag, as filters compare it. */
export function tagText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
