import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder, type SetKey } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `hyperfine --export-json`: https://github.com/sharkdp/hyperfine */
const hyperfine: Format = {
  id: 'hyperfine',
  title: 'hyperfine (--export-json)',
  recognizes: [/^\uFEFF?\s*\{/, /"results"\s*:\s*\[\s*\{/, /"command"\s*:\s*"/, /"(?:times|mean)"\s*:/],
  read(text) {
    const reading = createReading();
    for (const [index, result] of resultsOf(parseResultJson(text, HINT)).entries()) {
      readResult(result, `result ${index + 1}`, reading);
    }
    return reading.finish();
  },
};

const HINT = 'Use the file of "hyperfine --export-json FILE", not the table on the terminal.';

function resultsOf(root: JsonValue): readonly JsonValue[] {
  const results = isJsonObject(root) ? root['results'] : undefined;
  if (Array.isArray(results) && results.length > 0) return results;
  throw new NightmarkError('IMPORT_SHAPE', 'There is no list "results" with at least one result.', {
    hint: HINT,
  });
}

function readResult(result: JsonValue, place: string, reading: ReadingBuilder): void {
  const command = isJsonObject(result) ? result['command'] : undefined;
  if (!isJsonObject(result) || typeof command !== 'string') {
    reading.failed.push(`${place} has no "command"`);
    return;
  }
  const key = { benchmark: [command], better: 'lower' as const, settings: settingsOf(result, reading) };
  const values = valuesOf(result, command, reading);
  const bad = failedRuns(result, Math.max(values.times.length, values.memory.length), reading);
  addRuns({ ...key, metric: 'time', unit: 's' }, values.times, { bad, reading });
  addRuns({ ...key, metric: 'memory', unit: 'B' }, values.memory, { bad, reading });
}

function valuesOf(result: JsonObject, command: string, reading: ReadingBuilder) {
  const { times, memory_usage_byte: memory = [] } = result as {
    times?: JsonValue;
    memory_usage_byte?: JsonValue;
  };
  const single = result['median'] ?? result['mean'];
  if (memory !== null && !Array.isArray(memory))
    reading.failed.push(`"${command}": "memory_usage_byte" is not a list`);
  const memoryList = Array.isArray(memory) ? memory : [];
  if (Array.isArray(times) && times.length > 0) return { times, memory: memoryList };
  if (single === undefined) reading.failed.push(`"${command}" has neither "times" nor "median" nor "mean"`);
  else reading.skipped.push(`"${command}" has no single times: its median or mean is taken as one value`);
  return { times: single === undefined ? [] : [single], memory: memoryList };
}

function settingsOf(result: JsonObject, reading: ReadingBuilder): SampleSet['settings'] {
  const parameters = result['parameters'] ?? {};
  const entries = isJsonObject(parameters) ? Object.entries(parameters) : [];
  if (!isJsonObject(parameters)) reading.failed.push(`"${result['command']}": "parameters" is not an object`);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? showCell(value) : value]),
  );
}

/** Numbers of the runs that ended badly; what a failing program takes says nothing of the program. */
function failedRuns(result: JsonObject, runs: number, reading: ReadingBuilder): ReadonlySet<number> {
  const codes = result['exit_codes'] ?? [];
  const bad = new Set<number>();
  if (!Array.isArray(codes)) return bad;
  for (const [index, code] of (codes as readonly JsonValue[]).entries()) {
    if (code === 0) continue;
    bad.add(index);
    const how = code === null ? 'was ended by a signal' : `ended with exit code ${showCell(code)}`;
    const unpaired = index < runs ? '' : ' and has no time';
    reading.failed.push(`"${result['command']}", run ${index + 1} ${how}${unpaired}`);
  }
  return bad;
}

interface Runs {
  readonly bad: ReadonlySet<number>;
  readonly reading: ReadingBuilder;
}

function addRuns(key: SetKey, values: readonly JsonValue[], { bad, reading }: Runs): void {
  const add = reading.set(key);
  let run = 0;
  const where = () => `"${key.benchmark[0]}", run ${run}: the ${key.metric}`;
  for (const value of values) {
    if (bad.has(run++)) continue;
    if (typeof value === 'number') add(value, where);
    else reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
  }
}

export default hyperfine;
