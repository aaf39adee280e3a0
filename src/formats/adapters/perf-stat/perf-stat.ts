import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { parseDateText } from '../../../platform/core/text/parse-date.ts';
import { showCell } from '../../core/cell.ts';
import type { Format, FormatReading } from '../../core/format.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading-builder.ts';
import type { SampleSet } from '../../core/sample.ts';

/** `perf stat -j`: a JSON object on each line, one for each event. */
const perfStat: Format = {
  id: 'perf-stat',
  title: 'perf stat (-j)',
  recognizes: [
    /^(?:\{"|.*, ")counter-value" : "/m,
    /^\{.*"event" : "/m,
    /^\{.*"(?:event-runtime|pcnt-running)" : /m,
  ],
  read: readAll,
  readRuns(text) {
    const [, date = ''] = /^# started on (.+)$/m.exec(text) ?? [];
    const at = parseDateText(date);
    return [{ ...readAll(text), ...(at !== undefined && { at }) }];
  },
};

export default perfStat;

const HINT = 'Use the file of "LC_ALL=C perf stat -j -o FILE -- COMMAND".';

function readAll(text: string): FormatReading {
  const reading = createReading();
  let foreign = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('# started on ')) continue;
    const fields = fieldsOf(line);
    if (fields?.['event'] === undefined) foreign++;
    else readEvent(fields, reading);
  }
  const found = requireNumbers(reading.finish(), HINT);
  if (foreign > 0) reading.skipped.push(`${counted(foreign, 'line')} without an event of perf`);
  return found;
}

/** Standard error has lines of the program too. */
function fieldsOf(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readEvent(fields: JsonObject, reading: ReadingBuilder): void {
  const { event, unit } = fields as { event: JsonValue; unit?: JsonValue };
  const counter = fields['counter-value'] ?? null;
  const text = String(counter);
  const name = typeof event === 'string' ? event : showCell(event);
  const where = () => `${name}${placeOf(fields)}`;
  if (/^<not \w+>$/.test(text)) {
    reading.skipped.push(`${where()} is ${text.slice(1, -1)}`);
    return;
  }
  if (!/^\d+(?:\.\d+)?$/.test(text)) {
    const comma = /^\d+,\d+$/.test(text) ? ': run perf with LC_ALL=C' : '';
    reading.failed.push(`${where()} is ${showCell(counter)}, not a number${comma}`);
    return;
  }
  const written = typeof unit === 'string' ? unit : '';
  const isTime = /^(?:[num]?s|msec|nsec|usec)$/.test(written);
  const key = { benchmark: [name], unit: written, settings: settingsOf(fields) };
  const metric = isTime ? 'time' : written === '' ? 'count' : 'value';
  // Time, instructions, misses, faults, energy: of all that perf counts less is better.
  reading.set({ ...key, metric, better: 'lower' })(Number(text), where);
}

/** With -A and --per-socket, --per-core, ...: the part of the machine. */
const PARTS = ['cpu', 'core', 'die', 'socket', 'node', 'thread', 'cgroup'];

function settingsOf(fields: JsonObject): SampleSet['settings'] {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const value = fields[part];
      return typeof value === 'string' || typeof value === 'number' ? [[part, value] as const] : [];
    }),
  );
}

function placeOf(fields: JsonObject): string {
  const parts = Object.entries(settingsOf(fields)).map(([part, value]) => `, ${part} ${value}`);
  const interval = fields['interval'];
  return parts.join('') + (typeof interval === 'number' ? ` at ${interval} s` : '');
}
