import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tasks with the height that learning ends at; that of Reacher is small and below zero. */
const TASKS = { 'HalfCheetah-v2': 3000, 'Hopper-v2': 2400, 'Reacher-v2': -5.3 } as const;
const ALGORITHMS = { 'ppo-garage': 1, 'trpo-garage': 0.5, 'td3-garage': 1.25 } as const;

/**
 * A home with learning curves of four seeds, each of another length and order of columns, with a gap; td3 was not run on
 * Reacher, and ppo has a baseline on HalfCheetah only. Values are without noise: a test can say what comes out.
 */
export function makeCurveHome(home: string): void {
  put(join(home, 'nightmark.yml'), 'project: garage\n');
  const data = join(home, 'results/experiments/data/rl');
  for (const [task, height] of Object.entries(TASKS)) {
    for (const [algorithm, factor] of Object.entries(ALGORITHMS)) {
      if (algorithm === 'td3-garage' && task === 'Reacher-v2') continue;
      for (const seed of [1, 2, 3, 4]) {
        const end = (height < 0 ? height / factor : height * factor) * (1 + (seed - 2.5) / 50);
        put(join(data, `${algorithm}_${task}_${seed}/progress.csv`), progress(end, seed));
      }
    }
  }
  for (const seed of [1, 2, 3]) {
    const folder = join(home, `baselines/ppo-garage_HalfCheetah-v2_${seed}`);
    put(join(folder, 'progress.csv'), progress(1500 + seed, seed));
  }
  put(join(data, 'broken/progress.csv'), 'hello');
}

/** Rises to its end in the first half and stays there. */
function progress(end: number, seed: number): string {
  const rows = Array.from({ length: 40 + 4 * seed }, (_, row) => {
    const value = row === 10 && seed === 2 ? 'nan' : String(end * Math.min(1, (row + 1) / 20));
    const step = String((row + 1) * 1000);
    return seed % 2 === 0 ? `${value},${step}` : `${step},${value}`;
  });
  const names = ['Evaluation/AverageReturn', 'TotalEnvSteps'];
  return `${[(seed % 2 === 0 ? names : names.toReversed()).join(','), ...rows].join('\r\n')}\r\n`;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
