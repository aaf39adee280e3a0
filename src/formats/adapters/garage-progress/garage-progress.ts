import type { Format, RunReading } from '../../core/format.ts';
import { PROGRESS_HINT, type ProgressCurve, readProgressV1 } from '../../core/garage/progress-v1.ts';
import { createReading, type ReadingBuilder, requireNumbers } from '../../core/reading-builder.ts';

/** progress.json of the garage benchmarks of 2019, of one script or compiled: learning curves by algorithm and task. */
const garageProgress: Format = {
  id: 'garage-progress',
  title: 'garage benchmarks, progress.json (2019)',
  recognizes: [/^\uFEFF?\s*\{/, /"time_steps"\s*:/, /"(?:return|average_return)"\s*:/],
  read: (text) => readOne(text),
  readRuns: (text) => [readOne(text)],
};

function readOne(text: string): RunReading {
  const { curves, failed, skipped, commit, timestamp } = readProgressV1(text);
  const reading = createReading();
  reading.failed.push(...failed);
  reading.skipped.push(...skipped);
  for (const curve of curves) addCurve(curve, reading);
  // The old script wrote local time with the mark of UTC: it is right to some hours.
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  const known = requireNumbers(reading.finish(), PROGRESS_HINT);
  return { ...known, ...(Number.isFinite(at) && { at }), ...(commit !== undefined && { commit }) };
}

/** What a learner ended with and the best it reached; each trial gives one value. */
function addCurve({ algorithm, task, trial, side, returns }: ProgressCurve, reading: ReadingBuilder): void {
  const values = returns.filter((value) => value !== null);
  const where = () => `${algorithm}.${task}.${trial}.${side}`;
  const last = values.at(-1);
  if (last === undefined) return void reading.failed.push(`"${where()}" has no value`);
  if (returns.at(-1) === null)
    reading.skipped.push(`"${where()}" has no value at its end: the last one before counts`);
  const benchmark = [task, algorithm, side];
  const common = { benchmark, unit: '', better: 'higher' } as const;
  reading.set({ ...common, metric: 'final-return' })(last, where);
  reading.set({ ...common, metric: 'best-return' })(
    values.reduce((a, b) => Math.max(a, b)),
    where,
  );
}

export default garageProgress;
