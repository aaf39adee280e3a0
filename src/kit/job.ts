import { appendFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../platform/core/text/json.ts';
import { imageInOutput } from './image-file.ts';

/**
 * What a program that runs as a job of Nightmark can tell of itself. Outside a job these do nothing; nothing throws and
 * nothing waits, and what cannot be told is said on stderr once.
 */

/** How long a part of the program takes: mean and standard deviation, in seconds, of so many times. */
export interface Runtime {
  readonly mean: number;
  readonly std?: number;
  readonly instances?: number;
}

/** Facts of the job. Dots in keys lead into objects. */
export function logInfo(values: JsonObject): void {
  tell(() => ({ type: 'info', values: { ...values } }));
}

/** From 0 to 1. */
export function progress(share: number): void {
  if (Number.isNaN(share)) return;
  logInfo({ 'state.progress': Math.min(1, Math.max(0, share)) });
}

/** A number, or fields of one moment such as `{ epoch: 3, value: 0.46 }`. */
export function logMetric(
  measurement: string,
  value: number | boolean | JsonObject,
  tags: JsonObject = {},
): void {
  tell(() => ({
    type: 'metric',
    measurement,
    fields: typeof value === 'object' ? value : { value },
    tags,
    time: nextMoment(),
  }));
}

export function logRuntime(event: string, { mean, std = 0, instances = 1 }: Runtime): void {
  tell(() => ({ type: 'runtime', event, mean, std, instances }));
}

/** What the program truly runs with, instead of what was submitted. */
export function logConfig(config: JsonObject): void {
  tell(() => ({ type: 'config', config }));
}

/** A picture: its bytes, or the path of a file. It is put into the output folder unless it lies there. */
export async function logImage(key: string, picture: Uint8Array | string): Promise<void> {
  if (!process.env['NIGHTMARK_JOB_EVENTS']) return;
  try {
    const path = await imageInOutput(process.env['NIGHTMARK_OUTPUT_DIR'] || '.', key, picture);
    tell(() => ({ type: 'image', key, path }));
  } catch (error) {
    complain(error);
  }
}

function tell(event: () => JsonObject): void {
  const file = process.env['NIGHTMARK_JOB_EVENTS'];
  if (!file) return;
  try {
    // One write at the end of the file: threads and children never mix their lines.
    appendFileSync(file, `${JSON.stringify(event(), (_, value: JsonValue | bigint) => plain(value))}\n`);
  } catch (error) {
    complain(error);
  }
}

/** JSON has no words for these. */
function plain(value: JsonValue | bigint): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

let last = 0;

/** Seconds since 1970, never the same twice: a second point of a series at one moment would replace the first. */
function nextMoment(): number {
  last = Math.max(Date.now() / 1000, last + 2e-6);
  return last;
}

const told = new Set<string>();

function complain(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (told.has(message) || told.size > 100) return;
  told.add(message);
  process.stderr.write(`nightmark: ${message}; it is left out\n`);
}
