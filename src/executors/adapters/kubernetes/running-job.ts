import { setTimeout as sleep } from 'node:timers/promises';
import { setLongTimer } from '../../../platform/adapters/long-timer.ts';
import type { Command, Exit } from '../../core/executor.ts';
import {
  disruption,
  hasJobEnded,
  type KubeJob,
  type KubePod,
  type PodProblem,
  podState,
} from '../../core/kubernetes/pod-state.ts';
import { ApiError } from './kube-api.ts';
import { type Connection, type JobListener, jobsPath, podsPath } from './kube-connection.ts';
import { followLog, type JobOutput } from './pod-log.ts';

interface JobContext {
  readonly command: Command;
  readonly output: JobOutput;
  readonly isAttached: boolean;
}

/** An end, and what the cluster reported beyond the exit. */
export interface End {
  readonly exit: Exit;
  readonly note?: string;
  /** The node it ran on. */
  readonly host?: string;
}

/** How long a node may take to end a pod, beyond any grace time in use. */
const LOST_NODE_MS = 300_000;
const SEEN_MS = 1_000;
/** How long after its Job a pod may be reported. */
const LATE_POD_MS = 5_000;
/** How long to wait before a failed deletion is tried again. */
const RETRY_MS = 2_000;

/** A Job of ours on the cluster: follows its events, reads its log, ends it on request. */
export class RunningJob implements JobListener {
  readonly #connection: Connection;
  readonly #place: { readonly namespace: string; readonly name: string };
  readonly #context: JobContext;
  readonly #ended: Promise<End>;
  #finish: (end: End) => void = () => {};
  #end: End | undefined;
  #pod: KubePod | undefined;
  #hasRun = false;
  #isPodGone = false;
  #isJobGone = false;
  #isDeleted = false;
  #isSeen = false;
  /** Resolves when the Job is gone, after somebody else deleted its pod. */
  #takenAway: Promise<void> | undefined;
  #resolveJobGone: () => void = () => {};
  #hasTtl = true;
  #reason: Exit | undefined;
  #log: Promise<string | undefined> | undefined;
  #timer: { cancel(): void } | undefined;
  readonly #pendingTimeout: PendingTimeout;
  #lastNote = '';

  constructor(connection: Connection, place: { namespace: string; name: string }, context: JobContext) {
    this.#connection = connection;
    this.#place = place;
    this.#context = context;
    this.#pendingTimeout = new PendingTimeout({
      note: (text) => this.#note(text),
      giveUp: (reason) => this.end({ type: 'not-started', reason }),
    });
    this.#ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Resolves when the program has ended and its log is read; after `end`, when the pod is gone. */
  async wait(): Promise<End> {
    const end = await this.#ended;
    const { exit, note } = end;
    const lost = await this.#log;
    await this.#takenAway;
    this.#timer?.cancel();
    this.#pendingTimeout.update(undefined);
    if (this.#reason) return { exit: this.#reason };
    if (note !== undefined) this.#context.output.note(note);
    if (lost !== undefined && !this.#isPodGone) this.#context.output.note(lost);
    // A cluster that forgets what ended by itself needs no help.
    if (!this.#hasTtl) await this.#delete('Background');
    const { timeoutMs } = this.#context.command;
    const isLate = timeoutMs !== undefined && note?.startsWith('DeadlineExceeded');
    const host = this.#hasRun ? this.#pod?.spec?.nodeName : undefined;
    const known = { ...end, ...(host !== undefined && { host }) };
    return { ...known, exit: isLate ? { type: 'timeout', afterMs: timeoutMs } : exit };
  }

  /** Ends the command: its exit will be this one. */
  end(why: Exit): void {
    if (this.#reason || this.#end) return;
    this.#reason = why;
    this.#timer?.cancel();
    this.#timer = setLongTimer(LOST_NODE_MS, () => this.#giveUp());
    void this.#delete('Foreground').then(() => {
      this.#isDeleted = true;
      this.#check();
    });
  }

  onPod(pod: KubePod): void {
    // A second pod replaces one that somebody deleted: the command ended with the first.
    if (this.#pod && this.#pod.metadata?.uid !== pod.metadata?.uid) return;
    const isNew = this.#pod === undefined;
    this.#pod = pod;
    if (isNew && this.#isDeleted) void this.#deletePod();
    if (pod.metadata?.deletionTimestamp !== undefined && !this.#reason && !this.#end) this.#takeAway();
    const state = podState(pod);
    this.#pendingTimeout.update(state.type === 'waiting' ? state.problem : undefined);
    const hasRun = state.type === 'running' || (state.type === 'ended' && state.exit.type !== 'not-started');
    if (hasRun) this.#run(pod);
    if (state.type !== 'ended') return;
    const { note } = state;
    // A node that throws a pod out may say nothing of its container any more; we know that it ran.
    const isThrownOut = this.#hasRun && state.exit.type === 'not-started' && note !== undefined;
    const exit: Exit = isThrownOut ? { type: 'signal', signal: 'SIGKILL' } : state.exit;
    this.#finishWith({ exit, ...(note !== undefined && { note }) });
  }

  onPodGone(pod: KubePod): void {
    if (this.#pod && this.#pod.metadata?.uid !== pod.metadata?.uid) return;
    this.onPod(pod);
    this.#isPodGone = true;
    if (!this.#reason) this.#finishWith(this.#vanished(disruption(pod) ?? 'the pod was deleted'));
    this.#check();
  }

  /**
   * Requests the Job until the watch has reported it: one that is deleted before the first list was read would never be
   * reported.
   */
  async untilSeen(): Promise<void> {
    const { namespace, name } = this.#place;
    while (!this.#isSeen && !this.#isJobGone) {
      await sleep(SEEN_MS, undefined, { ref: false });
      const isGone = await this.#connection.api.call(jobsPath(namespace, name)).then(
        () => false,
        (error: unknown) => error instanceof ApiError && error.status === 404,
      );
      if (isGone && !this.#isSeen) this.onJobGone();
    }
  }

  onJob(job: KubeJob): void {
    this.#isSeen = true;
    this.#hasTtl = job.spec?.ttlSecondsAfterFinished !== undefined;
    if (!hasJobEnded(job) || this.#end || this.#reason) return;
    // Its pod says more, if it comes.
    void sleep(LATE_POD_MS, undefined, { ref: false }).then(() => this.#finishWith(this.#verdict(job)));
  }

  onJobGone(): void {
    this.#isJobGone = true;
    this.#resolveJobGone();
    if (!this.#reason && this.#pod === undefined) this.#finishWith(this.#vanished('the Job was deleted'));
    this.#check();
  }

  onProblem(message: string): void {
    this.#note(`the cluster does not answer; still trying: ${message}`);
  }

  /** Somebody deletes the pod; older controllers would start the command once more, so the Job goes too. */
  #takeAway(): void {
    if (this.#takenAway || this.#isJobGone) return;
    this.#takenAway = new Promise((resolve) => {
      this.#resolveJobGone = resolve;
    });
    void this.#delete('Foreground');
  }

  /** The program runs, or ran. */
  #run(pod: KubePod): void {
    if (this.#hasRun) return;
    this.#hasRun = true;
    const { timeoutMs } = this.#context.command;
    if (timeoutMs !== undefined)
      this.#timer = setLongTimer(timeoutMs - this.#ageOf(pod), () =>
        this.end({ type: 'timeout', afterMs: timeoutMs }),
      );
    const followed = {
      namespace: this.#place.namespace,
      name: pod.metadata?.name ?? '',
      hasEnded: () => this.#end !== undefined || this.#isPodGone,
      ended: this.#ended,
    };
    this.#log = followLog(this.#connection.api, followed, (bytes) => this.#context.output.take(bytes));
  }

  /** How long it has run when we come later than its start. */
  #ageOf({ status }: KubePod): number {
    const started = status?.containerStatuses?.[0]?.state?.running?.startedAt;
    if (!this.#context.isAttached || started === undefined) return 0;
    return Math.max(0, Date.now() - Date.parse(started)) || 0;
  }

  #note(text: string): void {
    if (text !== this.#lastNote) this.#context.output.note(text);
    this.#lastNote = text;
  }

  /** What the controller says of a command whose pod is gone. */
  #verdict({ status }: KubeJob): End {
    const { type, reason, message } = status?.conditions?.find((it) => it.status === 'True') ?? {};
    if (type === 'Complete') return { exit: { type: 'code', code: 0 } };
    const note = [reason, message].filter((text) => text !== undefined).join(': ') || 'the Job failed';
    if (this.#hasRun) return { exit: { type: 'code', code: 1 }, note };
    return { exit: { type: 'not-started', reason: note }, note };
  }

  #vanished(note: string): End {
    if (this.#hasRun) return { exit: { type: 'signal', signal: 'SIGKILL' }, note };
    return { exit: { type: 'not-started', reason: note }, note };
  }

  /** The program ended. One that we end is done only when nothing of it is left. */
  #finishWith(end: End): void {
    if (this.#end) return;
    this.#end = end;
    if (!this.#reason) this.#finish(end);
  }

  /** A node that is lost never says that a pod is gone. */
  #giveUp(): void {
    this.#note('its node did not report its end: it may still run there');
    this.#isPodGone = true;
    this.#finish(this.#end ?? { exit: { type: 'cancelled' } });
  }

  #check(): void {
    if (!this.#reason || !(this.#isJobGone || (this.#isDeleted && this.#isPodGone))) return;
    if (this.#pod && !this.#isPodGone) return;
    this.#finish(this.#end ?? { exit: this.#reason });
  }

  async #delete(policy: 'Foreground' | 'Background'): Promise<void> {
    const { namespace, name } = this.#place;
    for (;;) {
      try {
        const wasThere = await this.#connection.delete(jobsPath(namespace, name), policy);
        if (!wasThere) this.onJobGone();
        if (this.#pod) await this.#deletePod();
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#note(`it cannot be ended; still trying: ${error.message}`);
        await sleep(RETRY_MS);
      }
    }
  }

  /** The collector of the cluster would do it too, later. */
  async #deletePod(): Promise<void> {
    const name = this.#pod?.metadata?.name;
    if (name !== undefined)
      await this.#connection.delete(podsPath(this.#place.namespace, name), 'Background');
  }
}

/** How long a pod may stay pending for what may never come. */
const PENDING_TIMEOUT_MS = 60_000;

export interface PendingEvents {
  note(text: string): void;
  giveUp(reason: string): void;
}

/** Watches a pod that waits: a full cluster is reported after a while, what may never come is given up then. */
class PendingTimeout {
  readonly #events: PendingEvents;
  #waiting: { readonly kind: PodProblem['kind']; readonly timer: NodeJS.Timeout } | undefined;

  constructor(events: PendingEvents) {
    this.#events = events;
  }

  /** The same kind of problem goes on waiting; another one, or none, begins anew. */
  update(problem: PodProblem | undefined): void {
    if (problem?.kind === this.#waiting?.kind) return;
    clearTimeout(this.#waiting?.timer);
    this.#waiting = undefined;
    if (problem === undefined) return;
    const { kind, message } = problem;
    const act =
      kind === 'full'
        ? () => this.#events.note(`waits for a node: ${message}`)
        : () => this.#events.giveUp(message);
    this.#waiting = { kind, timer: setTimeout(act, kind === 'hopeless' ? 0 : pendingTimeoutMs()) };
  }
}

function pendingTimeoutMs(): number {
  const seconds = Number(process.env['NIGHTMARK_KUBERNETES_PATIENCE']);
  return seconds > 0 ? seconds * 1000 : PENDING_TIMEOUT_MS;
}
