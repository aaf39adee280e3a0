import type { FormatReading, IterationReading } from './format.ts';
import { type AddValue, createReading } from './reading.ts';

/** The times of iterations as samples, for nights and imports: benchmarks by the column of that name. */
export function iterationSamples({ times, extra, failed }: IterationReading): FormatReading {
  const reading = createReading();
  const names = extra.get('benchmark');
  const adders = new Map<string, AddValue>();
  for (const [index, time] of times.entries()) {
    const name = names?.[index] ?? '';
    const benchmark = name === '' ? [] : [name];
    const add = adders.get(name) ?? reading.set({ benchmark, metric: 'time', unit: 'ns', better: 'lower' });
    adders.set(name, add);
    add(time, () => `iteration ${index + 1}`);
  }
  return { samples: reading.finish().samples, failed, skipped: [] };
}
