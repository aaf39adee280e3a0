import { metricIdText } from '../../lines/metric-id-text.ts';
import type { JobMetric, JobMetricField } from '../../model/job.ts';
import type { JsonObject } from '../../text/json.ts';

type Value = number | boolean | string;

/** A job with more metrics than this is no experiment but an accident: the others still become points. */
const MOST_METRICS = 1_000;

/** The newest, smallest and largest value of each metric of one rank. */
export class MetricBook {
  readonly #worker: number | undefined;
  readonly #md5: (text: string) => string;
  readonly #byText = new Map<string, JobMetric>();
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
    { measurement, tags }: { readonly measurement: string; readonly tags: JsonObject },
    values: readonly (readonly [string, Value])[],
  ): void {
    const text = metricIdText(measurement, tags, this.#worker);
    const known = this.#byText.get(text);
    if (!known && this.#byText.size >= MOST_METRICS) return;
    const fields = { ...known?.fields };
    for (const [field, value] of values) fields[field] = laidOver(fields[field], value);
    const worker = this.#worker === undefined ? {} : { worker: this.#worker };
    this.#byText.set(text, {
      id: known?.id ?? this.#md5(text),
      measurement,
      tags: known?.tags ?? { ...tags, ...worker },
      fields,
    });
    this.#changed.add(text);
  }

  takeChanged(): readonly JobMetric[] {
    const changed = [...this.#changed].flatMap((text) => this.#byText.get(text) ?? []);
    this.#changed.clear();
    return changed;
  }
}

function laidOver(known: JobMetricField | undefined, value: Value): JobMetricField {
  const count = (known?.count ?? 0) + 1;
  const { min: oldMin, max: oldMax } = known ?? {};
  const old = { ...(oldMin !== undefined && { min: oldMin }), ...(oldMax !== undefined && { max: oldMax }) };
  if (typeof value !== 'number') return { ...old, count, last: value };
  // JSON has no words for them.
  if (!Number.isFinite(value))
    return { ...old, count, last: Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf' };
  return { count, last: value, min: Math.min(oldMin ?? value, value), max: Math.max(oldMax ?? value, value) };
}
