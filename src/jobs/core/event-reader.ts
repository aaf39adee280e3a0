import { formatLines, type LineTags } from '../../metrics/core/lines/format-line.ts';
import type { Timestamp } from '../../metrics/core/points/points.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { Job, JobMetric, JobTiming } from './job.ts';
import type { JobReport } from './job-queue.ts';
import { MetricSummaries } from './metric-summaries.ts';

/** Longer lines are refused, and their text is dropped. */
const LINE_BYTES = 4 * 1024 * 1024;

export interface EventSource {
  readonly job: Pick<Job, 'id' | 'user' | 'project' | 'experiment' | 'name' | 'workers'>;
  readonly rank: number;
  readonly host: string;
  md5(text: string): string;
  now(): number;
}

/**
 * Parses the events file that a job appends to, into reports for the queue and points. Chunks may end anywhere. Lines
 * that are not events are counted, and do not stop the rest.
 */
export class EventReader {
  readonly #source: EventSource;
  readonly #metrics: MetricSummaries;
  readonly #tags: LineTags;
  #rest = '';
  #isSkipping = false;
  #refused = 0;
  #firstRefusal: string | undefined;

  constructor(source: EventSource) {
    this.#source = source;
    this.#metrics = new MetricSummaries(source);
    const { id, user, project, experiment, name, workers } = source.job;
    const worker = workers > 1 ? { worker: source.rank } : {};
    this.#tags = { host: source.host, user, job_id: id, project, experiment, job: name, ...worker };
  }

  get refused(): number {
    return this.#refused;
  }

  /** The first refused line with the reason. */
  get firstRefusal(): string | undefined {
    return this.#firstRefusal;
  }

  /** `isLast`: the file will not grow any more, so a line without a line end is complete. */
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
    const batch = new EventCollector();
    for (const line of lines) if (line.trim() !== '') this.#readLine(line, batch);
    return batch.finish(this.#metrics.takeChanged());
  }

  #readLine(line: string, batch: EventCollector): void {
    let event: JsonValue;
    try {
      event = JSON.parse(line) as JsonValue;
    } catch {
      this.#refuse(line, 'it is not JSON');
      return;
    }
    const why = isJsonObject(event) ? this.#take(event, batch) : 'it is not an object';
    if (why !== undefined) this.#refuse(line, why);
  }

  /** Returns why the event was refused. */
  #take(event: JsonObject, batch: EventCollector): string | undefined {
    switch (event['type']) {
      case 'info':
        return isJsonObject(event['values']) ? batch.info(event['values']) : 'it has no "values"';
      case 'config':
        return isJsonObject(event['config']) ? batch.config(event['config']) : 'it has no "config"';
      case 'image':
        return batch.image(event['key'], event['path']);
      case 'runtime':
        return batch.timing(event, this.#source.rank);
      case 'exception':
        return batch.exception(event);
      case 'cancelled':
        return batch.cancelled(event['signal']);
      case 'metric':
        return this.#takeMetric(event, batch);
      default:
        return `its type ${JSON.stringify(event['type'] ?? null)} is unknown`;
    }
  }

  #takeMetric(
    { measurement, fields, tags = {}, time, id }: JsonObject,
    batch: EventCollector,
  ): string | undefined {
    if (typeof measurement !== 'string' || measurement === '') return 'a metric needs a "measurement"';
    if (!isJsonObject(fields)) return 'a metric needs "fields"';
    if (!isJsonObject(tags)) return 'its "tags" are not an object';
    const values = Object.entries(fields).flatMap(([field, value]) => {
      const parsed = parseFieldValue(value);
      return parsed === undefined ? [] : [[field, parsed] as const];
    });
    if (values.length === 0) return 'none of its fields has a value';
    this.#metrics.add({ measurement, tags, ...(isMetricId(id) && { id }) }, values);
    const own = Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, tagValue(value)]));
    const at = parseTime(time) ?? { ms: this.#source.now(), ns: 0 };
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

/** JSON has no literals for these. */
const NOT_FINITE: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

function parseFieldValue(value: JsonValue): number | boolean | string | undefined {
  if (typeof value === 'string') return NOT_FINITE[value] ?? value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** Python sends the id itself, because it distinguishes more types than JSON: 1 and 1.0 are two tags. */
function isMetricId(id: JsonValue | undefined): id is string {
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id);
}

function tagValue(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function parseTime(time: JsonValue | undefined): Timestamp | undefined {
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0 || time > 9e9) return undefined;
  const ms = Math.floor(time * 1000);
  // Seconds as a double are good to a quarter of a microsecond.
  const micros = Math.floor((time * 1000 - ms) * 1000);
  return { ms, ns: micros * 1000 };
}

export interface EventBatch {
  readonly news: JobReport;
  /** Line protocol of the metrics. */
  readonly points: readonly string[];
  readonly exception?: JobException;
  /** The signal that stopped the program, if it reported one. */
  readonly cancelledBy?: string;
}

export interface JobException {
  readonly exception: string;
  readonly traceback: string;
}

/** Collects the events of one chunk. Each method returns why an event was refused. */
class EventCollector {
  #config: JsonObject | undefined;
  #info: Record<string, JsonValue> = {};
  readonly #images = new Map<string, string>();
  readonly #timings = new Map<string, JobTiming>();
  readonly #points: string[] = [];
  #exception: JobException | undefined;
  #cancelledBy: string | undefined;

  info(values: JsonObject): undefined {
    this.#info = { ...this.#info, ...values };
  }

  config(config: JsonObject): undefined {
    this.#config = config;
  }

  image(key: JsonValue | undefined, path: JsonValue | undefined): string | undefined {
    if (typeof key !== 'string' || typeof path !== 'string') return 'an image needs "key" and "path"';
    this.#images.set(key, path);
    return undefined;
  }

  timing({ event, mean, std = 0, instances }: JsonObject, rank: number): string | undefined {
    if (typeof event !== 'string' || typeof mean !== 'number') return 'a runtime needs "event" and "mean"';
    const numbers = {
      std: typeof std === 'number' ? std : 0,
      instances: typeof instances === 'number' ? instances : 1,
    };
    // Readers of the old monitor took dots for levels.
    const name = event.replaceAll('.', '_');
    this.#timings.set(name, { event: name, rank, mean, ...numbers });
    return undefined;
  }

  exception({ exception, traceback }: JsonObject): string | undefined {
    if (typeof exception !== 'string') return 'an exception needs a text';
    this.#exception = { exception, traceback: typeof traceback === 'string' ? traceback : '' };
    return undefined;
  }

  cancelled(signal: JsonValue | undefined): string | undefined {
    if (typeof signal !== 'string' || !/^SIG[A-Z0-9]{1,10}$/.test(signal))
      return 'a cancel needs its "signal"';
    this.#cancelledBy = signal;
    return undefined;
  }

  points(lines: readonly string[]): void {
    this.#points.push(...lines);
  }

  finish(metrics: readonly JobMetric[]): EventBatch {
    const news: JobReport = {
      ...(this.#config && { config: this.#config }),
      ...(Object.keys(this.#info).length > 0 && { info: this.#info }),
      ...(this.#images.size > 0 && { images: Object.fromEntries(this.#images) }),
      ...(this.#timings.size > 0 && { timings: [...this.#timings.values()] }),
      ...(metrics.length > 0 && { metrics }),
    };
    return {
      news,
      points: this.#points,
      ...(this.#exception && { exception: this.#exception }),
      ...(this.#cancelledBy !== undefined && { cancelledBy: this.#cancelledBy }),
    };
  }
}
