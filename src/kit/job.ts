import { appendFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../platform/core/text/json.ts';
import { imageInOutput } from './image-file.ts';

/**
 * What a program that runs as a job of Nightmark can report about itself. Outside a job these do nothing; nothing throws
 * and nothing waits, and an error is printed on stderr once.
 */

/** How long a part of the program takes: mean and standard deviation, in seconds, over `instances` runs. */
export interface Runtime {
  readonly mean: number;
  readonly std?: number;
  readonly instances?: number;
}

/** Facts of the job. Dots in keys lead into objects. */
export function logInfo(values: JsonObject): void {
  writeEvent(() => ({ type: 'info', values: { ...values } }));
}

/** From 0 to 1. */
export function progress(share: number): void {
  if (Number.isNaN(share)) return;
  logInfo({ 'state.progress': Math.min(1, Math.max(0, share)) });
}

/** A number, or fields of one time such as `{ epoch: 3, value: 0.46 }`. */
export function logMetric(
  measurement: string,
  value: number | boolean | JsonObject,
  tags: JsonObject = {},
): void {
  writeEvent(() => ({
    type: 'metric',
    measurement,
    fields: typeof value === 'object' ? value : { value },
    tags,
    time: nextTime(),
  }));
}

export function logRuntime(event: string, { mean, std = 0, instances = 1 }: Runtime): void {
  writeEvent(() => ({ type: 'runtime', event, mean, std, instances }));
}

/** The configuration that the program actually uses, instead of the submitted one. */
export function logConfig(config: JsonObject): void {
  writeEvent(() => ({ type: 'config', config }));
}

/** A picture: its bytes, or the path of a file. It is copied into the output folder unless it is there already. */
export async function logImage(key: string, picture: Uint8Array | string): Promise<void> {
  if (!process.env['NIGHTMARK_JOB_EVENTS']) return;
  try {
    const path = await imageInOutput(process.env['NIGHTMARK_OUTPUT_DIR'] || '.', key, picture);
    writeEvent(() => ({ type: 'image', key, path }));
  } catch (error) {
    reportError(error);
  }
}

function writeEvent(event: () => JsonObject): void {
  const file = process.env['NIGHTMARK_JOB_EVENTS'];
  if (!file) return;
  try {
    // One write at the end of the file: threads and children never mix their lines.
    appendFileSync(file, `${JSON.stringify(event(), (_, value: JsonValue | bigint) => plain(value))}\n`);
  } catch (error) {
    reportError(error);
  }
}

/** Values that JSON cannot express. */
function plain(value: JsonValue | bigint): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

let last = 0;

/** Seconds since 1970, never the same twice: a second point of a series at the same time would replace the first. */
function nextTime(): number {
  last = Math.max(Date.now() / 1000, last + 2e-6);
  return last;
}

const reported = new Set<string>();

function reportError(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (reported.has(message) || reported.size > 100) return;
  reported.add(message);
  process.stderr.write(`nightmark: ${message}; it is left out\n`);
}
