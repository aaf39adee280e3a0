import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { KubeApi } from '../../src/executors/adapters/kubernetes/kube-api.ts';
import { Watch } from '../../src/executors/adapters/kubernetes/kube-watch.ts';
import type { KubePod } from '../../src/executors/core/kubernetes/pod-state.ts';
import type { KubeCluster } from './kube.ts';
import { LocalPod, type PodSpec } from './local-pod.ts';
import { sendLog } from './pod-log.ts';

interface Pod extends KubePod {
  readonly spec: PodSpec & { readonly nodeName?: string };
}

/**
 * A node that runs pods as processes of this machine: takes every pod of our namespaces that has none, runs its command, tells its state,
 * serves its log to the API server, and honours deletion. What images hold and volumes are is not played.
 */
export class Kubelet {
  readonly #api: KubeApi;
  readonly #folder: string;
  readonly #namespace: string;
  readonly #node: string;
  readonly #server: Server;
  readonly #pods = new Map<string, LocalPod>();
  #watch: Watch<Pod> | undefined;

  static async start(cluster: KubeCluster): Promise<Kubelet> {
    const kubelet = new Kubelet(cluster);
    await kubelet.#begin();
    return kubelet;
  }

  constructor(cluster: KubeCluster) {
    this.#api = cluster.api;
    this.#namespace = cluster.namespace;
    this.#node = `${cluster.namespace}-node`;
    this.#folder = join(cluster.folder, 'pods');
    mkdirSync(this.#folder, { recursive: true });
    this.#server = createServer(cluster.certificate, (request, response) => {
      const url = new URL(request.url ?? '/', 'https://node');
      const [, route, namespace, name] = url.pathname.split('/');
      const pod = [...this.#pods.values()].find((it) => it.namespace === namespace && it.name === name);
      if (route === 'containerLogs' && pod) void sendLog(pod, url.searchParams, response);
      else response.writeHead(404).end('no such pod');
    });
  }

  /** Breaks the connections of all logs, as a network does. */
  breakLogs(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.#watch?.stop();
    await Promise.all([...this.#pods.values()].map((pod) => pod.stop(0)));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #begin(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: this.#node } };
    await this.#api.call('/api/v1/nodes', { method: 'POST', body: node });
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      conditions: [{ type: 'Ready', status: 'True' }],
    };
    await this.#api.call(`/api/v1/nodes/${this.#node}/status`, { method: 'PATCH', body: { status } });
    this.#watch = new Watch<Pod>(
      this.#api,
      { path: '/api/v1/pods', selector: '' },
      { onObject: (pod) => void this.#take(pod), onGone: () => {}, onProblem: () => {} },
    );
  }

  async #take(pod: Pod): Promise<void> {
    const { uid = '', namespace = '', name = '', deletionTimestamp } = pod.metadata ?? {};
    if (!namespace.startsWith(this.#namespace)) return;
    const known = this.#pods.get(uid);
    if (deletionTimestamp !== undefined) {
      if (known) await known.stop(pod.spec.terminationGracePeriodSeconds ?? 30);
      await this.#forget(pod);
    } else if (!known && pod.spec.nodeName === undefined && !pod.spec.nodeSelector) {
      const local = new LocalPod({ uid, namespace, name, spec: pod.spec }, join(this.#folder, uid));
      this.#pods.set(uid, local);
      await this.#run(local);
    }
  }

  async #run(pod: LocalPod): Promise<void> {
    const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}`;
    const target = { apiVersion: 'v1', kind: 'Node', name: this.#node };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: pod.name }, target };
    const isTaken = await this.#api.call(`${path}/binding`, { method: 'POST', body: binding }).then(
      () => true,
      () => false, // deleted meanwhile
    );
    if (!isTaken) return;
    for (const secret of pod.secretNames) pod.secrets.set(secret, await this.#secret(pod.namespace, secret));
    await pod.run((status) =>
      this.#api.call(`${path}/status`, { method: 'PATCH', body: { status } }).catch(() => {}),
    );
  }

  async #secret(namespace: string, name: string): Promise<Readonly<Record<string, string>>> {
    const secret = await this.#api.call(`/api/v1/namespaces/${namespace}/secrets/${name}`);
    const { data } = secret as { readonly data: Readonly<Record<string, string>> };
    const texts = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
    return Object.fromEntries(texts);
  }

  async #forget({ metadata }: Pod): Promise<void> {
    const body = { gracePeriodSeconds: 0, preconditions: { uid: metadata?.uid ?? '' } };
    const path = `/api/v1/namespaces/${metadata?.namespace}/pods/${metadata?.name}`;
    await this.#api.call(path, { method: 'DELETE', body }).catch(() => {});
  }
}
