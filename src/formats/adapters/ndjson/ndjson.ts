import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Format } from '../../core/format.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { readTable } from '../../core/read-table.ts';
import { createReading, requireNumbers } from '../../core/reading-builder.ts';
import { createSelection, createTable } from '../../core/result-table.ts';

/** One JSON object on each line (JSON Lines). */
const ndjson: Format = {
  id: 'ndjson',
  title: 'NDJSON, an object on each line',
  recognizes(head) {
    const lines = head.replace(/^\uFEFF/, '').split('\n');
    const [first = '', second = ''] = lines.map((line) => line.trim()).filter((line) => line !== '');
    // One line alone may as well be a JSON file; a pretty-printed file has no whole object on its first line.
    return second.startsWith('{') && isJsonObject(parseLine(first)) ? 'maybe' : 'no';
  },
  read(text, mapping) {
    const reading = createReading();
    const selection = createSelection(mapping);
    const table = createTable((sentence) => reading.failed.push(sentence));
    let objects = 0;
    for (const [index, line] of text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .entries()) {
      if (line.trim() === '') continue;
      const value = parseLine(line);
      if (isJsonObject(value)) {
        objects++;
        table.add(value, `line ${index + 1}`);
      } else {
        const what = value === undefined ? 'not valid JSON' : 'not an object';
        reading.failed.push(`line ${index + 1} is ${what}`);
      }
    }
    if (objects === 0) throw nothingRead(reading.failed);
    readTable(table.finish([]), selection, reading);
    selection.requireAllUsed();
    return requireNumbers(reading.finish(), HINT);
  },
};

const HINT = 'Write one JSON object on each line, such as {"name": "sort", "seconds": 1.2}.';

/** undefined when it is not JSON. */
function parseLine(line: string): JsonValue | undefined {
  try {
    return parseResultJson(line, '');
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}

function nothingRead(failed: readonly string[]): NightmarkError {
  if (failed.length === 0)
    return new NightmarkError('IMPORT_EMPTY', 'There is nothing in it.', { hint: HINT });
  return new NightmarkError('IMPORT_NOT_JSON', `No line is a JSON object: ${failed[0]}.`, { hint: HINT });
}

export default ndjson;
