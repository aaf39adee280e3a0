import { createHash } from 'node:crypto';
import { metricIdText } from '../metrics/core/lines/format-line.ts';
import type { JsonObject } from '../platform/core/text/json.ts';

/** The id of a metric in Job Monitor; `worker` only where a job has several. */
export function metricId(measurement: string, tags: JsonObject = {}, worker?: number): string {
  return createHash('md5')
    .update(metricIdText(measurement, tags, worker))
    .digest('hex');
}
