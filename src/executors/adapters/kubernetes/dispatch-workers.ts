import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { Dispatch, WorkerPool } from '../../core/executor.ts';
import { OLD_APP, oldPlace, oldResources, queueManifest } from '../../core/kubernetes/kube-manifest.ts';
import { jobsPath, openConnection } from './kube-connection.ts';
import { refused } from './run-job.ts';

/** How long the cluster keeps what ended: a day. */
const KEEP_SECONDS = 86_400;
/** Workers give their jobs back when they are told to end, and code may still be on its way. */
const GRACE_SECONDS = 60;

/** A queue Job: its pods are the workers. */
export function dispatchWorkers(crew: WorkerPool): Dispatch {
  const manifest = manifestOf(crew);
  return {
    text: `${JSON.stringify(manifest, undefined, 2)}\n`,
    async send() {
      const connection = await openConnection();
      const namespace = crew.place.kubernetes?.namespace ?? connection.namespace;
      try {
        const made = await connection.api.call(jobsPath(namespace), { method: 'POST', body: manifest });
        return `${namespace}/${(made as { readonly metadata: { readonly name: string } }).metadata.name}`;
      } catch (error) {
        throw refused(error);
      }
    },
  };
}

function manifestOf({ user, ending, argv, env, secrets, copies, parallel, ...crew }: WorkerPool): JsonObject {
  const isOld = process.env['NIGHTMARK_KUBERNETES_COMPAT'] === 'jobmonitor';
  const given = crew.place.kubernetes ?? {};
  const { timeMs } = crew.resources;
  const pod = {
    ...{ argv, env, image: given.image ?? '', graceSeconds: GRACE_SECONDS },
    place: isOld ? oldPlace(given, crew.resources) : given,
    resources: isOld ? oldResources(crew.resources) : crew.resources,
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
