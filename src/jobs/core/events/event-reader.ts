import { formatLines, type LineTags } from '../../../metrics/core/lines/format-line.ts';
import type { Timestamp } from '../../../metrics/core/points/points.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Job } from '../job.ts';
import { type EventBatch, GatheredNews } from './gathered-news.ts';
import { MetricBook } from './metric-book.ts';

/** A line beyond this is no event of ours; its text is not kept. */
const LINE_BYTES = 4 * 1024 * 1024;

export interface EventSurroundings {
  readonly job: Pick<Job, 'id' | 'user' | 'project' | 'experiment' | 'name' | 'workers'>;
  readonly rank: number;
  readonly host: string;
  md5(text: string): string;
  now(): number;
}

/**
 * Turns what a job appends to its events file into news for the queue and points. Pieces may end anywhere. Whatever is
 * no event is counted, and never stops the rest.
 */
export class EventReader {
  readonly #around: EventSurroundings;
  readonly #metrics: MetricBook;
  readonly #tags: LineTags;
  #rest = '';
  #isSkipping = false;
  #refused = 0;
  #firstRefusal: string | undefined;

  constructor(around: EventSurroundings) {
    this.#around = around;
    this.#metrics = new MetricBook(around);
    const { id, user, project, experiment, name, workers } = around.job;
    const worker = workers > 1 ? { worker: around.rank } : {};
    this.#tags = { host: around.host, user, job_id: id, project, experiment, job: name, ...worker };
  }

  get refused(): number {
    return this.#refused;
  }

  /** The first line that was refused and why, for people. */
  get firstRefusal(): string | undefined {
    return this.#firstRefusal;
  }

  /** `isLast`: the file will not grow any more, so a line without an end is a whole one. */
  read(text: string, isLast = false): EventBatch {
    const lines = (this.#rest + text).split('\n');
    const rest = lines.pop() ?? '';
    this.#rest = isLast ? '' : rest;
    if (isLast && rest !== '') lines.push(rest);
    if (this.#isSkipping && lines.length > 0) {
      lines.shift();
      this.#isSkipping = false;
    }
    if (this.#rest.length > LINE_BYTES) {
      if (!this.#isSkipping) this.#refuse(this.#rest, 'it is longer than 4 MiB');
      this.#isSkipping = true;
      this.#rest = '';
    }
    const batch = new GatheredNews();
    for (const line of lines) if (line.trim() !== '') this.#readLine(line, batch);
    return batch.finish(this.#metrics.takeChanged());
  }

  #readLine(line: string, batch: GatheredNews): void {
    let event: JsonValue;
    try {
      event = JSON.parse(line) as JsonValue;
    } catch {
      this.#refuse(line, 'it is no JSON');
      return;
    }
    const why = isJsonObject(event) ? this.#take(event, batch) : 'it is no object';
    if (why !== undefined) this.#refuse(line, why);
  }

  /** Why it could not be taken. */
  #take(event: JsonObject, batch: GatheredNews): string | undefined {
    switch (event['type']) {
      case 'info':
        return isJsonObject(event['values']) ? batch.info(event['values']) : 'it has no "values"';
      case 'config':
        return isJsonObject(event['config']) ? batch.config(event['config']) : 'it has no "config"';
      case 'image':
        return batch.image(event['key'], event['path']);
      case 'runtime':
        return batch.timing(event, this.#around.rank);
      case 'exception':
        return batch.exception(event);
      case 'cancelled':
        return batch.cancelled(event['signal']);
      case 'metric':
        return this.#takeMetric(event, batch);
      default:
        return `its type ${JSON.stringify(event['type'] ?? null)} is not known`;
    }
  }

  #takeMetric(
    { measurement, fields, tags = {}, time, id }: JsonObject,
    batch: GatheredNews,
  ): string | undefined {
    if (typeof measurement !== 'string' || measurement === '') return 'a metric needs a "measurement"';
    if (!isJsonObject(fields)) return 'a metric needs "fields"';
    if (!isJsonObject(tags)) return 'its "tags" are no object';
    const values = Object.entries(fields).flatMap(([field, value]) => {
      const known = fieldValue(value);
      return known === undefined ? [] : [[field, known] as const];
    });
    if (values.length === 0) return 'none of its fields has a value';
    this.#metrics.add({ measurement, tags, ...(isMetricId(id) && { id }) }, values);
    const own = Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, tagValue(value)]));
    const at = momentOf(time) ?? { ms: this.#around.now(), ns: 0 };
    batch.points(
      formatLines({ measurement, tags: { ...this.#tags, ...own }, fields: Object.fromEntries(values), at }),
    );
    return undefined;
  }

  #refuse(line: string, why: string): void {
    this.#refused++;
    this.#firstRefusal ??= `${why}: ${line.slice(0, 200)}`;
  }
}

/** JSON has no words for these. */
const NOT_FINITE: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

function fieldValue(value: JsonValue): number | boolean | string | undefined {
  if (typeof value === 'string') return NOT_FINITE[value] ?? value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Whoever knows more types than JSON says the id itself: 1 and 1.0 are two tags in Python. */
function isMetricId(id: JsonValue | undefined): id is string {
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id);
}

function tagValue(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function momentOf(time: JsonValue | undefined): Timestamp | undefined {
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0 || time > 9e9) return undefined;
  const ms = Math.floor(time * 1000);
  // Seconds as a double are good to a quarter of a microsecond.
  const micros = Math.floor((time * 1000 - ms) * 1000);
  return { ms, ns: micros * 1000 };
}
