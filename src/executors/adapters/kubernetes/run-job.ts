import { setTimeout as sleep } from 'node:timers/promises';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Command, Executed, Execution } from '../../core/executor.ts';
import { jobRequest, whyNotRunnable } from './job-request.ts';
import { ApiError } from './kube-api.ts';
import { type Connection, jobsPath, openConnection } from './kube-connection.ts';
import { JobOutput } from './pod-log.ts';
import { type End, RunningJob } from './running-job.ts';

/** Starts a command as a Job and follows it. */
export function startJob(command: Command, signal: CancelSignal): Execution {
  const following = new Following(command, false);
  return following.execution(signal, () => following.start());
}

/** Follows a Job that another process started; undefined when the cluster has none of that name. */
export async function attachJob(
  ref: string,
  command: Command,
  signal: CancelSignal,
): Promise<Execution | undefined> {
  const [namespace = '', name = ''] = ref.split('/');
  if (namespace === '' || name === '') return undefined;
  const connection = await openConnection();
  try {
    await connection.api.call(jobsPath(namespace, name));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw refused(error);
  }
  const following = new Following(command, true);
  return following.execution(signal, () => following.resume(connection, { namespace, name }));
}

export function refused(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const what = error.status === 0 ? 'Kubernetes does not answer' : 'Kubernetes refused';
  return new NightmarkError('RUN_CLUSTER_REFUSED', `${what}: ${error.message}`, {
    hint: 'kubectl auth can-i create jobs --as=... shows what an account may do; deploy/kubernetes has the role that is needed.',
    cause: error,
  });
}

/** One command from its request to its end. */
class Following {
  readonly #command: Command;
  readonly #output: JobOutput;
  readonly #isAttached: boolean;
  readonly #ref: Promise<string | undefined>;
  #resolveRef: (ref: string | undefined) => void = () => {};
  readonly #cancelled = new AbortController();
  #job: RunningJob | undefined;

  constructor(command: Command, isAttached: boolean) {
    this.#command = command;
    this.#isAttached = isAttached;
    this.#output = new JobOutput(command, isAttached);
    this.#ref = new Promise((resolve) => {
      this.#resolveRef = resolve;
    });
  }

  execution(signal: CancelSignal, run: () => Promise<End>): Execution {
    const kill = () => this.#cancel();
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    const executed = this.#executed(run).finally(() => signal.removeEventListener('abort', kill));
    return { wait: () => executed, kill, ref: this.#ref };
  }

  async start(): Promise<End> {
    const reason = whyNotRunnable(this.#command);
    if (reason !== undefined) return { exit: { type: 'not-started', reason } };
    const connection = await openConnection();
    if (this.#cancelled.signal.aborted) return { exit: { type: 'cancelled' } };
    const namespace = this.#command.place?.kubernetes?.namespace ?? connection.namespace;
    const { name, manifest } = jobRequest(this.#command);
    const path = jobsPath(namespace);
    return this.#follow(connection, { namespace, name }, () =>
      connection.api.call(path, { method: 'POST', body: manifest, signal: this.#cancelled.signal }),
    );
  }

  resume(connection: Connection, place: { namespace: string; name: string }): Promise<End> {
    return this.#follow(connection, place, async () => {});
  }

  async #follow(
    connection: Connection,
    place: { namespace: string; name: string },
    create: () => Promise<unknown>,
  ): Promise<End> {
    const job = new RunningJob(connection, place, {
      command: this.#command,
      output: this.#output,
      isAttached: this.#isAttached,
    });
    const stop = connection.watchOf(place.namespace).listen(place.name, job);
    try {
      await create().catch((error: unknown) => this.#mayExist(error));
      this.#resolveRef(`${place.namespace}/${place.name}`);
      this.#job = job;
      if (this.#cancelled.signal.aborted) job.end({ type: 'cancelled' });
      void job.untilSeen();
      return await job.wait();
    } finally {
      stop();
    }
  }

  /**
   * Names are made by chance: one that is taken is our own, from a request whose answer was lost. A request that we
   * broke off may have made a Job: it is ended like any other.
   */
  #mayExist(error: unknown): void {
    const isOurs = error instanceof ApiError && (error.status === 409 || this.#cancelled.signal.aborted);
    if (!isOurs) throw error;
  }

  #cancel(): void {
    this.#cancelled.abort();
    this.#job?.end({ type: 'cancelled' });
  }

  /** Never rejects: what goes wrong is an exit. */
  async #executed(run: () => Promise<End>): Promise<Executed> {
    let end: End;
    try {
      end = await run();
    } catch (error) {
      if (!(error instanceof NightmarkError || error instanceof ApiError)) throw error;
      end = { exit: { type: 'not-started', reason: messageOf(error) } };
    }
    this.#resolveRef(undefined);
    await sleep(0); // Listeners get the last output before the end.
    return { ...end, logBytes: this.#output.close() };
  }
}
