import type { Exit } from '../executor.ts';
import { CONTAINER } from './kube-manifest.ts';

/** What a pod reports of its command. `problem`: it waits for something that may never come. */
export type PodState =
  | { readonly type: 'waiting'; readonly problem?: PodProblem }
  | { readonly type: 'running' }
  | { readonly type: 'ended'; readonly exit: Exit; readonly note?: string };

export interface PodProblem {
  readonly message: string;
  /** Whether waiting can help, and how: a full cluster gets free, a wrong name stays wrong. */
  readonly kind: 'hopeless' | 'doubtful' | 'full';
}

/** Waiting reasons that no retry of a node changes. */
const HOPELESS = ['InvalidImageName', 'ErrImageNeverPull'];
/** Those that a node tries again and again; somebody may fix the problem. */
const DOUBTFUL = [
  'ImagePullBackOff',
  'ErrImagePull',
  'ImageInspectError',
  'RegistryUnavailable',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
];
/** Ends of containers whose program never ran. */
const NEVER_RAN = ['StartError', 'ContainerCannotRun', 'ContainerStatusUnknown'];

/** Numbers of signals as containers report them: 128 and the number, on Linux. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  10: 'SIGUSR1',
  11: 'SIGSEGV',
  12: 'SIGUSR2',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
  25: 'SIGXFSZ',
  31: 'SIGSYS',
};

export function podState(pod: KubePod): PodState {
  const { status, spec } = pod;
  const state = status?.containerStatuses?.find(({ name }) => name === CONTAINER)?.state;
  if (state?.terminated)
    return ended(
      outOfMemory(state.terminated, pod),
      reasonText(status?.reason, status?.message) ?? disruption(pod),
    );
  if (status?.phase === 'Failed') {
    const why = reasonText(status.reason, status.message) ?? disruption(pod) ?? 'the cluster ended its pod';
    const exit: Exit = state?.running
      ? { type: 'signal', signal: 'SIGKILL' }
      : { type: 'not-started', reason: why };
    return { type: 'ended', exit, note: why };
  }
  if (status?.phase === 'Succeeded') return { type: 'ended', exit: { type: 'code', code: 0 } };
  if (state?.running) return { type: 'running' };
  const waiting = state?.waiting;
  const message = reasonText(waiting?.reason, waiting?.message) ?? '';
  if (HOPELESS.includes(waiting?.reason ?? '')) return problem('hopeless', message);
  if (DOUBTFUL.includes(waiting?.reason ?? '')) return problem('doubtful', message);
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (spec?.nodeName === undefined && scheduled?.status === 'False')
    return problem('full', reasonText(scheduled.reason, scheduled.message) ?? 'Unschedulable');
  return { type: 'waiting' };
}

/** Why the cluster removes a pod: for another one, or with its node. Clusters since 1.26 report it. */
export function disruption({ status }: KubePod): string | undefined {
  const condition = status?.conditions?.find((it) => it.type === 'DisruptionTarget' && it.status === 'True');
  return condition && reasonText(condition.reason, condition.message);
}

/** A node reports only the reason. */
function outOfMemory(terminated: KubeTerminated, { spec }: KubePod): KubeTerminated {
  if (terminated.reason !== 'OOMKilled' || terminated.message) return terminated;
  const limit = spec?.containers?.find(({ name }) => name === CONTAINER)?.resources?.limits?.['memory'];
  const most = limit === undefined ? 'its node had left' : `its limit of ${limit}`;
  return { ...terminated, message: `it needed more memory than ${most}` };
}

function ended(
  { exitCode = 0, signal, reason, message }: KubeTerminated,
  podReason: string | undefined,
): PodState {
  if (NEVER_RAN.includes(reason ?? '')) {
    return {
      type: 'ended',
      exit: { type: 'not-started', reason: reasonText(reason, message) ?? 'it never ran' },
    };
  }
  const name = SIGNALS[signal || exitCode - 128];
  const exit: Exit = name === undefined ? { type: 'code', code: exitCode } : { type: 'signal', signal: name };
  // "Error" and "Completed" say no more than the code does.
  const isPlain = reason === undefined || reason === 'Error' || reason === 'Completed';
  const note = podReason ?? (isPlain ? undefined : reasonText(reason, message));
  return { type: 'ended', exit, ...(note !== undefined && { note }) };
}

function problem(kind: PodProblem['kind'], message: string): PodState {
  return { type: 'waiting', problem: { kind, message } };
}

function reasonText(reason: string | undefined, message: string | undefined): string | undefined {
  const texts = [reason, message?.trim()].filter((text) => text !== undefined && text !== '');
  return texts.length === 0 ? undefined : texts.join(': ');
}

/** What we read of the objects of Kubernetes; everything may be missing, as they come from outside. */
export interface KubeObject {
  readonly metadata?: KubeMetadata;
}

export interface KubeMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
}

export interface KubePod extends KubeObject {
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly KubeContainer[] };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly KubeCondition[];
    readonly containerStatuses?: readonly KubeContainerStatus[];
  };
}

export interface KubeContainer {
  readonly name?: string;
  readonly resources?: { readonly limits?: Readonly<Record<string, string>> };
}

export interface KubeCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface KubeContainerStatus {
  readonly name?: string;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: KubeTerminated;
  };
}

export interface KubeTerminated {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
}

export interface KubeJob extends KubeObject {
  readonly spec?: { readonly ttlSecondsAfterFinished?: number };
  readonly status?: { readonly conditions?: readonly KubeCondition[] };
}

/** Whether the controller has given its verdict. */
export function hasJobEnded({ status }: KubeJob): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed'),
  );
}
