// Wall time and CPU time of the same pairs on a busy machine: 5 % more work, and a command against itself; hyperfine with as many
// runs in the same rounds, where it is installed. A program in C where there is a compiler, else awk.
// Run: node dist/bench/measures.js [rounds] [pairs] [processes that keep the machine busy] [seed]

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTimer } from '../src/duet/adapters/timer/process-timer.ts';
import { compareCommands } from '../src/duet/app/compare-commands.ts';
import type { Comparison } from '../src/duet/core/comparison.ts';
import systemClock from '../src/platform/adapters/system-clock.ts';
import { median } from '../src/stats/summary.ts';
import { type Judgement, judgeLogRatios, judgeUnpaired } from '../src/stats/verdict.ts';
import { percent, printTable } from './accuracy/table.ts';

const [ROUNDS = 10, PAIRS = 40, BUSY = 6, SEED = 1] = process.argv.slice(2).map(Number);
const JUDGE = { level: 0.95, minEffect: 0.01 };
const folder = mkdtempSync(join(tmpdir(), 'nightmark-bench-measures-'));
const program = makeProgram();
const hasHyperfine = spawnSync('hyperfine', ['--version']).status === 0;
const load = Array.from({ length: BUSY }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', detached: true }),
);

/** What each way says of one round. */
interface Said {
  readonly wall: Judgement;
  readonly cpu: Judgement;
  readonly both: Judgement;
  readonly hyperfine?: Judgement;
}

const NAMES = {
  wall: 'wall time',
  cpu: 'CPU time of the same pairs',
  both: 'the answer (both)',
  hyperfine: "hyperfine's times (Welch)",
} as const;

try {
  const rows: string[][] = [];
  for (const factor of [1, 1.05]) rows.push(...(await contest(factor)));
  printTable(
    `${PAIRS} pairs, ${ROUNDS} rounds, ${BUSY} processes that compute beside them; ${program.name}`,
    ['', 'slower', 'faster', 'same', 'undecided', 'ratio', 'width of the interval'],
    rows,
  );
} finally {
  for (const child of load) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function contest(factor: number): Promise<string[][]> {
  const said: Said[] = [];
  const commands = [
    program.words(program.rounds),
    program.words(Math.round(program.rounds * factor)),
  ] as const;
  for (let round = 0; round < ROUNDS; round++) {
    const duet = await compare(commands, SEED + round);
    const peer = hasHyperfine ? timeByHyperfine(commands) : undefined;
    said.push({ ...byMeasure(duet), both: duet.judgement, ...(peer && { hyperfine: peer }) });
    const { wall, cpu, both } = said.at(-1) as Said;
    console.error(
      `${factor}, round ${round + 1}: wall ${wall.verdict}, CPU ${cpu.verdict}, answer ${both.verdict} by ${duet.decidedBy}`,
    );
  }
  const name = factor === 1 ? 'with itself' : `${Math.round((factor - 1) * 100)} % more work`;
  return (['wall', 'cpu', 'both', 'hyperfine'] as const).flatMap((way) => {
    const judged = said.flatMap((one) => one[way] ?? []);
    return judged.length === 0 ? [] : [[`${name}, ${NAMES[way]}`, ...cellsOf(judged)]];
  });
}

function cellsOf(judged: readonly Judgement[]): string[] {
  const share = (verdict: string) =>
    percent(judged.filter((one) => one.verdict === verdict).length / judged.length);
  const effects = judged.flatMap(({ effect }) => effect ?? []);
  return [
    ...['slower', 'faster', 'same', 'undecided'].map(share),
    median(effects.map(({ ratio }) => ratio)).toFixed(3),
    percent(median(effects.map(({ low, high }) => high - low))),
  ];
}

function compare(commands: readonly [string[], string[]], seed: number): Promise<Comparison> {
  const side = (name: string, [first = '', ...rest]: readonly string[]) => ({
    ...{ name, command: [first, ...rest].join(' '), argv: [first, ...rest] as const, cwd: folder },
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
  const signal = new AbortController().signal;
  return compareCommands(
    {
      ...{
        sides: { A: side('A', commands[0]), B: side('B', commands[1]) },
        parameters: {},
        mode: 'together',
      },
      ...{ count: { type: 'exact', pairs: PAIRS }, warmup: 1, stop: 'never', ...JUDGE, seed },
      ...{ ignoreFailure: false, output: 'null', notes: [] },
    },
    { timer: processTimer, clock: systemClock, signal, notify: () => {} },
  );
}

/** Each measure alone, at the level that both share in the answer. */
function byMeasure({ sides: { A, B } }: Comparison): Pick<Said, 'wall' | 'cpu'> {
  const judge = (a: readonly number[], b: readonly number[]) =>
    judgeLogRatios(
      Float64Array.from(a, (time, pair) => Math.log((b[pair] ?? Number.NaN) / time)),
      JUDGE,
    );
  return { wall: judge(A.times, B.times), cpu: judge(A.measured?.cpu ?? [], B.measured?.cpu ?? []) };
}

function timeByHyperfine(commands: readonly (readonly string[])[]): Judgement {
  const file = join(folder, 'hyperfine.json');
  const lines = commands.map((words) => words.map((word) => `'${word}'`).join(' '));
  const args = ['-N', '-w', '1', '-r', String(PAIRS), '--export-json', file, ...lines];
  spawnSync('hyperfine', args, { stdio: 'ignore' });
  const { results } = JSON.parse(readFileSync(file, 'utf8')) as { results: { times: number[] }[] };
  const logs = results.map(({ times }) => Float64Array.from(times, Math.log));
  return judgeUnpaired(logs[0] ?? new Float64Array(), logs[1] ?? new Float64Array(), JUDGE);
}

/** Counts as often as it is told: 5 % more rounds are 5 % more work. */
function makeProgram() {
  const file = join(folder, 'work');
  writeFileSync(
    `${file}.c`,
    `#include <stdlib.h>
int main(int n, char **a) { volatile double s = 0; unsigned x = 1; (void)n;
  for (long i = atol(a[1]); i > 0; i--) { x = x * 1664525u + 1013904223u; s += x % 7; } return s < 0; }
`,
  );
  const compiled = spawnSync('cc', ['-O1', '-o', file, `${file}.c`]).status === 0;
  if (compiled)
    return { name: 'a loop in C', rounds: 20_000_000, words: (rounds: number) => [file, String(rounds)] };
  const script = (rounds: number) => `BEGIN { for (i = 0; i < ${rounds}; i++) s += i }`;
  return { name: 'a loop in awk', rounds: 1_500_000, words: (rounds: number) => ['awk', script(rounds)] };
}
