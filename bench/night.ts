// A night of 1,000 experiments with the smallest scripts against a plain loop that spawns the same processes.
// Usage: node dist/bench/night.js [experiments] [rounds]
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { makeScriptHome } from '../test/support/script-home.ts';

const COUNT = Number(process.argv[2] ?? 1000);
const ROUNDS = Number(process.argv[3] ?? 3);
const STAGES = ['run', 'analyze', 'visualize', 'summarize'] as const;
const MAIN = join(process.cwd(), 'dist/src/cli/nightmark.cjs');

const names = Array.from({ length: COUNT }, (_, index) => `e${String(index).padStart(4, '0')}`);
const home = makeScriptHome(names, undefined, { randomize: false, retention: { backups: { count: 1 } } });
const loopDir = fs.mkdtempSync(`${home}-loop-`);

const stages = COUNT * STAGES.length;
const extra: number[] = [];
const extraPerStage: number[] = [];
const peaks: number[] = [];
try {
  for (let round = 1; round <= ROUNDS; round++) {
    const loopMs = await timed(plainLoop);
    const nightMs = await timed(() => night([]));
    // What a night costs whatever it runs: start, reading 1,000 definitions, two backups of all results.
    const aroundMs = await timed(() => night(['--only', names[0] ?? '']));
    extra.push((nightMs - loopMs) / stages);
    extraPerStage.push((nightMs - aroundMs - loopMs) / stages);
    console.log(
      `round ${round}: plain loop ${seconds(loopMs)}, night ${seconds(nightMs)}, ratio ${(nightMs / loopMs).toFixed(2)}, ` +
        `extra ${milliseconds(extra)} a stage, without start and backups ${milliseconds(extraPerStage)}, peak memory ${Math.max(...peaks)} MiB`,
    );
  }
  console.log(
    `median extra ${median(extra).toFixed(2)} ms a stage over ${stages} stages, ` +
      `${median(extraPerStage).toFixed(2)} ms without start and backups (aim: at most 2)`,
  );
} finally {
  fs.rmSync(home, { recursive: true, force: true });
  fs.rmSync(loopDir, { recursive: true, force: true });
}

/** The same scripts with the same arguments, one after the other, and nothing else. */
async function plainLoop(): Promise<void> {
  fs.rmSync(loopDir, { recursive: true, force: true });
  const config = join(home, 'config/experiments');
  const places: Record<(typeof STAGES)[number], (name: string) => string[]> = {
    run: (name) => [join(loopDir, 'raw', name)],
    analyze: (name) => [join(loopDir, 'raw', name), join(loopDir, 'raw', name, 'analysis')],
    visualize: (name) => [join(loopDir, 'data', name), join(loopDir, 'graph', name)],
    summarize: (name) => [join(loopDir, 'data', name), join(loopDir, 'summary', name)],
  };
  for (const stage of STAGES) {
    for (const name of names) {
      const args = places[stage](name);
      for (const dir of args) fs.mkdirSync(dir, { recursive: true });
      await run(
        join(home, 'experiments', name, `${stage}.sh`),
        [join(config, name), ...args],
        join(home, 'experiments', name),
      );
    }
  }
}

function run(file: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
}

async function night(options: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'run', home, '--progress', 'none', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMebibytes(child.pid ?? 0));
  }, 100);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`The night ended with ${code}: ${stderr}`);
  peaks.push(peak);
}

/** The kernel keeps the largest resident size of a process. */
function peakMebibytes(pid: number): number {
  try {
    const [, kibibytes = '0'] = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kibibytes) / 1024);
  } catch {
    return 0;
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function milliseconds(values: readonly number[]): string {
  return `${(values.at(-1) ?? Number.NaN).toFixed(2)} ms`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = Math.floor(sorted.length / 2);
  const lower = Math.ceil(sorted.length / 2) - 1;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}
