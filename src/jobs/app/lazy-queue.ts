import { NightmarkError } from '../../platform/core/errors.ts';
import type { JobQueue } from '../core/job-queue.ts';

/** A queue that is opened later: until then every call fails with the reason. */
export interface LazyQueue {
  readonly queue: JobQueue;
  setQueue(queue: JobQueue): void;
  setUnavailable(why: string): void;
}

/** Typed, so that a new method of the port is not forgotten here. */
const CALLS: Readonly<Record<Exclude<keyof JobQueue, 'id' | 'now' | 'close'>, true>> = {
  submit: true,
  job: true,
  idsWith: true,
  list: true,
  count: true,
  claim: true,
  arrive: true,
  begin: true,
  heartbeat: true,
  report: true,
  appendLogs: true,
  end: true,
  takeOver: true,
  requeueLost: true,
  cancel: true,
  resume: true,
  annotate: true,
  delete: true,
  logs: true,
  savePackage: true,
  hasPackage: true,
  package: true,
  collectPackages: true,
};

/** `now` is used until the queue is open. */
export function lazyQueue(id: string, now: () => number): LazyQueue {
  let here: JobQueue | undefined;
  let why = 'it is being opened';
  const opened = (): JobQueue => {
    if (here) return here;
    throw new NightmarkError('JOBS_AWAY', `The queue of jobs is unavailable: ${why}`, {
      hint: 'It is retried automatically.',
    });
  };
  const calls = Object.keys(CALLS).map((name) => {
    const call = async (...values: readonly unknown[]) => {
      const queue = opened() as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
      return queue[name]?.(...values);
    };
    return [name, call] as const;
  });
  const queue = {
    ...Object.fromEntries(calls),
    id,
    now: () => here?.now() ?? now(),
    close: async () => here?.close(),
  } as unknown as JobQueue;
  return {
    queue,
    setQueue(opened) {
      here = opened;
    },
    setUnavailable(reason) {
      why = reason;
    },
  };
}
