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
