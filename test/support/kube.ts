import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeApi } from '../../src/executors/adapters/kubernetes/kube-api.ts';
import { openGivenCluster } from './kube-given.ts';
import { freePort } from './real-server.ts';

/** A real API server and its Job controller; the test file has a namespace, and others that begin like it, for itself. */
export interface KubeCluster {
  /** Temporary files. */
  readonly folder: string;
  /** As administrator, with our namespace; JSON. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** As administrator. */
  readonly api: KubeApi;
  /** Of a node of the tests. */
  readonly certificate: { readonly cert: string; readonly key: string };
  /** The API server goes, at once, and comes back; absent: it is not ours to stop. */
  restartApi?(): Promise<void>;
  stop(): Promise<void>;
}

const TOKEN = 'test-token';
const CONTROLLERS = 'job,cronjob,namespace,garbagecollector,podgc,ttl-after-finished';
/** Finished Jobs are cleaned up by clusters since 1.21; the tests have 1.20. */
const GATES = '--feature-gates=TTLAfterFinished=true';

/** Why tests with a real API server are left out, printed; false when they are not. */
export function skipWithoutKube(): string | false {
  const why = whyNoKube();
  if (why !== false) console.log(`Skipped: ${why}`);
  return why;
}

/** The cluster of NIGHTMARK_TEST_KUBECONFIG where that is set, else one of our own for as long as the tests take. */
export function startKube(): Promise<KubeCluster> {
  const given = process.env['NIGHTMARK_TEST_KUBECONFIG'];
  return given ? openGivenCluster(given) : KubeControlPlane.start();
}

function whyNoKube(): string | false {
  const given = process.env['NIGHTMARK_TEST_KUBECONFIG'];
  if (given)
    return existsSync(given) ? false : `NIGHTMARK_TEST_KUBECONFIG names ${given}, which is not there`;
  const isThere = (name: string) => existsSync(join(binaries(), name));
  if (!['kube-apiserver', 'kube-controller-manager'].every(isThere))
    return `no kube-apiserver and kube-controller-manager in ${binaries()}: scripts/kube-build.sh builds them (or set \
NIGHTMARK_TEST_KUBE_BIN to their folder, or NIGHTMARK_TEST_KUBECONFIG to the configuration of a cluster without nodes)`;
  return spawnSync('which', ['etcd']).status === 0 ? false : 'no etcd: apt-get install etcd-server';
}

function binaries(): string {
  return process.env['NIGHTMARK_TEST_KUBE_BIN'] || '.services/k8s';
}

/** etcd, a real API server and the controllers of Jobs and garbage, on free ports in a temporary folder. No scheduler, no nodes. */
class KubeControlPlane implements KubeCluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'nightmark-kube-'));
  readonly kubeconfig = join(this.folder, 'kubeconfig');
  readonly namespace = 'default';
  readonly #children = new Map<string, ChildProcess>();
  #port = 0;
  #etcd = '';

  static async start(): Promise<KubeControlPlane> {
    const plane = new KubeControlPlane();
    process.once('exit', () => plane.#killAll());
    try {
      await plane.#startAll();
    } catch (error) {
      await plane.stop();
      throw error;
    }
    return plane;
  }

  get api(): KubeApi {
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    return new KubeApi({
      server: new URL(`https://127.0.0.1:${this.#port}`),
      namespace: 'default',
      options: async () => ({ agent, headers: { authorization: `Bearer ${TOKEN}` } }),
    });
  }

  /** What the API server made for itself; good enough for a node of the tests. */
  get certificate(): { readonly cert: string; readonly key: string } {
    const read = (name: string) => readFileSync(join(this.folder, 'certs', name), 'utf8');
    return { cert: read('apiserver.crt'), key: read('apiserver.key') };
  }

  async restartApi(): Promise<void> {
    await end(this.#children.get('kube-apiserver'));
    await this.#startApi();
  }

  async stop(): Promise<void> {
    for (const child of [...this.#children.values()].reverse()) await end(child);
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startAll(): Promise<void> {
    const peer = `http://127.0.0.1:${await freePort()}`;
    this.#etcd = `http://127.0.0.1:${await freePort()}`;
    this.#port = await freePort();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(join(this.folder, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
    writeFileSync(join(this.folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    writeFileSync(join(this.folder, 'tokens.csv'), `${TOKEN},admin,admin,system:masters\n`);
    writeFileSync(this.kubeconfig, JSON.stringify(this.#config()));
    this.#spawn('etcd', [
      ...['--data-dir', join(this.folder, 'etcd'), '--unsafe-no-fsync'],
      ...['--listen-client-urls', this.#etcd, '--advertise-client-urls', this.#etcd],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ]);
    await this.#startApi();
    this.#spawn(join(binaries(), 'kube-controller-manager'), [
      ...[`--kubeconfig=${this.kubeconfig}`, '--leader-elect=false', `--controllers=${CONTROLLERS}`, GATES],
      ...['--port=0', '--secure-port=0', '--kube-api-qps=200', '--kube-api-burst=400'],
      `--service-account-private-key-file=${join(this.folder, 'sa.key')}`,
    ]);
  }

  async #startApi(): Promise<void> {
    const file = (name: string) => join(this.folder, name);
    const child = this.#spawn(join(binaries(), 'kube-apiserver'), [
      ...[`--etcd-servers=${this.#etcd}`, '--bind-address=127.0.0.1', `--secure-port=${this.#port}`],
      ...[`--cert-dir=${file('certs')}`, '--service-cluster-ip-range=10.0.0.0/24', GATES],
      ...[
        `--service-account-key-file=${file('sa.pub')}`,
        `--service-account-signing-key-file=${file('sa.key')}`,
      ],
      ...[
        '--service-account-issuer=https://kubernetes.default.svc',
        `--token-auth-file=${file('tokens.csv')}`,
      ],
      ...[
        '--authorization-mode=RBAC',
        '--disable-admission-plugins=ServiceAccount',
        '--allow-privileged=true',
      ],
    ]);
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) break;
      const answer = await this.api.open('/readyz', {}).catch(() => undefined);
      for await (const _ of answer ?? []);
      if (answer) return;
      await sleep(100);
    }
    throw new Error(
      `kube-apiserver is not ready: ${readFileSync(file('kube-apiserver.log'), 'utf8').slice(-3000)}`,
    );
  }

  #config() {
    const cluster = { server: `https://127.0.0.1:${this.#port}`, 'insecure-skip-tls-verify': true };
    return {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'admin', user: { token: TOKEN } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
      'current-context': 'test',
    };
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const name = program.split('/').at(-1) ?? program;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(this.folder, `${name}.log`), { flags: 'a' });
    log.on('error', () => {});
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    this.#children.set(name, child);
    return child;
  }

  #killAll(): void {
    for (const child of this.#children.values()) child.kill('SIGKILL');
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
