import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { listOfIndexMap, parseResultJson } from '../parse-json.ts';

/** One learning curve of progress.json: one algorithm on one task, one trial, one side. */
export interface ProgressCurve {
  readonly algorithm: string;
  readonly task: string;
  readonly trial: string;
  /** garage, baselines or benchmark. */
  readonly side: string;
  readonly steps: readonly number[];
  /** A gap is null. */
  readonly returns: readonly (number | null)[];
  /** Known of the last trial only: each one wrote over that of the one before. */
  readonly seed?: number;
}

interface ProgressV1 {
  readonly curves: readonly ProgressCurve[];
  /** In the order in which they are first met. */
  readonly tasks: readonly string[];
  readonly commit?: string;
  readonly timestamp?: string;
  /** One sentence for each thing that could not be used. */
  readonly failed: readonly string[];
  /** One sentence for each entry that is not a task. */
  readonly skipped: readonly string[];
}

export const PROGRESS_HINT =
  'It looks like {"PPO": {"Reacher-v2": {"seed": 3, "trail_1": {"garage": {"time_steps": [...], "return": {"0": ...}}}}}}, alone or below "algos".';

/** The file of one script, or the compiled one. */
export function readProgressV1(text: string): ProgressV1 {
  const root = parseResultJson(text, PROGRESS_HINT);
  if (!isJsonObject(root))
    throw new NightmarkError('IMPORT_SHAPE', 'It is not an object.', { hint: PROGRESS_HINT });
  const isCompiled = isJsonObject(root['algos']);
  const algorithms = isCompiled ? (root['algos'] as JsonObject) : root;
  const collected: Collected = { curves: [], tasks: new Set(), failed: [], skipped: [] };
  for (const [algorithm, tasks] of Object.entries(algorithms)) {
    if (!isJsonObject(tasks)) collected.skipped.push(`"${algorithm}" is not an algorithm`);
    else for (const [task, trials] of Object.entries(tasks)) readTask({ algorithm, task }, trials, collected);
  }
  const { githash, timestamp } = isCompiled ? root : {};
  return {
    ...collected,
    tasks: [...collected.tasks],
    ...(typeof githash === 'string' && { commit: githash }),
    ...(typeof timestamp === 'string' && { timestamp }),
  };
}

interface Collected {
  readonly curves: ProgressCurve[];
  readonly tasks: Set<string>;
  readonly failed: string[];
  readonly skipped: string[];
}

function readTask(key: { algorithm: string; task: string }, trials: JsonValue, into: Collected): void {
  const { algorithm, task } = key;
  // The start time of an algorithm was written among its tasks.
  if (task === 'time_start' || !isJsonObject(trials))
    return void into.skipped.push(`"${algorithm}.${task}" is not a task`);
  into.tasks.add(task);
  const names = Object.keys(trials).filter((name) => name !== 'seed');
  const { seed } = trials;
  for (const trial of names) {
    const sides = trials[trial];
    const isLast = trial === names.at(-1);
    for (const [side, curve] of Object.entries(isJsonObject(sides) ? sides : {})) {
      const where = `${algorithm}.${task}.${trial}.${side}`;
      const read = isJsonObject(curve) ? readCurve(curve) : undefined;
      if (!read) into.failed.push(`"${where}" has no "time_steps" and "return" of the same length`);
      else
        into.curves.push({
          ...key,
          trial,
          side,
          ...read,
          ...(isLast && typeof seed === 'number' && { seed }),
        });
    }
    if (!isJsonObject(sides)) into.failed.push(`"${algorithm}.${task}.${trial}" is not a trial`);
  }
}

/** Returns are a list, or what pandas makes of a column; under either of two names. */
function readCurve(curve: JsonObject): Pick<ProgressCurve, 'steps' | 'returns'> | undefined {
  const given = curve['return'] ?? curve['average_return'];
  const returns = Array.isArray(given)
    ? given
    : isJsonObject(given ?? null)
      ? listOfIndexMap(given as JsonObject)
      : undefined;
  const steps = curve['time_steps'];
  if (!Array.isArray(steps) || returns === undefined || steps.length !== returns.length) return undefined;
  const isNumbers = steps.every((step) => typeof step === 'number');
  if (!isNumbers || !returns.every((value) => typeof value === 'number' || value === null)) return undefined;
  return { steps: steps as number[], returns: returns as (number | null)[] };
}

interface CompileOptions {
  readonly commit: string;
  /** Milliseconds since 1970; the file has true UTC, where the old one had local time with a Z. */
  readonly at: number;
}

/**
 * The progress.json of a night out of those of its scripts. Undefined when there is no task at all: then nothing is
 * written, and the existing file is reported as old.
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
