// Prints one line of CSV per case and round. Replace it with what you want to measure.
import { performance } from 'node:perf_hooks';

const shuffled = Float64Array.from(
  { length: 20_000 },
  (_, i) => (Math.imul(i + 1, 2_654_435_761) >>> 0) / 2 ** 32,
);
const cases = {
  typed: () => Float64Array.from(shuffled).sort(),
  plain: () => Array.from(shuffled).sort((a, b) => a - b),
};

console.log('case,round,seconds');
for (let round = -2; round < 20; round++) {
  for (const [name, work] of Object.entries(cases)) {
    const start = performance.now();
    work();
    const seconds = (performance.now() - start) / 1000;
    if (round >= 0) console.log(`${name},${round},${seconds}`); // two rounds of warm-up are left out
  }
}
