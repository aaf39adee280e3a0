import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 2;
/** Fewer say nothing. */
const LEAST_SAMPLES = 5;

/**
 * Samples in how much of its time a command had work for a CPU: its threads ran, or waited for a CPU to be free. On a busy
 * machine CPU time is a small part of wall time for every program; this tells those that compute from those that wait for
 * something else. Linux only. It wakes up every few milliseconds, so it is for runs that do not count.
 */
export class RunnableWatch {
  readonly #worker: number;
  /** Threads of the worker that were there before the command. */
  readonly #before: ReadonlySet<string>;
  readonly #timer: NodeJS.Timeout;
  #samples = 0;
  #runnable = 0;

  /** @param worker the process that starts the command. */
  constructor(worker: number) {
    this.#worker = worker;
    this.#before = new Set(threadsBelow(worker));
    this.#timer = setInterval(() => this.#sample(), EVERY_MS);
  }

  /** Threads with work for a CPU, on average: about 1 for a command that only computes. Undefined: too little was seen of it. */
  stop(): number | undefined {
    clearInterval(this.#timer);
    return this.#samples < LEAST_SAMPLES ? undefined : this.#runnable / this.#samples;
  }

  #sample(): void {
    const threads = threadsBelow(this.#worker).filter((thread) => !this.#before.has(thread));
    const states = threads.map(stateOf).filter((state) => state !== undefined && !'ZX'.includes(state));
    if (states.length === 0) return; // not started yet, or ended
    this.#samples++;
    this.#runnable += states.filter((state) => state === 'R').length;
  }
}

/** R: running or waiting for a CPU; S and D: waiting for something else; Z and X: ended. The name before it may be anything. */
function stateOf(thread: string): string | undefined {
  return /\) ([A-Z]) [^)]*$/.exec(read(`${thread}/stat`))?.[1];
}

/** All threads of all descendants of a process. */
function threadsBelow(pid: number): readonly string[] {
  const found: string[] = [];
  const waiting = children(pid);
  for (let child = waiting.pop(); child !== undefined; child = waiting.pop()) {
    found.push(...threads(child));
    waiting.push(...children(child));
  }
  return found;
}

/** A child belongs to the thread that started it. */
function children(pid: number): number[] {
  return threads(pid).flatMap((thread) =>
    read(`${thread}/children`)
      .split(' ')
      .flatMap((child) => (/^\d+$/.test(child) ? [Number(child)] : [])),
  );
}

function threads(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

/** Empty for a thread that has ended meanwhile, and where the kernel does not have the file. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
