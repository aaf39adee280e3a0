import { ApiError, KubeApi } from './api.ts';
import { findCluster } from './cluster.ts';
import { NamespaceWatch } from './namespace-watch.ts';

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
