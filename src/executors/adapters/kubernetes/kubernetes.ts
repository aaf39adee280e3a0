import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../core/executor.ts';
import { RUN_LABEL, runLabel } from '../../core/kubernetes/kube-manifest.ts';
import { hasJobEnded, type KubeJob, type KubePod } from '../../core/kubernetes/pod-state.ts';
import { dispatchWorkers } from './dispatch-workers.ts';
import { type Connection, jobsPath, openConnection, podsPath } from './kube-connection.ts';
import { attachJob, refused, startJob } from './run-job.ts';

/** Runs each command as a Job of a Kubernetes cluster. */
const kubernetesExecutor: Executor = {
  id: 'kubernetes',
  title: 'Jobs of a Kubernetes cluster',
  capabilities: { together: true, pinning: false, limits: true, remote: true },
  ready,
  start: startJob,
  attach: attachJob,
  dispatch: dispatchWorkers,
  endLeftovers,
};

/** The cluster answers, and we may list Jobs. */
async function ready(): Promise<void> {
  const { api, namespace } = await openConnection();
  try {
    await api.call(jobsPath(namespace), { query: { limit: '1' } });
  } catch (error) {
    throw refused(error);
  }
}

export default kubernetesExecutor;

const POLL_MS = 200;
/** A node that is gone never reports that its pod is: we stop waiting for it after so long. */
const END_TIMEOUT_MS = 60_000;

/** Deletes the Jobs of a run that have not ended, and waits until their pods are gone. Returns how many. */
export async function endLeftovers(runId: string): Promise<number> {
  const connection = await openConnection();
  const selector = `${RUN_LABEL}=${runLabel(runId)}`;
  const counts = await Promise.all(
    connection.namespaces.map((namespace) => endIn(connection, namespace, selector)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function endIn(connection: Connection, namespace: string, labelSelector: string): Promise<number> {
  const list = async <T>(path: string) => {
    const { items } = (await connection.api.call(path, { query: { labelSelector } })) as {
      items?: readonly T[];
    };
    return items ?? [];
  };
  const jobs = (await list<KubeJob>(jobsPath(namespace))).filter((job) => !hasJobEnded(job));
  if (jobs.length === 0) return 0;
  for (const { metadata } of jobs) await connection.delete(jobsPath(namespace, metadata?.name), 'Foreground');
  const names = new Set(jobs.map(({ metadata }) => metadata?.name));
  const deadline = performance.now() + END_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const pods = (await list<KubePod>(podsPath(namespace))).filter((pod) =>
      names.has(pod.metadata?.labels?.['job-name']),
    );
    const left = (await list<KubeJob>(jobsPath(namespace))).filter(({ metadata }) =>
      names.has(metadata?.name),
    );
    if (left.length === 0 && pods.length === 0) break;
    await sleep(POLL_MS);
  }
  return jobs.length;
}
