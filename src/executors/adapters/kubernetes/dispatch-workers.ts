import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Dispatch, WorkerPool } from '../../core/executor.ts';
import { OLD_APP, oldPlace, oldResources, queueManifest } from '../../core/kubernetes/kube-manifest.ts';
import { jobsPath, openConnection } from './kube-connection.ts';
import { refused } from './run-job.ts';

/** How long the cluster keeps what ended: a day. */
const KEEP_SECONDS = 86_400;
/** Workers give their jobs back when they are asked to end, which takes time while code is still being loaded. */
const GRACE_SECONDS = 60;

/** A queue Job: its pods are the workers. */
export function dispatchWorkers(pool: WorkerPool): Dispatch {
  const manifest = manifestOf(pool);
  return {
    text: `${JSON.stringify(manifest, undefined, 2)}\n`,
    async send() {
      const connection = await openConnection();
      const namespace = pool.place.kubernetes?.namespace ?? connection.namespace;
      try {
        const made = await connection.api.call(jobsPath(namespace), { method: 'POST', body: manifest });
        return `${namespace}/${(made as { readonly metadata: { readonly name: string } }).metadata.name}`;
      } catch (error) {
        throw refused(error);
      }
    },
  };
}

function manifestOf({ user, ending, argv, env, secrets, copies, parallel, ...pool }: WorkerPool): JsonObject {
  const isOld = process.env['NIGHTMARK_KUBERNETES_COMPAT'] === 'jobmonitor';
  const given = pool.place.kubernetes ?? {};
  const { timeMs } = pool.resources;
  const pod = {
    ...{ argv, env, image: given.image ?? '', graceSeconds: GRACE_SECONDS },
    place: isOld ? oldPlace(given, pool.resources) : given,
    resources: isOld ? oldResources(pool.resources) : pool.resources,
    ...(secrets !== undefined && { secrets }),
    ...(timeMs !== undefined && { deadlineSeconds: Math.ceil(timeMs / 1000) }),
  };
  const labels = isOld ? { app: OLD_APP } : {};
  const settings = { user, ending, ids: [], copies, parallel, labels, keepSeconds: KEEP_SECONDS };
  const manifest = queueManifest(pod, settings);
  const { namespace } = given;
  if (namespace === undefined) return manifest;
  return { ...manifest, metadata: { ...(manifest['metadata'] as JsonObject), namespace } };
}
