import { type JsonObject, pythonJson } from '../../../platform/core/text/json.ts';
import { compareCodePoints } from '../../../platform/core/text/text-order.ts';

/**
 * The text whose MD5 is the id of a metric in Job Monitor: measurement, tags and, where there are several, the worker, as
 * Python's json.dumps writes them with sorted keys.
 */
export function metricIdText(measurement: string, tags: JsonObject, worker?: number): string {
  const all: JsonObject = { measurement, ...tags, ...(worker !== undefined && { worker }) };
  const keys = Object.keys(all).sort(compareCodePoints);
  // An object would put keys that are numbers first.
  return `{${keys.map((key) => `${pythonJson(key)}: ${pythonJson(all[key] ?? null)}`).join(', ')}}`;
}
