import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { parseResultJson } from '../parse-json.ts';
import { PROGRESS_HINT, type ProgressCurve, readProgressV1 } from './progress-v1.ts';

export interface CompileOptions {
  readonly commit: string;
  /** Milliseconds since 1970; the file has true UTC, where the old one had local time with a Z. */
  readonly at: number;
}

/**
 * The progress.json of a night out of those of its scripts. Undefined when there is no task at all: then nothing is
 * written, and what is there is told to be old.
 */
export function compileProgress(
  texts: readonly string[],
  { commit, at }: CompileOptions,
): string | undefined {
  const algos: Record<string, JsonValue> = {};
  const tasks = new Set<string>();
  for (const text of texts) {
    const root = parseResultJson(text, PROGRESS_HINT);
    for (const task of readProgressV1(text).tasks) tasks.add(task);
    if (!isJsonObject(root)) continue;
    const own = isJsonObject(root['algos']) ? root['algos'] : root;
    for (const [algorithm, value] of Object.entries(own)) {
      if (!isJsonObject(value)) continue;
      const before = Object.hasOwn(algos, algorithm) ? (algos[algorithm] as JsonObject) : {};
      define(algos, algorithm, { ...before, ...value });
    }
  }
  return tasks.size === 0 ? undefined : compiledText(algos, [...tasks], { commit, at });
}

/** Curves of ours in the shape that the old page reads. */
export function progressV1Text(
  curves: readonly ProgressCurve[],
  options: CompileOptions,
): string | undefined {
  const algos: Record<string, JsonValue> = {};
  for (const { algorithm, task, trial, side, steps, returns, seed } of curves) {
    const tasks = child(algos, algorithm);
    const trials = child(tasks, task);
    if (seed !== undefined) define(trials, 'seed', seed);
    const column = Object.fromEntries(returns.map((value, row) => [String(row), value]));
    define(child(trials, trial), side, { time_steps: steps, return: column });
  }
  const tasks = [...new Set(curves.map(({ task }) => task))];
  return tasks.length === 0 ? undefined : compiledText(algos, tasks, options);
}

function compiledText(algos: JsonObject, tasks: readonly string[], { commit, at }: CompileOptions): string {
  const timestamp = new Date(at).toISOString();
  return `${JSON.stringify({ algos, timestamp, tasks, githash: commit })}\n`;
}

function child(parent: Record<string, JsonValue>, key: string): Record<string, JsonValue> {
  if (!Object.hasOwn(parent, key)) define(parent, key, {});
  return parent[key] as Record<string, JsonValue>;
}

/** A name such as "__proto__" is a name. */
function define(parent: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(parent, key, { value, enumerable: true, writable: true, configurable: true });
}
