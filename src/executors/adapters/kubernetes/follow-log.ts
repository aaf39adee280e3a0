import { setTimeout as sleep } from 'node:timers/promises';
import { CONTAINER } from '../../core/kubernetes/manifest.ts';
import { ApiError, type KubeApi } from './api.ts';
import { podsPath } from './namespace-watch.ts';
import { StampedLines } from './stamped-lines.ts';

export interface FollowedPod {
  readonly namespace: string;
  readonly name: string;
  /** Whether its program has ended. */
  hasEnded(): boolean;
  /** Resolves when it has, or the pod is gone. */
  readonly ended: Promise<unknown>;
}

export type TakeOutput = (bytes: Buffer) => void | Promise<void>;

/** How often a log that does not come is asked for after the end of the program. */
const LAST_TRIES = 10;
/** A connection that says nothing for so long is made anew: a silent program and a dead node look the same. */
const SILENCE_MS = 600_000;

/**
 * Reads the log of a pod from its beginning to its end, over breaks of the connection and turns of the file. A stream
 * that began before the end may have missed something: the last one begins after it. Gives what went wrong, if it did.
 */
export async function followLog(
  api: KubeApi,
  pod: FollowedPod,
  take: TakeOutput,
): Promise<string | undefined> {
  const lines = new StampedLines();
  for (let failures = 0; ; ) {
    const isLast = pod.hasEnded();
    try {
      await readStream(api, pod, lines, take);
      if (isLast) return undefined;
      failures = 0;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) return `the log is gone: ${error.message}`;
      failures++;
      if (isLast && failures >= LAST_TRIES) return `the log cannot be read: ${error.message}`;
    }
    // The end is told a moment after the log ends; without it the log is asked for again.
    const pauseMs = Math.min(200 * 2 ** failures, 10_000);
    await (pod.hasEnded() ? sleep(failures === 0 ? 0 : pauseMs) : Promise.race([pod.ended, sleep(pauseMs)]));
  }
}

async function readStream(
  api: KubeApi,
  { namespace, name }: FollowedPod,
  lines: StampedLines,
  take: TakeOutput,
): Promise<void> {
  const { since } = lines;
  const query = {
    container: CONTAINER,
    follow: 'true',
    timestamps: 'true',
    ...(since !== undefined && { sinceTime: since }),
  };
  const stream = await api.open(`${podsPath(namespace, name)}/log`, { query, patienceMs: SILENCE_MS });
  lines.begin();
  try {
    for await (const chunk of stream) {
      const fresh = lines.take(chunk);
      if (fresh.length > 0) await take(fresh);
    }
  } catch (error) {
    throw new ApiError(0, `the log broke off: ${(error as Error).message}`);
  }
}
