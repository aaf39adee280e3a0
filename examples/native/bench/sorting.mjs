// sorting.mjs --out FILE: Google Benchmark's JSON, one entry per size and repetition.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { timeRounds } from './rounds.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const sizes = [1_000, 10_000, 50_000];
const shuffled = (size) =>
  Float64Array.from({ length: size }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 0);
const cases = sizes.map((size) => [`BM_Sort/${size}`, () => shuffled(size).sort()]);

const benchmarks = timeRounds(Object.fromEntries(cases), 10).flatMap(({ name, seconds, cpuSeconds }) =>
  seconds.map((value, index) => ({
    name,
    run_name: name,
    run_type: 'iteration',
    repetitions: seconds.length,
    repetition_index: index,
    iterations: 1,
    real_time: value * 1e6,
    cpu_time: cpuSeconds[index] * 1e6,
    time_unit: 'us',
  })),
);
const context = { executable: 'bench/sorting.mjs', library_build_type: 'release' };
writeFileSync(values.out, JSON.stringify({ context, benchmarks }, null, 2));
