import type { Executor } from '../../core/executor.ts';
import { openConnection } from './connection.ts';
import { dispatchCrew } from './dispatch-crew.ts';
import { endLeftovers } from './leftovers.ts';
import { jobsPath } from './namespace-watch.ts';
import { attachJob, refused, startJob } from './run-job.ts';

/** Runs each command as a Job of a Kubernetes cluster. */
const kubernetesExecutor: Executor = {
  id: 'kubernetes',
  title: 'Jobs of a Kubernetes cluster',
  capabilities: { together: true, pinning: false, limits: true, remote: true },
  ready,
  start: startJob,
  attach: attachJob,
  dispatch: dispatchCrew,
  endLeftovers,
};

/** The cluster answers, and lets us look. */
async function ready(): Promise<void> {
  const { api, namespace } = await openConnection();
  try {
    await api.call(jobsPath(namespace), { query: { limit: '1' } });
  } catch (error) {
    throw refused(error);
  }
}

export default kubernetesExecutor;
