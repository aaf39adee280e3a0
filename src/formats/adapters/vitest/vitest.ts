import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { showCell } from '../../core/cell.ts';
import type { Format } from '../../core/format.ts';
import { listOf, objectOf } from '../../core/json-fields.ts';
import { parseResultJson } from '../../core/parse-json.ts';
import { createReading, type ReadingBuilder } from '../../core/reading-builder.ts';

/** `vitest bench --outputJson FILE`: https://vitest.dev */
const vitest: Format = {
  id: 'vitest',
  title: 'vitest bench (--outputJson)',
  recognizes: [
    /^\uFEFF?\s*\{\s*"files"\s*:\s*\[\s*\{\s*"filepath"\s*:/,
    /"groups"\s*:\s*\[\s*\{\s*"fullName"\s*:/,
    /"benchmarks"\s*:\s*\[/,
  ],
  read(text) {
    const files = listOf(objectOf(parseResultJson(text, HINT))['files']);
    if (files.length === 0)
      throw new NightmarkError('IMPORT_SHAPE', 'There is no list "files" with at least one file.', {
        hint: HINT,
      });
    const reading = createReading();
    for (const [index, file] of files.entries()) {
      const groups = listOf(objectOf(file)['groups']).map(objectOf);
      if (groups.length === 0) reading.failed.push(`file ${index + 1} has no benchmarks`);
      for (const { fullName, benchmarks } of groups) {
        if (typeof fullName !== 'string')
          reading.failed.push(`a group of file ${index + 1} has no "fullName"`);
        else for (const one of listOf(benchmarks)) readBenchmark(one, fullName.split(' > '), reading);
      }
    }
    return reading.finish();
  },
};

export default vitest;

const HINT = 'Use the file of "vitest bench --run --outputJson FILE".';

function readBenchmark(entry: JsonValue, suite: readonly string[], reading: ReadingBuilder): void {
  const fields = objectOf(entry) as Readonly<Record<string, JsonValue | undefined>>;
  const { name, samples, median, mean } = fields;
  if (typeof name !== 'string') {
    reading.failed.push(`a benchmark of ${suite.join(' > ')} has no "name"`);
    return;
  }
  const title = [...suite, name].join(' > ');
  const single = median ?? mean;
  const isSummary = listOf(samples).length === 0;
  if (isSummary && single === undefined) {
    reading.failed.push(`${title} has no result: it threw an error`);
    return;
  }
  if (isSummary) reading.skipped.push(`${title} has no samples: its median or mean is taken as one value`);
  const add = reading.set({ benchmark: [...suite, name], metric: 'time', unit: 'ms', better: 'lower' });
  for (const [index, value] of (isSummary ? [single ?? null] : listOf(samples)).entries()) {
    const where = () => `${title}, sample ${index + 1}`;
    if (typeof value === 'number') add(value, where);
    else reading.failed.push(`${where()} is ${showCell(value)}, not a number`);
  }
}
