import { metricIdText } from '../../metrics/core/lines/format-line.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { JobMetric, JobMetricField } from './job.ts';

type Value = number | boolean | string;

/** More metrics than this are an accident; those beyond it still become points. */
const MAX_METRICS = 1_000;

/** The newest, smallest and largest value of each metric of one rank. */
export class MetricSummaries {
  readonly #worker: number | undefined;
  readonly #md5: (text: string) => string;
  /** By the given id, else by the text that is hashed for the id: cheaper than a hash for each value. */
  readonly #byKey = new Map<string, JobMetric>();
  readonly #changed = new Set<string>();

  constructor({
    job,
    rank,
    md5,
  }: {
    readonly job: { readonly workers: number };
    readonly rank: number;
    readonly md5: (text: string) => string;
  }) {
    this.#worker = job.workers > 1 ? rank : undefined;
    this.#md5 = md5;
  }

  add(
    {
      measurement,
      tags,
      id,
    }: { readonly measurement: string; readonly tags: JsonObject; readonly id?: string },
    values: readonly (readonly [string, Value])[],
  ): void {
    const key = id ?? metricIdText(measurement, tags, this.#worker);
    const known = this.#byKey.get(key);
    if (!known && this.#byKey.size >= MAX_METRICS) return;
    const fields = { ...known?.fields };
    for (const [field, value] of values) fields[field] = extendSummary(fields[field], value);
    const worker = this.#worker === undefined ? {} : { worker: this.#worker };
    this.#byKey.set(key, {
      id: known?.id ?? id ?? this.#md5(key),
      measurement,
      tags: known?.tags ?? { ...tags, ...worker },
      fields,
    });
    this.#changed.add(key);
  }

  takeChanged(): readonly JobMetric[] {
    const changed = [...this.#changed].flatMap((key) => this.#byKey.get(key) ?? []);
    this.#changed.clear();
    return changed;
  }
}

function extendSummary(known: JobMetricField | undefined, value: Value): JobMetricField {
  const count = (known?.count ?? 0) + 1;
  const { min: oldMin, max: oldMax } = known ?? {};
  const old = { ...(oldMin !== undefined && { min: oldMin }), ...(oldMax !== undefined && { max: oldMax }) };
  if (typeof value !== 'number') return { ...old, count, last: value };
  // JSON has no literals for them.
  if (!Number.isFinite(value))
    return { ...old, count, last: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' };
  return { count, last: value, min: Math.min(oldMin ?? value, value), max: Math.max(oldMax ?? value, value) };
}
