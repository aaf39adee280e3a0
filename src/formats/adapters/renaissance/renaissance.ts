import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, IterationReading } from '../../core/format.ts';
import {
  createIterationList,
  type IterationList,
  iterationSamples,
  nsProblem,
} from '../../core/iteration-reading.ts';
import { parseResultJson } from '../../core/parse-json.ts';

/** The JSON file of the Renaissance suite (`--json FILE`): https://renaissance.dev */
const renaissance: Format = {
  id: 'renaissance',
  title: 'Renaissance (--json)',
  recognizes: [/^\uFEFF?\s*\{/, /"start_unix_ms"\s*:|"duration_ns"\s*:/, /"(?:data|benchmarks)"\s*:/],
  read: (text) => iterationSamples(readRenaissance(text)),
  readIterations: readRenaissance,
  iterationColumns: () => ['epoch_start_ms', 'uptime_ns'],
};

export default renaissance;

const HINT = 'Use the file of "renaissance --json FILE"; a killed harness may have left it unfinished.';

/**
 * Iterations from 0. `uptime_ns` counts from the start of the virtual machine, which is `start_unix_ms`; files of older
 * versions have no uptime, there one iteration follows the other without a gap.
 *
 * Plain doubles hold all of it: a machine that is up for less than 104 days counts less than 2^53 nanoseconds.
 */
function readRenaissance(text: string): IterationReading {
  const root = parseResultJson(text, HINT);
  const benchmarks = benchmarksOf(root);
  const epochMs = epochOf(root);
  const list = createIterationList();
  const extra = { benchmark: [] as string[], uptime: [] as string[] };
  if (benchmarks.length > 1)
    list.notes.push(
      `it holds ${benchmarks.length} benchmarks, all taken for one: ${benchmarks.map(([name]) => name).join(', ')}`,
    );
  let number = 0;
  for (const [name, results] of benchmarks) {
    const clock = clockOf(results);
    for (const result of results) {
      const uptime = readResult(result, number++, { list, clock });
      if (uptime === undefined) continue;
      extra.benchmark.push(name);
      extra.uptime.push(clock.isCounted ? '' : String(uptime));
    }
  }
  const epochs: [string, string[]][] =
    epochMs === undefined ? [] : [['epoch_start_ms', extra.benchmark.map(() => String(epochMs))]];
  return list.finish({
    originNs: BigInt(epochMs ?? 0) * 1_000_000n,
    clock: epochMs === undefined ? 'harness' : 'unix',
    extra: new Map([['benchmark', extra.benchmark], ...epochs, ['uptime_ns', extra.uptime]]),
  });
}

type Results = readonly JsonValue[];

function benchmarksOf(root: JsonValue): readonly (readonly [string, Results])[] {
  const data = isJsonObject(root) ? root['data'] : undefined;
  const entries = isJsonObject(data) ? Object.entries(data) : [];
  const found = entries.flatMap(([name, entry]) => {
    const results = isJsonObject(entry) ? entry['results'] : undefined;
    return Array.isArray(results) && results.length > 0 ? [[name, results as Results] as const] : [];
  });
  if (found.length > 0) return found;
  throw new NightmarkError('IMPORT_SHAPE', 'There is no benchmark with "results" in "data".', { hint: HINT });
}

/** Milliseconds since 1970 at which the virtual machine began. */
function epochOf(root: JsonValue): number | undefined {
  const path = ['environment', 'vm', 'start_unix_ms'];
  let value: JsonValue | undefined = root;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

interface HarnessClock {
  /** No iteration has an uptime: durations are added up. */
  readonly isCounted: boolean;
  counted: number;
}

function clockOf(results: Results): HarnessClock {
  return { isCounted: !results.some((result) => isJsonObject(result) && 'uptime_ns' in result), counted: 0 };
}

/** The uptime of an iteration that could be used. */
function readResult(
  result: JsonValue,
  number: number,
  { list, clock }: { readonly list: IterationList; readonly clock: HarnessClock },
): number | undefined {
  const fields: JsonObject = isJsonObject(result) ? result : {};
  const duration = wholeNs(fields['duration_ns']);
  const uptime = clock.isCounted ? clock.counted : wholeNs(fields['uptime_ns']);
  for (const [key, ns] of [
    ['duration_ns', duration],
    ['uptime_ns', uptime],
  ] as const) {
    const problem = key === 'duration_ns' && ns < 0 ? 'less than nothing' : nsProblem(ns);
    if (problem === undefined) continue;
    list.failed.push(`iteration ${number}: "${key}" is ${showCell(fields[key])}, ${problem}`);
    return undefined;
  }
  list.add(number, uptime, duration);
  clock.counted += duration;
  return uptime;
}

function wholeNs(value: JsonValue | undefined): number {
  return typeof value === 'number' ? Math.round(value) : Number.NaN;
}
