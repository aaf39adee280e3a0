import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 5;

/**
 * Measures in how much of its time a command had work for a CPU: its threads ran, or waited for a CPU to be free. On a busy
 * machine CPU time is a small part of wall time for every program; this tells those that compute from those that wait for
 * something else. Linux only. It wakes up every few milliseconds, so it is for runs that do not count.
 */
export class RunnableWatch {
  readonly #worker: number;
  /** Nanoseconds by thread: of those of the worker itself before the command started, and of all as they were last seen. */
  readonly #before: ReadonlyMap<string, number>;
  readonly #seen = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #seenAtUs = 0;

  /** @param worker the process that starts the command. */
  constructor(worker: number) {
    this.#worker = worker;
    this.#before = runnableThreads(worker);
    this.#timer = setInterval(() => this.#see(), EVERY_MS);
  }

  /** The share for a command that started at this time; more than 1 with several threads; undefined: nothing was seen of it. */
  stop(startUs: number): number | undefined {
    clearInterval(this.#timer);
    let ns = 0;
    for (const [thread, runnable] of this.#seen) ns += runnable - (this.#before.get(thread) ?? 0);
    const seenNs = (this.#seenAtUs - startUs) * 1000;
    return ns > 0 && seenNs > 0 ? ns / seenNs : undefined;
  }

  #see(): void {
    for (const [thread, ns] of runnableThreads(this.#worker)) this.#seen.set(thread, ns);
    this.#seenAtUs = (performance.timeOrigin + performance.now()) * 1000;
  }
}

/** All threads of all descendants of a process: nanoseconds that they ran or waited for a CPU. */
function runnableThreads(pid: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const waiting = children(pid);
  for (let child = waiting.pop(); child !== undefined; child = waiting.pop()) {
    for (const thread of threads(child)) {
      const [ran = Number.NaN, waited = Number.NaN] = read(`${thread}/schedstat`).split(' ').map(Number);
      if (Number.isFinite(ran + waited)) found.set(thread, ran + waited);
    }
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
