import { APP, OLD_APP } from '../../core/kubernetes/kube-manifest.ts';
import type { KubeJob, KubePod } from '../../core/kubernetes/pod-state.ts';
import { ApiError, findCluster, KubeApi } from './kube-api.ts';
import { Watch, type WatchEvents } from './kube-watch.ts';

/** One cluster, shared by all commands of this process. */
export class Connection {
  readonly api: KubeApi;
  /** Where commands go that name no namespace. */
  readonly namespace: string;
  readonly #watches = new Map<string, NamespaceWatch>();

  static async open(): Promise<Connection> {
    const cluster = await findCluster();
    return new Connection(new KubeApi(cluster), cluster.namespace);
  }

  constructor(api: KubeApi, namespace: string) {
    this.api = api;
    this.namespace = namespace;
  }

  watchOf(namespace: string): NamespaceWatch {
    const known = this.#watches.get(namespace) ?? new NamespaceWatch(this.api, namespace);
    this.#watches.set(namespace, known);
    return known;
  }

  /** Namespaces that this process had commands in, and the usual one. */
  get namespaces(): readonly string[] {
    return [...new Set([this.namespace, ...this.#watches.keys()])];
  }

  /** Deletes an object and, with "Foreground", all that it owns before it. False: it was gone already. */
  async delete(path: string, propagationPolicy: 'Foreground' | 'Background'): Promise<boolean> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy };
    try {
      await this.api.call(path, { method: 'DELETE', body, tryForMs: 5_000 });
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      return false;
    }
  }
}

let connection: Promise<Connection> | undefined;

/** The configuration is read once; again after it was found wrong. */
export function openConnection(): Promise<Connection> {
  connection ??= Connection.open().catch((error: unknown) => {
    connection = undefined;
    throw error;
  });
  return connection;
}

/** Gets the events of one Job and its pod. */
export interface JobListener {
  onPod(pod: KubePod): void;
  onPodGone(pod: KubePod): void;
  onJob(job: KubeJob): void;
  onJobGone(): void;
  onProblem(message: string): void;
}

/** Every pod of a Job carries this, set by the controller. */
const JOB_NAME = 'job-name';

/** One watch of pods and one of Jobs for all commands of a namespace; both end with the last of them. */
class NamespaceWatch {
  readonly #api: KubeApi;
  readonly #namespace: string;
  readonly #listeners = new Map<string, JobListener>();
  #watches: { readonly pods: Watch<KubePod>; readonly jobs: Watch<KubeJob> } | undefined;

  constructor(api: KubeApi, namespace: string) {
    this.#api = api;
    this.#namespace = namespace;
  }

  /** Reports the state of the Job, and its changes, until the returned function is called. */
  listen(name: string, listener: JobListener): () => void {
    this.#listeners.set(name, listener);
    if (this.#watches === undefined) this.#start();
    else {
      for (const job of this.#watches.jobs.objects) if (job.metadata?.name === name) listener.onJob(job);
      for (const pod of this.#watches.pods.objects) if (jobOf(pod) === name) listener.onPod(pod);
    }
    return () => {
      this.#listeners.delete(name);
      if (this.#listeners.size > 0) return;
      this.#watches?.pods.stop();
      this.#watches?.jobs.stop();
      this.#watches = undefined;
    };
  }

  #start(): void {
    const selector = `app in (${APP},${OLD_APP})`;
    const onProblem = (message: string) => {
      for (const listener of this.#listeners.values()) listener.onProblem(message);
    };
    const pods: WatchEvents<KubePod> = {
      onObject: (pod) => this.#listeners.get(jobOf(pod))?.onPod(pod),
      onGone: (pod) => this.#listeners.get(jobOf(pod))?.onPodGone(pod),
      onProblem,
    };
    const jobs: WatchEvents<KubeJob> = {
      onObject: (job) => this.#listeners.get(job.metadata?.name ?? '')?.onJob(job),
      onGone: (job) => this.#listeners.get(job.metadata?.name ?? '')?.onJobGone(),
      onProblem,
    };
    this.#watches = {
      pods: new Watch(this.#api, { path: podsPath(this.#namespace), selector }, pods),
      jobs: new Watch(this.#api, { path: jobsPath(this.#namespace), selector }, jobs),
    };
  }
}

export function jobsPath(namespace: string, name?: string): string {
  const all = `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

export function podsPath(namespace: string, name?: string): string {
  const all = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

function jobOf({ metadata }: KubePod): string {
  return metadata?.labels?.[JOB_NAME] ?? '';
}
