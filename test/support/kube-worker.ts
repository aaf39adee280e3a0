import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeCluster } from './kube.ts';

/** A configuration of a worker that deploy/kubernetes runs in this namespace: it may what its role allows. */
export async function workerKubeconfig(
  { api, folder, kubeconfig }: KubeCluster,
  namespace: string,
): Promise<string> {
  const { status } = (await api.call(
    `/api/v1/namespaces/${namespace}/serviceaccounts/nightmark-worker/token`,
    { method: 'POST', body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} } },
  )) as { status: { token: string } };
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { users: { name: string }[] };
  const users = config.users.map(({ name }) => ({ name, user: { token: status.token } }));
  const file = join(folder, 'worker-kubeconfig');
  writeFileSync(file, JSON.stringify({ ...config, users }), { mode: 0o600 });
  return file;
}
