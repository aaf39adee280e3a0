import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { END_OF_TAIL, killEscaped } from './worker.ts';

/** The main module of a worker where there is no bash 5: same protocol as bash-worker.ts. */
const [output, program = '', ...args] = process.argv.slice(2);
const [stdout, stderr] =
  output === 'tail'
    ? [4, 4]
    : output === 'errors'
      ? ['ignore' as const, 4]
      : ['ignore' as const, 'ignore' as const];

// What a terminal or an init system sends to everybody is for the one who started us to act on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

createInterface({ input: process.stdin })
  .on('line', (startUs) => run(Number(startUs)))
  .on('close', () => {
    killEscaped(process.env['NIGHTMARK_TOKEN'] ?? '');
    process.kill(0, 'SIGKILL');
  });
process.stdout.write('ready\n');

function run(startUs: number): void {
  while (micros() < startUs);
  const requestedAt = process.hrtime.bigint();
  const child = spawn(program, args, { stdio: ['ignore', stdout, stderr] });
  // spawn comes back when the program has replaced the copy of us: the copying is our cost, not the command's.
  const began = process.hrtime.bigint();
  const at = Math.round(micros());
  child.on('error', () => reply(at, 0n, 127));
  child.on('exit', (code, signal) => {
    const number = code ?? 128 + (signal ? constants.signals[signal] : 0);
    reply(at, process.hrtime.bigint() - (child.pid === undefined ? requestedAt : began), number);
  });
}

function reply(at: number, ns: bigint, code: number): void {
  if (code !== 0 && output !== 'null') writeSync(4, END_OF_TAIL.replaceAll('\\0', '\0'));
  process.stdout.write(`${at} ${at + Math.round(Number(ns) / 1000)} ${code}\n-\n${childTimes()}\n`);
}

function micros(): number {
  return (performance.timeOrigin + performance.now()) * 1000;
}

/** Only on Linux, in hundredths of a second: the 16th and 17th field of /proc/self/stat. */
function childTimes(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [fields[13], fields[14]].map((ticks) => `0m${(Number(ticks) / 100).toFixed(3)}s`).join(' ');
  } catch {
    return '-';
  }
}
