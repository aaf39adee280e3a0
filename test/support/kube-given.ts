import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { findCluster, KubeApi } from '../../src/executors/adapters/kubernetes/kube-api.ts';
import type { KubeCluster } from './kube.ts';

const OURS = 'nightmark-test-';

/**
 * A cluster that is there already, such as an API server with the controllers and no nodes. Everything happens in
 * namespaces of this test file, which are removed, with its node.
 */
export async function openGivenCluster(file: string): Promise<KubeCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-kube-'));
  const namespace = `${OURS}${randomBytes(4).toString('hex')}`;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, configuration(file, namespace), { mode: 0o600 });
  process.env['KUBECONFIG'] = kubeconfig;
  const api = new KubeApi(await findCluster());
  await refuseNodes(api);
  await api.call('/api/v1/namespaces', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  });
  // Pods are refused until a namespace has one; a controller that makes it may be late, or not there.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await api.call(accounts, { method: 'POST', body: account }).catch(() => {});
  return {
    ...{ folder, kubeconfig, namespace, api, certificate: certificateIn(folder) },
    async stop() {
      await removeAll(api, namespace);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With paths made whole, and our namespace in its context. */
function configuration(file: string, namespace: string): string {
  const config = new KubeConfig();
  config.loadFromFile(file);
  const { contexts, ...rest } = JSON.parse(config.exportConfig()) as {
    contexts: { name: string; context: object }[];
  };
  const own = contexts.map(({ name, context }) => ({ name, context: { ...context, namespace } }));
  return JSON.stringify({ ...rest, contexts: own });
}

/** A real scheduler would give our pods to real nodes, whose images have no programs of ours. */
async function refuseNodes(api: KubeApi): Promise<void> {
  const { items } = (await api.call('/api/v1/nodes')) as { items: { metadata: { name: string } }[] };
  const other = items.find(({ metadata }) => !metadata.name.startsWith(OURS));
  if (!other) return;
  const name = `the node ${other.metadata.name}`;
  throw new Error(`The cluster of NIGHTMARK_TEST_KUBECONFIG has ${name}; the tests play the only one.`);
}

function certificateIn(folder: string): KubeCluster['certificate'] {
  const [cert, key] = [join(folder, 'node.crt'), join(folder, 'node.key')];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=node'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

async function removeAll(api: KubeApi, ours: string): Promise<void> {
  const remove = (path: string, body: Record<string, string | number> = {}) =>
    api.call(path, { method: 'DELETE', body }).catch(() => {});
  const { items } = (await api.call('/api/v1/namespaces')) as { items: { metadata: { name: string } }[] };
  for (const { metadata } of items.filter((it) => it.metadata.name.startsWith(ours))) {
    await remove(`/apis/batch/v1/namespaces/${metadata.name}/jobs`, { propagationPolicy: 'Background' });
    // The node that would say that they have ended is gone.
    await remove(`/api/v1/namespaces/${metadata.name}/pods`, { gracePeriodSeconds: 0 });
    await remove(`/api/v1/namespaces/${metadata.name}`);
  }
  await remove(`/api/v1/nodes/${ours}-node`);
}
