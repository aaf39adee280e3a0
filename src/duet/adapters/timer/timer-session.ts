import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { Exit } from '../../../executors/core/executor.ts';
import type { Measures } from '../../../executors/core/measures.ts';
import { isProgram } from '../../../platform/adapters/programs.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { TimedCommand, TimerSession, Timing } from '../../core/command-timer.ts';
import { RunnableWatch } from './runnable-watch.ts';
import { countLeft, killEscaped, Worker, type WorkerReply } from './worker.ts';

/** Workers stay between runs, one for each command, place and environment: a run then costs one line each way. */
export class ProcessSession implements TimerSession {
  readonly #workers = new Map<string, Worker>();
  readonly #limit: number;
  readonly #prefix: readonly [string, ...string[]];
  readonly #token = randomBytes(8).toString('hex');
  readonly #startTime = new StartTime();

  constructor(limit: number, prefix: readonly [string, ...string[]]) {
    this.#limit = limit;
    this.#prefix = prefix;
  }

  async run(commands: readonly TimedCommand[], signal: CancelSignal): Promise<readonly Timing[]> {
    if (commands.length > this.#limit)
      throw new RangeError(`${commands.length} commands for ${this.#limit} workers`);
    if (signal.aborted) return commands.map(() => ended({ type: 'cancelled' }));
    const workers: (Worker | Exit)[] = [];
    for (const command of commands) workers.push(await this.#worker(command, workers));
    // All or none: what ran alone is not half of a pair.
    const failed = workers.findIndex((worker) => !(worker instanceof Worker));
    if (failed >= 0) {
      return workers.map((worker) => ended(worker instanceof Worker ? { type: 'cancelled' } : worker));
    }
    return this.#runAll(commands, workers as readonly Worker[], signal);
  }

  leftRunning(): number {
    return countLeft(
      this.#token,
      [...this.#workers.values()].map(({ pid }) => pid),
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.close()));
    this.#workers.clear();
    // What forks during the search is found the next time.
    while (killEscaped(this.#token) > 0) await delay(2);
  }

  async #runAll(
    commands: readonly TimedCommand[],
    workers: readonly Worker[],
    signal: CancelSignal,
  ): Promise<readonly Timing[]> {
    const stop = new Termination(workers, () => killEscaped(this.#token));
    const cancel = () => stop.begin({ type: 'cancelled' });
    signal.addEventListener('abort', cancel, { once: true });
    const limits = commands.flatMap(({ timeoutMs }) => (timeoutMs === undefined ? [] : [timeoutMs]));
    const afterMs = Math.min(...limits);
    const timer = Number.isFinite(afterMs)
      ? setTimeout(() => stop.begin({ type: 'timeout', afterMs }), afterMs)
      : undefined;
    const requestedAt = process.hrtime.bigint();
    const atUs = workers.length > 1 ? this.#startTime.next() : 0;
    const replies = await Promise.all(
      workers.map(async (worker, index) => {
        const watch = commands[index]?.isWatched && worker.pid ? new RunnableWatch(worker.pid) : undefined;
        const reply = await worker.run(atUs);
        const runnable = watch?.stop();
        // Who had ended by itself before the other one was given up ended by itself.
        const exit = stop.reason ?? exitOf(reply, worker);
        const untilNs = Number(process.hrtime.bigint() - requestedAt);
        return { reply, exit, worker, untilNs, ...(runnable !== undefined && { runnable }) };
      }),
    );
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await stop.done();
    if (workers.length > 1)
      this.#startTime.learn(
        atUs,
        replies.map(({ reply }) => reply?.startUs ?? atUs),
      );
    return Promise.all(
      replies.map(async ({ worker, ...ended }, index) => {
        const isMarked =
          ended.reply !== undefined && ended.reply.code !== 0 && commands[index]?.output !== 'null';
        return toTiming({ ...ended, tail: isMarked ? await worker.tail.untilMark() : worker.tail.take() });
      }),
    );
  }

  async #worker(command: TimedCommand, taken: readonly (Worker | Exit)[]): Promise<Worker | Exit> {
    const { argv, cwd, env, cores, output, isCounted } = command;
    const key = JSON.stringify([argv, cwd, env, cores, output, isCounted]);
    // A command against itself needs two workers that are alike.
    const own = (copy: number) => `${copy} ${key}`;
    let copy = 0;
    for (
      let worker = this.#workers.get(own(copy));
      worker && taken.includes(worker);
      worker = this.#workers.get(own(copy))
    )
      copy++;
    const known = this.#workers.get(own(copy));
    if (known && !known.isGone) return known;
    await known?.close();
    const found = findProgram(argv[0], cwd, env['PATH']);
    if (found.state === 'missing') return { type: 'not-started', reason: found.reason };
    try {
      const worker = new Worker({ command, prefix: this.#prefix, program: found.path, token: this.#token });
      this.#workers.set(own(copy), worker);
      await worker.untilReady();
      return worker.isGone ? (worker.reason ?? { type: 'not-started', reason: argv[0] }) : worker;
    } catch (error) {
      return { type: 'not-started', reason: `${argv[0]}: ${(error as Error).message}` };
    }
  }
}

interface Ended {
  readonly reply: WorkerReply | undefined;
  readonly exit: Exit;
  readonly tail: string;
  readonly untilNs: number;
  readonly runnable?: number;
}

function toTiming({ reply, exit, tail, untilNs, runnable }: Ended): Timing {
  if (!reply) return { ...ended(exit), tail, wallNs: untilNs, measures: { wall: untilNs / 1e9 } };
  const { startUs, endUs, userNs, systemNs, cpuStepNs } = reply;
  const clockNs = (endUs - startUs) * 1000;
  // The worker reads the wall clock, which may be set meanwhile; ours is monotonic.
  const wallNs = clockNs >= 0 && clockNs <= untilNs ? clockNs : untilNs;
  return {
    exit,
    wallNs,
    startedAtNs: BigInt(startUs) * 1000n,
    ...(userNs !== undefined && { userNs }),
    ...(systemNs !== undefined && { systemNs }),
    ...(cpuStepNs !== undefined && { cpuStepNs }),
    ...(runnable !== undefined && { runnable }),
    measures: measuresOf(reply, wallNs),
    tail,
  };
}

function measuresOf({ userNs, systemNs, counts }: WorkerReply, wallNs: number): Measures {
  const hasCpu = userNs !== undefined && systemNs !== undefined;
  return { wall: wallNs / 1e9, ...(hasCpu && { cpu: (userNs + systemNs) / 1e9 }), ...counts };
}

function exitOf(reply: WorkerReply | undefined, worker: Worker): Exit {
  if (reply) return { type: 'code', code: reply.code };
  return worker.reason ?? { type: 'not-started', reason: 'the process that starts the command ended' };
}

function ended(exit: Exit): Timing {
  return { exit, wallNs: 0, startedAtNs: 0n, measures: { wall: 0 }, tail: '' };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** How long commands may take to end by themselves after SIGTERM. */
const GRACE_MS = 1_000;

/** Ends all commands of a call together: SIGTERM, then SIGKILL after the grace time. */
class Termination {
  readonly #workers: readonly Worker[];
  readonly #endEscaped: () => number;
  #killer: NodeJS.Timeout | undefined;
  reason: Exit | undefined;

  constructor(workers: readonly Worker[], escaped: () => number) {
    this.#workers = workers;
    this.#endEscaped = escaped;
  }

  begin(reason: Exit): void {
    if (this.reason) return;
    this.reason = reason;
    for (const worker of this.#workers) worker.signal('SIGTERM');
    this.#killer = setTimeout(() => {
      for (const worker of this.#workers) worker.signal('SIGKILL');
    }, GRACE_MS);
  }

  /** Nothing is left of commands that were ended, not even what survived the one that started it. */
  async done(): Promise<void> {
    clearTimeout(this.#killer);
    if (!this.reason) return;
    await Promise.all(this.#workers.map((worker) => worker.close()));
    this.#endEscaped();
  }
}

/** Long enough that both workers have read their line, short enough not to delay. */
const FIRST_MARGIN_US = 300;
const MIN_MARGIN_US = 150;
const MAX_MARGIN_US = 800;
const LATE_US = 100;
/** These two balance where one start in five is late: waiting for the last of them would cost more than they do. */
const WHEN_LATE = 1.2;
const WHEN_IN_TIME = 0.95;

/** The time at which workers start together: a little ahead, and further when they were late the last time. */
class StartTime {
  #marginUs = FIRST_MARGIN_US;
  /** Date.now() cuts off at milliseconds; the largest difference seen is next to the truth. */
  #offsetMs = Number.NEGATIVE_INFINITY;

  next(): number {
    const wall = Date.now();
    const running = performance.now();
    this.#offsetMs = Math.max(this.#offsetMs, wall - running);
    // A clock that was set back must not make the workers wait for the old time.
    const nowMs = Math.min(running + this.#offsetMs, wall + 1);
    return Math.round(nowMs * 1000 + this.#marginUs);
  }

  learn(atUs: number, startsUs: readonly number[]): void {
    const isLate = startsUs.some((start) => start - atUs > LATE_US);
    this.#marginUs = isLate
      ? Math.min(MAX_MARGIN_US, this.#marginUs * WHEN_LATE)
      : Math.max(MIN_MARGIN_US, this.#marginUs * WHEN_IN_TIME);
  }
}

type Found =
  | { readonly state: 'found'; readonly path: string }
  | { readonly state: 'missing'; readonly reason: string };

/** Where the program lies, as execvp would find it: so that a shell does not take `true` or `echo` for its own. */
export function findProgram(name: string, cwd: string, path: string | undefined): Found {
  if (!isFolder(cwd)) return { state: 'missing', reason: `the folder ${cwd} does not exist` };
  if (name.includes('/')) {
    const file = resolve(cwd, name);
    return isProgram(file)
      ? { state: 'found', path: file }
      : missing(name, 'no such program, or not executable');
  }
  for (const folder of (path ?? '').split(delimiter)) {
    const file = resolve(cwd, folder, name);
    if (isProgram(file)) return { state: 'found', path: file };
  }
  return missing(name, 'not found in PATH');
}

function missing(name: string, why: string): Found {
  return { state: 'missing', reason: `${name}: ${why}` };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
