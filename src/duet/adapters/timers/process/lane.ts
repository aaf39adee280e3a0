import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Exit } from '../../../../executors/core/executor.ts';
import type { TimedCommand } from '../../../core/command-timer.ts';
import { OutputTail } from './output-tail.ts';

/** What a lane says of one run. */
export interface LaneReply {
  readonly startUs: number;
  readonly endUs: number;
  readonly code: number;
  readonly userNs?: number;
  readonly systemNs?: number;
}

export interface LaneStart {
  readonly command: TimedCommand;
  /** What comes before the arguments of the lane: a shell with its script, or Node with its module. */
  readonly prefix: readonly [string, ...string[]];
  /** Absolute path of the program. */
  readonly program: string;
  /** NIGHTMARK_TOKEN of all that the lane starts. */
  readonly token: string;
}

/** A small process that runs one command as often as it is told to; it leads a process group of its own. */
export class Lane {
  readonly tail = new OutputTail();
  readonly #process: ChildProcess;
  #text = '';
  #ready: (() => void) | undefined;
  #answer: ((reply: LaneReply | undefined) => void) | undefined;
  #isGone = false;
  #cpu: readonly [number, number] = [0, 0];
  /** Why it is not there: taskset or the shell are missing. */
  reason: Exit | undefined;

  constructor({ command, prefix, program, token }: LaneStart) {
    const pinned = command.cores ? ['taskset', '--cpu-list', command.cores.join(',')] : [];
    const [first = '', ...rest] = [...pinned, ...prefix, command.output, program, ...command.argv.slice(1)];
    this.#process = spawn(first, rest, {
      cwd: command.cwd,
      env: { ...command.env, NIGHTMARK_TOKEN: token },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
    });
    this.#process.on('error', (error) => this.#end(`${first}: ${error.message}`));
    this.#process.on('exit', () => this.#end('the process that starts the command ended'));
    this.#process.stdout?.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')));
    // A lane that died shows itself by its exit; a write into its pipe is no news.
    for (const pipe of [0, 3]) this.#stream(pipe)?.on('error', () => {});
    (this.#stream(4) as Readable | null)?.on('data', (chunk: Buffer) => this.tail.add(chunk));
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

  /** Runs the command at a moment, microseconds since 1970; undefined when the lane died instead. */
  run(momentUs: number): Promise<LaneReply | undefined> {
    return new Promise((resolve) => {
      if (this.#isGone) {
        resolve(undefined);
        return;
      }
      this.#answer = resolve;
      this.#process.stdin?.write(`${momentUs}\n`);
    });
  }

  /** To the lane's whole group: the command, what it started, and for SIGKILL the lane as well. */
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

  #reply([times = '', , cpu = '']: readonly string[]): void {
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
      ...(now && { userNs: now[0] - before[0], systemNs: now[1] - before[1] }),
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
