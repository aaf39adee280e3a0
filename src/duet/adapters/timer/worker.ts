import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Exit } from '../../../executors/core/executor.ts';
import type { Counts } from '../../../executors/core/measures.ts';
import type { TimedCommand } from '../../core/command-timer.ts';
import { PerfFile } from './perf-stat.ts';

/** The reply of a worker after one run. */
export interface WorkerReply {
  readonly startUs: number;
  readonly endUs: number;
  readonly code: number;
  readonly userNs?: number;
  readonly systemNs?: number;
  /** The steps in which both are counted. */
  readonly cpuStepNs?: number;
  readonly counts?: Counts;
}

interface WorkerStart {
  readonly command: TimedCommand;
  /** What comes before the arguments of the worker: a shell with its script, or Node with its module. */
  readonly prefix: readonly [string, ...string[]];
  /** Absolute path of the program. */
  readonly program: string;
  /** NIGHTMARK_TOKEN of all that the worker starts. */
  readonly token: string;
}

/** A small process that runs one command on request, as often as needed; it leads a process group of its own. */
export class Worker {
  readonly tail = new OutputTail();
  readonly #process: ChildProcess;
  readonly #perf: PerfFile | undefined;
  #text = '';
  #ready: (() => void) | undefined;
  #answer: ((reply: WorkerReply | undefined) => void) | undefined;
  #isGone = false;
  #cpu: readonly [number, number] = [0, 0];
  /** Why it is not there: taskset or the shell are missing. */
  reason: Exit | undefined;

  constructor({ command, prefix, program, token }: WorkerStart) {
    const pinned = command.cores ? ['taskset', '--cpu-list', command.cores.join(',')] : [];
    this.#perf = command.isCounted ? new PerfFile() : undefined;
    const counted = this.#perf?.prefix ?? [];
    const argv = [...counted, program, ...command.argv.slice(1)];
    const [first = '', ...rest] = [...pinned, ...prefix, command.output, ...argv];
    this.#process = spawn(first, rest, {
      cwd: command.cwd,
      env: { ...command.env, NIGHTMARK_TOKEN: token },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    this.#process.on('error', (error) => this.#end(`${first}: ${error.message}`));
    this.#process.on('exit', () => this.#end('the process that starts the command ended'));
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')));
    // A dead worker is noticed by its exit; errors of its pipes add nothing.
    for (const pipe of [0, 3]) this.#stream(pipe)?.on('error', () => {});
    (this.#stream(4) as Readable | null)?.on('data', (chunk: Buffer) => this.tail.add(chunk));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  untilReady(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isGone) resolve();
      else this.#ready = resolve;
    });
  }

  /** Runs the command at a time in microseconds since 1970; undefined when the worker died instead. */
  run(atUs: number): Promise<WorkerReply | undefined> {
    return new Promise((resolve) => {
      if (this.#isGone) {
        resolve(undefined);
        return;
      }
      this.#answer = resolve;
      this.#process.stdin?.write(`${atUs}\n`);
    });
  }

  /** To the worker's whole group: the command, what it started, and for SIGKILL the worker as well. */
  signal(name: NodeJS.Signals): void {
    try {
      if (this.#process.pid !== undefined) process.kill(-this.#process.pid, name);
    } catch {
      // Nobody is left.
    }
  }

  async close(): Promise<void> {
    const gone = this.#isGone || new Promise((resolve) => this.#process.once('exit', resolve));
    this.signal('SIGKILL');
    await gone;
    for (const pipe of [0, 1, 3, 4]) this.#stream(pipe)?.destroy();
    this.#perf?.remove();
  }

  #stream(fd: number): Readable | Writable | null {
    return (this.#process.stdio[fd] as Readable | Writable | null | undefined) ?? null;
  }

  #read(text: string): void {
    this.#text += text;
    const lines = this.#text.split('\n');
    if (lines[0] === 'ready' && lines.length > 1) {
      lines.shift();
      this.#text = lines.join('\n');
      this.#ready?.();
    }
    if (lines.length <= 3) return;
    this.#text = '';
    this.#reply(lines);
  }

  #reply([times = '', own = '', cpu = '']: readonly string[]): void {
    const [startUs = Number.NaN, endUs = Number.NaN, code = 127] = times.split(' ').map(Number);
    const before = this.#cpu;
    const now = readCpu(cpu);
    const answer = this.#answer;
    this.#answer = undefined;
    if (now) this.#cpu = now;
    answer?.({
      startUs,
      endUs,
      code,
      ...(now && { userNs: now[0] - before[0], systemNs: now[1] - before[1], cpuStepNs: stepNs(own) }),
      ...(this.#perf && { counts: this.#perf.counts() }),
    });
  }

  #end(reason: string): void {
    this.#isGone = true;
    this.reason ??= { type: 'not-started', reason };
    this.#ready?.();
    this.#answer?.(undefined);
    this.#answer = undefined;
  }
}

/** "0m1.234s 0m0.056s": user and system so far, in nanoseconds. The point is a comma in some countries. */
function readCpu(line: string): readonly [number, number] | undefined {
  const found = /^(\d+)m(\d+)\D(\d{3})s (\d+)m(\d+)\D(\d{3})s$/.exec(line.trim());
  if (!found) return undefined;
  const ns = (from: number) => {
    const [minutes = 0, seconds = 0, millis = 0] = found.slice(from, from + 3).map(Number);
    return (minutes * 60_000 + seconds * 1000 + millis) * 1e6;
  };
  return [ns(1), ns(4)];
}

/** bash reports its own times too, and in milliseconds; a worker in Node has clock ticks. */
function stepNs(own: string): number {
  return own === '-' ? 10e6 : 1e6;
}

/** Enough for the last lines of a stack trace. */
const KEPT_BYTES = 4096;
/** Longest wait for the end of the output: a command may have closed its stderr. */
const TAIL_TIMEOUT_MS = 250;

/** What a worker writes behind the output of a run that failed; printf of bash turns the \\0 into a NUL. */
export const END_OF_TAIL = '\\0nightmark-end\\0';
const MARK = Buffer.from('\0nightmark-end\0');

/** The end of what a command printed; never more, whatever it prints. */
class OutputTail {
  #kept = Buffer.alloc(0);
  #waiting: (() => void) | undefined;

  add(chunk: Buffer): void {
    const both = Buffer.concat([this.#kept, chunk]);
    this.#kept = Buffer.from(both.subarray(-(KEPT_BYTES + MARK.length)));
    if (this.#kept.includes(MARK)) this.#waiting?.();
  }

  /** The output up to the mark of a run that failed. */
  async untilMark(): Promise<string> {
    if (!this.#kept.includes(MARK)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TAIL_TIMEOUT_MS);
        this.#waiting = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#waiting = undefined;
    }
    return this.take();
  }

  /** What there is, which is then forgotten. */
  take(): string {
    const end = this.#kept.indexOf(MARK);
    const text = this.#kept.subarray(0, end < 0 ? undefined : end).subarray(-KEPT_BYTES);
    this.#kept = Buffer.alloc(0);
    return text.toString('utf8');
  }
}

/** Ends what carries the token, wherever it went: a daemon leaves its group, but takes its environment along. */
export function killEscaped(token: string): number {
  let count = 0;
  for (const pid of processesWith(token)) {
    try {
      process.kill(pid, 'SIGKILL');
      count++;
    } catch {
      // Gone between the check and the signal.
    }
  }
  return count;
}

/** How many processes go on although the command that started them has ended: their parent is none of ours. */
export function countLeft(token: string, workers: readonly (number | undefined)[]): number {
  const ours = new Set([process.pid, ...workers]);
  return processesWith(token).filter((pid) => !ours.has(parentOf(pid))).length;
}

function processesWith(token: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => hasEntry(name, `NIGHTMARK_TOKEN=${token}`))
    .map(Number);
}

/** 0 for one that is gone. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

function hasEntry(pid: string, entry: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${entry}\0`);
  } catch {
    return false;
  }
}
