import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Logarithms of times of two sides, as measured one after the other. */
export interface TwoSamples {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/**
 * Whether benchstat (golang.org/x/perf/cmd/benchstat) says of each that the sides differ: a Mann-Whitney test at 5 %. All
 * are benchmarks of one file, in the format of Go's testing package.
 */
export function benchstatDiffers(program: string, samples: readonly TwoSamples[]): readonly boolean[] {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-benchstat-'));
  try {
    const write = (name: 'a' | 'b') => {
      const lines = samples.flatMap((sample, index) =>
        Array.from(sample[name], (log) => `BenchmarkN${index} 1 ${(1e6 * Math.exp(log)).toFixed(3)} ns/op`),
      );
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    };
    write('a');
    write('b');
    const text = execFileSync(program, ['-format', 'csv', join(folder, 'a'), join(folder, 'b')], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const verdicts = new Map(
      text.split('\n').flatMap((line) => {
        const [, name, change] = /^N(\d+),[^,]*,[^,]*,[^,]*,[^,]*,([^,]*),p=/.exec(line) ?? [];
        return name === undefined ? [] : [[Number(name), change !== '~'] as const];
      }),
    );
    return samples.map((_, index) => verdicts.get(index) ?? false);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
