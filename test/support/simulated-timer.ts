import { normalSource } from '../../bench/accuracy/normal.ts';
import type { CommandTimer, Timing } from '../../src/duet/core/command-timer.ts';
import { seededRandom } from '../../src/stats/random.ts';

/** Deviations of the log ratio of a pair in wall time and in CPU time, and what the two have in common. */
export interface MeasureNoise {
  readonly wall: number;
  readonly cpu: number;
  readonly correlation: number;
  readonly tails: 'light' | 'heavy';
}

/**
 * Times commands named A and B that take 100 ms and only compute, B `ratio` times as long. CPU time is counted in milliseconds from
 * the start of the worker, as bash does.
 */
export function simulatedTimer(
  { wall, cpu, correlation, tails }: MeasureNoise,
  ratio: number,
  seed: number,
): CommandTimer {
  const normal = normalSource(seededRandom(seed));
  const draw = () => (tails === 'heavy' ? normal.studentOfThree() : normal.next());
  const usedMs = { A: 0, B: 0 };
  const timing = (side: 'A' | 'B', wallLog: number, cpuLog: number): Timing => {
    const factor = side === 'B' ? ratio : 1;
    const wallNs = 100e6 * factor * Math.exp(wallLog);
    const before = Math.floor(usedMs[side]);
    usedMs[side] += 98 * factor * Math.exp(cpuLog);
    const cpuNs = (Math.floor(usedMs[side]) - before) * 1e6;
    return {
      ...{ exit: { type: 'code', code: 0 }, wallNs, startedAtNs: 0n, tail: '', userNs: cpuNs, systemNs: 0 },
      ...{ cpuStepNs: 1e6, runnable: 0.98, measures: { wall: wallNs / 1e9, cpu: cpuNs / 1e9 } },
    };
  };
  return {
    cores: async () => [[0], [1]],
    counters: async () => ({ counters: [] }),
    open: async () => ({
      leftRunning: () => 0,
      close: async () => {},
      run: async (commands) =>
        commands.map(({ argv: [name] }) => {
          // Each side has half of the variance of the ratio.
          const first = draw();
          const second = correlation * first + Math.sqrt(1 - correlation ** 2) * draw();
          return timing(name as 'A' | 'B', (first * wall) / Math.SQRT2, (second * cpu) / Math.SQRT2);
        }),
    }),
  };
}
