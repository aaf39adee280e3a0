import { APP } from '../../core/kubernetes/manifest.ts';
import type { KubeJob, KubePod } from '../../core/kubernetes/objects.ts';
import { OLD_APP } from '../../core/kubernetes/old-defaults.ts';
import type { KubeApi } from './api.ts';
import { Watch, type WatchEvents } from './watch.ts';

/** What one command hears of its Job and its pod. */
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
export class NamespaceWatch {
  readonly #api: KubeApi;
  readonly #namespace: string;
  readonly #listeners = new Map<string, JobListener>();
  #watches: { readonly pods: Watch<KubePod>; readonly jobs: Watch<KubeJob> } | undefined;

  constructor(api: KubeApi, namespace: string) {
    this.#api = api;
    this.#namespace = namespace;
  }

  /** Tells all that is known of the Job, and what becomes of it, until the returned function is called. */
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
