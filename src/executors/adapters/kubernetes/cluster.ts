import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';

/** Where the API is, and who we are there. */
export interface Cluster {
  readonly server: URL;
  readonly namespace: string;
  /** Certificates, headers and connections of a request; fresh ones after a refusal. */
  options(isRefused: boolean): Promise<RequestOptions>;
}

/** Tokens may change under us (service accounts, plugins): read again after so long. */
const FRESH_MS = 30_000;

/** $KUBECONFIG, ~/.kube/config, or the account of the pod that we are in: in this order, as kubectl does. */
export async function findCluster(): Promise<Cluster> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (cause) {
    const why =
      cause instanceof TypeError ? 'it is empty, or no configuration' : messageOf(cause).split('\n')[0];
    throw noCluster(`The configuration of Kubernetes cannot be read: ${why}`, cause);
  }
  const current = config.getCurrentContext();
  const context = config.getContextObject(current);
  if (context === null && current)
    throw noCluster(`There is no context "${current}" in the configuration of Kubernetes.`);
  const cluster = config.getCurrentCluster();
  // What the library invents where nothing is configured.
  const isInvented = cluster?.server === 'http://localhost:8080' && process.env['KUBECONFIG'] === undefined;
  if (cluster === null || isInvented) throw noCluster('No Kubernetes cluster is configured.');
  if (!URL.canParse(cluster.server)) throw noCluster(`"${cluster.server}" is no address of a cluster.`);
  return {
    server: new URL(cluster.server),
    namespace: process.env['JOBMONITOR_KUBERNETES_NAMESPACE'] || context?.namespace || 'default',
    options: optionsOf(config),
  };
}

function optionsOf(config: KubeConfig): Cluster['options'] {
  let known: { readonly options: Promise<RequestOptions>; readonly at: number } | undefined;
  return (isRefused) => {
    const now = performance.now();
    if (known === undefined || isRefused || now - known.at > FRESH_MS)
      known = { options: read(config), at: now };
    const { options } = known;
    options.catch(() => {
      known = undefined;
    });
    return options;
  };
}

async function read(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  // The library keeps a token for a minute, also one that is refused.
  const file: unknown = config.getCurrentUser()?.authProvider?.config?.tokenFile;
  if (typeof file === 'string') {
    const token = (await readFile(file, 'utf8')).trim();
    options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
  }
  // One connection for many requests: a handshake each costs more than the request.
  if (typeof options.agent === 'object') Object.assign(options.agent, { keepAlive: true });
  return options;
}

function noCluster(message: string, cause?: unknown): NightmarkError {
  return new NightmarkError('RUN_NO_CLUSTER', message, {
    hint: 'Set KUBECONFIG to a file that "kubectl get pods" works with, or run the worker in the cluster: docs/guide/clusters-kubernetes.md.',
    cause,
  });
}
