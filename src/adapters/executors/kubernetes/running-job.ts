import { setTimeout as sleep } from 'node:timers/promises';
import { hasJobEnded, type KubeJob, type KubePod } from '../../../core/jobs/kubernetes/objects.ts';
import { type PodProblem, podState } from '../../../core/jobs/kubernetes/pod-state.ts';
import type { Exit } from '../../../core/model/run.ts';
import type { Command } from '../../../core/ports/executor.ts';
import { setLongTimer } from '../long-timer.ts';
import { ApiError } from './api.ts';
import type { Connection } from './connection.ts';
import { followLog } from './follow-log.ts';
import type { JobOutput } from './job-output.ts';
import { type JobListener, jobsPath, podsPath } from './namespace-watch.ts';

interface Around {
  readonly command: Command;
  readonly output: JobOutput;
  readonly isAttached: boolean;
}

/** An end, and what the cluster said of it beyond the exit. */
export interface End {
  readonly exit: Exit;
  readonly note?: string;
}

/** How long a pod may wait for what may never come, and how long after its Job it may be told of. */
const PATIENCE_MS = 60_000;
const LATE_POD_MS = 5_000;
/** How long to wait before a failed deletion is tried again. */
const AGAIN_MS = 2_000;

/** A Job of ours on the cluster: hears what becomes of it, reads its log, ends it when told to. */
export class RunningJob implements JobListener {
  readonly #connection: Connection;
  readonly #place: { readonly namespace: string; readonly name: string };
  readonly #around: Around;
  readonly #ended: Promise<End>;
  #finish: (end: End) => void = () => {};
  #end: End | undefined;
  #pod: KubePod | undefined;
  #hasRun = false;
  #isPodGone = false;
  #isJobGone = false;
  #isDeleted = false;
  /** Resolves when the Job is gone, after somebody else deleted its pod. */
  #takenAway: Promise<void> | undefined;
  #tellJobGone: () => void = () => {};
  #hasTtl = true;
  #reason: Exit | undefined;
  #log: Promise<string | undefined> | undefined;
  #timer: { cancel(): void } | undefined;
  #patience: { readonly kind: PodProblem['kind']; readonly timer: NodeJS.Timeout } | undefined;
  #told = '';

  constructor(connection: Connection, place: { namespace: string; name: string }, around: Around) {
    this.#connection = connection;
    this.#place = place;
    this.#around = around;
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
    clearTimeout(this.#patience?.timer);
    if (this.#reason) return { exit: this.#reason };
    if (note !== undefined) this.#around.output.note(note);
    if (lost !== undefined && !this.#isPodGone) this.#around.output.note(lost);
    // A cluster that forgets what ended by itself needs no help.
    if (!this.#hasTtl) await this.#delete('Background');
    const { timeoutMs } = this.#around.command;
    const isLate = timeoutMs !== undefined && note?.startsWith('DeadlineExceeded');
    return { ...end, exit: isLate ? { type: 'timeout', afterMs: timeoutMs } : exit };
  }

  /** Ends the command: its exit will be this one. */
  end(why: Exit): void {
    if (this.#reason || this.#end) return;
    this.#reason = why;
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
    if (state.type === 'waiting') return this.#wait(state.problem);
    this.#wait(undefined);
    if (state.type === 'running') return this.#run(pod);
    if (state.exit.type !== 'not-started') this.#run(pod);
    const { exit, note } = state;
    this.#settle({ exit, ...(note !== undefined && { note }) });
  }

  onPodGone(pod: KubePod): void {
    if (this.#pod && this.#pod.metadata?.uid !== pod.metadata?.uid) return;
    this.onPod(pod);
    this.#isPodGone = true;
    if (!this.#reason) this.#settle(this.#vanished('the pod was deleted'));
    this.#check();
  }

  onJob(job: KubeJob): void {
    this.#hasTtl = job.spec?.ttlSecondsAfterFinished !== undefined;
    if (!hasJobEnded(job) || this.#end || this.#reason) return;
    const { type, reason, message } = job.status?.conditions?.find(({ status }) => status === 'True') ?? {};
    const note = [reason, message].filter((text) => text !== undefined).join(': ');
    // Its pod tells more, if it comes.
    void sleep(LATE_POD_MS).then(() => {
      const exit: Exit = { type: 'code', code: type === 'Complete' ? 0 : 1 };
      this.#settle(type === 'Complete' || this.#hasRun ? { exit, note } : { exit: { type: 'not-started', reason: note } });
    });
  }

  onJobGone(): void {
    this.#isJobGone = true;
    this.#tellJobGone();
    if (!this.#reason && this.#pod === undefined) this.#settle(this.#vanished('the Job was deleted'));
    this.#check();
  }

  onProblem(message: string): void {
    this.#tell(`the cluster does not answer; still trying: ${message}`);
  }

  /** Somebody deletes the pod; older controllers would start the command once more, so the Job goes too. */
  #takeAway(): void {
    if (this.#takenAway || this.#isJobGone) return;
    this.#takenAway = new Promise((resolve) => {
      this.#tellJobGone = resolve;
    });
    void this.#delete('Foreground');
  }

  /** The program runs, or ran. */
  #run(pod: KubePod): void {
    if (this.#hasRun) return;
    this.#hasRun = true;
    const { timeoutMs } = this.#around.command;
    if (timeoutMs !== undefined)
      this.#timer = setLongTimer(timeoutMs - this.#ageOf(pod), () => this.end({ type: 'timeout', afterMs: timeoutMs }));
    const followed = {
      namespace: this.#place.namespace,
      name: pod.metadata?.name ?? '',
      hasEnded: () => this.#end !== undefined || this.#isPodGone,
      ended: this.#ended,
    };
    this.#log = followLog(this.#connection.api, followed, (bytes) => this.#around.output.take(bytes));
  }

  /** How long it has run when we come later than its start. */
  #ageOf({ status }: KubePod): number {
    const started = status?.containerStatuses?.[0]?.state?.running?.startedAt;
    if (!this.#around.isAttached || started === undefined) return 0;
    return Math.max(0, Date.now() - Date.parse(started)) || 0;
  }

  #wait(problem: PodProblem | undefined): void {
    if (problem?.kind === this.#patience?.kind) return;
    clearTimeout(this.#patience?.timer);
    this.#patience = undefined;
    if (problem === undefined) return;
    const { kind, message } = problem;
    const giveUp = () => this.end({ type: 'not-started', reason: message });
    const act = kind === 'full' ? () => this.#tell(`waits for a node: ${message}`) : giveUp;
    this.#patience = { kind, timer: setTimeout(act, kind === 'hopeless' ? 0 : patienceMs()) };
  }

  #tell(text: string): void {
    if (text !== this.#told) this.#around.output.note(text);
    this.#told = text;
  }

  #vanished(note: string): End {
    if (this.#hasRun) return { exit: { type: 'signal', signal: 'SIGKILL' }, note };
    return { exit: { type: 'not-started', reason: note }, note };
  }

  /** The program ended. One that we end is done only when nothing of it is left. */
  #settle(end: End): void {
    if (this.#end) return;
    this.#end = end;
    if (!this.#reason) this.#finish(end);
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
        await this.#connection.delete(jobsPath(namespace, name), policy);
        if (this.#pod) await this.#deletePod();
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#tell(`it cannot be ended; still trying: ${error.message}`);
        await sleep(AGAIN_MS);
      }
    }
  }

  /** The collector of the cluster would do it too, later. */
  async #deletePod(): Promise<void> {
    const name = this.#pod?.metadata?.name;
    if (name !== undefined) await this.#connection.delete(podsPath(this.#place.namespace, name), 'Background');
  }
}

function patienceMs(): number {
  const seconds = Number(process.env['NIGHTMARK_KUBERNETES_PATIENCE']);
  return seconds > 0 ? seconds * 1000 : PATIENCE_MS;
}
