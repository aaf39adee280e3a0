import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { JobMetric, JobTiming } from '../job.ts';
import type { JobNews } from '../job-queue.ts';

export interface EventBatch {
  readonly news: JobNews;
  /** Line protocol of the metrics. */
  readonly points: readonly string[];
  readonly exception?: JobException;
  /** The signal by which somebody told the program to stop, where it said so. */
  readonly cancelledBy?: string;
}

export interface JobException {
  readonly exception: string;
  readonly traceback: string;
}

/** What one piece of the events file says, laid together. Each method says why an event could not be taken. */
export class GatheredNews {
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
    const news: JobNews = {
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
