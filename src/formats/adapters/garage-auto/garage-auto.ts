import { baseName } from '../../../platform/core/path.ts';
import type { Format, RunReading } from '../../core/format.ts';
import { AUTO_HINT, readAutoV2 } from '../../core/garage/auto-v2.ts';
import { createReading, requireNumbers } from '../../core/reading-builder.ts';

/** One file of the automatic garage benchmarks of 2020: the mean of a learning curve over seeds, with its spread. */
const garageAuto: Format = {
  id: 'garage-auto',
  title: 'garage benchmarks, auto JSON (2020)',
  // The columns behind the first may lie beyond what is looked at.
  recognizes: [/^\uFEFF?\s*\{\s*"x"\s*:\s*\[/, /"y_min"\s*:\s*\[|^[^\]]{60001,}$/],
  read: (text) => readOne(text, []),
  readRuns: (text, _, path) => [readOne(text, namesIn(path))],
};

/** Task and algorithm are in the name of the file alone: "HalfCheetah-v2_ppo-garage-pytorch.json". */
function namesIn(path: string): readonly string[] {
  const stem = baseName(path).replace(/\.json$/i, '');
  const [task = '', ...algorithm] = stem.split('_');
  return [task, algorithm.join('_')].filter((name) => name !== '');
}

function readOne(text: string, names: readonly string[]): RunReading {
  const { y, yMin, yMax, yLabel, commit } = readAutoV2(text);
  const reading = createReading();
  const benchmark = [...names, ...(yLabel === '' ? [] : [yLabel])];
  const columns = [
    ['final', y],
    ['final-min', yMin],
    ['final-max', yMax],
  ] as const;
  // Mean and band of one row: a band of an earlier one would not belong to the mean.
  const row = y.findLastIndex((value) => value !== null);
  if (row >= 0 && row < y.length - 1)
    reading.skipped.push(`"y" has no value in its last ${y.length - 1 - row} rows`);
  for (const [metric, column] of columns) {
    const last = column[row] ?? null;
    if (last === null) reading.failed.push(`"${metric}" has no value`);
    else reading.set({ benchmark, metric, unit: '', better: 'higher' })(last, () => metric);
  }
  return { ...requireNumbers(reading.finish(), AUTO_HINT), ...(commit !== undefined && { commit }) };
}

export default garageAuto;
