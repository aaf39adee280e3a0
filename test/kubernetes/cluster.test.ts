import assert from 'node:assert/strict';
import { type ExecFileOptions, execFile, spawn, spawnSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Executor } from '../../src/executors/core/executor.ts';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import { deployManifests, pathOf } from '../support/deploy-manifests.ts';
import { type KubeCluster, skipWithoutKube, startKube } from '../support/kube.ts';
import { workerKubeconfig } from '../support/kube-worker.ts';
import { Kubelet } from '../support/kubelet.ts';

const MAIN = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const ADAPTER = JSON.stringify(
  new URL('../../src/executors/adapters/kubernetes/kubernetes.js', import.meta.url).href,
);
const idle = new AbortController().signal;
setMaxListeners(0, idle);

describe('the Kubernetes executor on a real API server', { skip: skipWithoutKube() }, () => {
  let cluster: KubeCluster;
  let kubelet: Kubelet;
  let executor: Executor;
  let count = 0;
  let jobsPath = '';
  let podsPath = '';
  /** Of what deploy/kubernetes makes. */
  let deployed = '';

  before(async () => {
    cluster = await startKube();
    kubelet = await Kubelet.start(cluster);
    jobsPath = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs`;
    podsPath = `/api/v1/namespaces/${cluster.namespace}/pods`;
    deployed = `${cluster.namespace}-deployed`;
    process.env['KUBECONFIG'] = cluster.kubeconfig;
    process.env['NIGHTMARK_KUBERNETES_PATIENCE'] = '0.2';
    ({ default: executor } = await import('../../src/executors/adapters/kubernetes/kubernetes.ts'));
  });
  after(async () => {
    await kubelet?.stop();
    await cluster?.stop();
  });

  const bash = (script: string, more: Partial<Command> = {}, image = 'bash'): Command => ({
    argv: ['bash', '-c', script],
    cwd: cluster.folder,
    env: {},
    logFile: join(cluster.folder, `log-${count++}`),
    place: { kubernetes: { image } },
    ...more,
  });
  const log = (command: Command) => readFileSync(command.logFile, 'utf8');
  const until = async (command: Command, text: string) => {
    for (let tries = 0; tries < 200; tries++) {
      await sleep(50);
      try {
        if (log(command).includes(text)) return;
      } catch {
        // nothing printed yet
      }
    }
    assert.fail(`"${text}" was not printed`);
  };

  for (const name of ['pod', 'queue', 'job']) {
    test(`the API takes our ${name}`, async () => {
      const body = JSON.parse(readFileSync(`test/golden/kubernetes/${name}.json`, 'utf8')) as JsonObject;
      const query = { dryRun: 'All' };
      await cluster.api.call(name === 'pod' ? podsPath : jobsPath, { method: 'POST', body, query });
    });
  }

  test('the API takes all of deploy/kubernetes', async () => {
    for (const manifest of deployManifests(deployed)) {
      // What a worker may is tried below; a dry run of what lies in a namespace needs that to be there.
      const isReal = ['Namespace', 'ServiceAccount', 'Role', 'RoleBinding'].includes(manifest.kind);
      const query: Record<string, string> = isReal ? {} : { dryRun: 'All' };
      await cluster.api.call(pathOf(manifest), { method: 'POST', body: manifest, query });
    }
  });

  test('its role lets a worker start, read and end commands in its namespace, and nowhere else', async () => {
    const place = (namespace: string) => ({ kubernetes: { image: 'bash', namespace } });
    const commands = [
      bash('echo done; exit 2', { place: place(deployed) }),
      bash('exec sleep 60', { place: place(deployed), timeoutMs: 200 }),
      bash('true', { place: place(cluster.namespace) }),
    ];
    const file = join(cluster.folder, 'worker.mjs');
    const program = `
      const { default: executor } = await import(${ADAPTER});
      const idle = new AbortController().signal;
      const commands = ${JSON.stringify(commands)};
      const ended = await Promise.all(commands.map((command) => executor.start(command, idle).wait()));
      console.log(JSON.stringify(ended.map(({ exit }) => exit)));`;
    writeFileSync(file, program);
    const env = { ...process.env, KUBECONFIG: await workerKubeconfig(cluster, deployed) };
    const { stdout } = await node([file], { env });
    const [done, late, elsewhere] = JSON.parse(stdout) as { type: string; reason?: string }[];
    assert.deepEqual(done, { type: 'code', code: 2 });
    assert.deepEqual(late, { type: 'timeout', afterMs: 200 });
    assert.match(elsewhere?.reason ?? '', /^jobs.batch is forbidden: .* in the namespace "[\w-]+"$/);
    assert.equal(log(commands[0] as Command), 'done\n');
  });

  test('a hundred commands end as they should, each with its own log', async () => {
    const commands = Array.from({ length: 100 }, (_, at) =>
      bash(`echo "I am ${at}"; exit ${at % 5}`, { title: `Ana María ${at}`, labels: { user: 'Ana María' } }),
    );
    const ended = await Promise.all(commands.map((command) => executor.start(command, idle).wait()));
    for (const [at, { exit }] of ended.entries()) {
      assert.deepEqual(exit, { type: 'code', code: at % 5 });
      assert.equal(log(commands[at] as Command), `I am ${at}\n`);
    }
  });

  test('what the cluster says of an end is reported and noted', async () => {
    const resources = { memoryBytes: 3 * 2 ** 30 };
    const command = bash('echo big; sleep 0.1; exit 1', { resources }, 'image:oom');
    const { exit, note } = await executor.start(command, idle).wait();
    const words = 'OOMKilled: it needed more memory than its limit of 3Gi';
    assert.deepEqual([exit, note], [{ type: 'signal', signal: 'SIGKILL' }, words]);
    assert.equal(log(command), `big\nnightmark: ${words}\n`);
    for (const [image, signal, why] of [
      ['image:evicted', 'SIGKILL', 'Evicted: The node was low on resource: memory.'],
      [
        'image:preempted',
        'SIGTERM',
        'PreemptionByScheduler: preempting to accommodate a higher priority pod',
      ],
    ] as const) {
      const taken = bash('echo up; sleep 0.2; kill -TERM $$', {}, image);
      const ended = await executor.start(taken, idle).wait();
      assert.deepEqual([ended.exit, ended.note], [{ type: 'signal', signal }, why]);
      assert.equal(log(taken), `up\nnightmark: ${why}\n`);
    }
  });

  test('the API takes GPUs, whole ones, also of a job that is submitted', async () => {
    const home = join(cluster.folder, 'gpu-home');
    mkdirSync(home);
    const place = ['--executor', 'kubernetes', '--home', home];
    const what = ['--image', 'bash', '--gpus', '2', '--memory', '1GiB', '--', 'bash', '-c', 'exit 4'];
    await node([MAIN, 'job', 'submit', ...place, '--name', 'with-gpus', ...what], { cwd: cluster.folder });
    const { stderr } = await node([MAIN, 'job', 'work', ...place, '--once'], {});
    assert.match(stderr, /exit code 4/);
    const query = { labelSelector: 'job=with-gpus' };
    const { items } = (await cluster.api.call(podsPath, { query })) as {
      items: { spec: { containers: { resources: { limits: unknown; requests: unknown } }[] } }[];
    };
    const asked = items[0]?.spec.containers[0]?.resources;
    assert.deepEqual(asked?.limits, { 'nvidia.com/gpu': '2', memory: '1Gi' });
    const half = executor.start(bash('exit 3', { resources: { gpus: 0.5 } }), idle);
    assert.deepEqual((await half.wait()).exit, { type: 'code', code: 3 });
  });

  test('a worker in a pod uses the account of it, and reads its token again once that is refused', async (t) => {
    if (spawnSync('unshare', ['-m', 'true']).status !== 0)
      return t.skip('unshare -m is not allowed here: run it as root');
    const account = join(cluster.folder, 'account');
    mkdirSync(account);
    const config = JSON.parse(readFileSync(await workerKubeconfig(cluster, deployed), 'utf8')) as Kubeconfig;
    writeFileSync(join(account, 'ca.crt'), cluster.certificate.cert);
    writeFileSync(join(account, 'namespace'), deployed);
    writeFileSync(join(account, 'token'), 'an-old-one');
    const command = bash('echo inside; exit 7');
    const program = `
      import { writeFileSync } from 'node:fs';
      const { default: executor } = await import(${ADAPTER});
      const refused = await executor.ready().catch((error) => error.message);
      writeFileSync(${JSON.stringify(join(account, 'token'))}, ${JSON.stringify(config.users[0]?.user.token)});
      const place = { kubernetes: { image: 'bash' } };
      const started = executor.start({ ...${JSON.stringify(command)}, place }, new AbortController().signal);
      console.log(JSON.stringify([refused, await started.ref, (await started.wait()).exit]));
      process.exit();`;
    writeFileSync(join(account, 'inside.mjs'), program);
    const where = '/run/secrets/kubernetes.io/serviceaccount';
    const script = `mount -t tmpfs none /run && mkdir -p ${where} && mount --bind "$1" ${where} && exec "$2" "$1/inside.mjs"`;
    const { hostname, port } = new URL(config.clusters[0]?.cluster.server ?? '');
    const { KUBECONFIG, ...env } = process.env;
    const inside = { HOME: account, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const { stdout, stderr } = await run(
      'unshare',
      ['-m', 'sh', '-c', script, 'sh', account, process.execPath],
      {
        env: { ...env, ...inside },
      },
    );
    const [refused, ref, exit] = JSON.parse(stdout || JSON.stringify([stderr])) as [string, string, unknown];
    assert.equal(refused, 'Kubernetes refused: Unauthorized');
    assert.ok(ref.startsWith(`${deployed}/`), ref);
    assert.deepEqual(exit, { type: 'code', code: 7 });
    assert.equal(log(command), 'inside\n');
  });

  test('an image that cannot be had is given up after a while, and nothing is left', async () => {
    for (const [image, reason] of [
      ['image:missing', 'ImagePullBackOff: Back-off pulling image "image:missing"'],
      [
        'image:refused',
        'ErrImagePull: pull access denied, repository does not exist or may require authorization',
      ],
      ['image:no-secret', 'CreateContainerConfigError: secret "keys" not found'],
    ] as const) {
      const running = executor.start(bash('true', {}, image), idle);
      const name = (await running.ref)?.split('/')[1];
      assert.deepEqual((await running.wait()).exit, { type: 'not-started', reason });
      const query = { labelSelector: `job-name=${name}` };
      assert.deepEqual(((await cluster.api.call(podsPath, { query })) as { items: unknown[] }).items, []);
      // The Job itself is on its way out: who attaches now hears of its end.
      const late = await executor.attach?.(`${cluster.namespace}/${name}`, bash('true'), idle);
      assert.equal((await late?.wait())?.exit.type ?? 'not-started', 'not-started');
    }
  });

  test('what the API refuses is not started, and says why', async () => {
    const place = { kubernetes: { image: 'bash', namespace: 'no-such-place' } };
    const { exit } = await executor.start(bash('true', { place }), idle).wait();
    assert.deepEqual(exit, { type: 'not-started', reason: 'namespaces "no-such-place" not found' });
    const nowhere = await executor.start(bash('true', { place: {} }), idle).wait();
    assert.match(JSON.stringify(nowhere.exit), /no image was named/);
  });

  test('a command that no node takes waits, says so, and can be cancelled', async () => {
    const place = { kubernetes: { image: 'bash', nodeSelector: { disk: 'gold' } } };
    const command = bash('true', { place, title: 'waiting' });
    const running = executor.start(command, idle);
    const name = (await running.ref)?.split('/')[1];
    const pods = () => cluster.api.call(podsPath, { query: { labelSelector: `job-name=${name}` } });
    const first = async () =>
      ((await pods()) as { items: { metadata: { name: string } }[] }).items[0]?.metadata.name;
    while ((await first()) === undefined) await sleep(20);
    const conditions = [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes' },
    ];
    await cluster.api.call(`${podsPath}/${await first()}/status`, {
      method: 'PATCH',
      body: { status: { conditions } },
    });
    await until(command, 'nightmark: waits for a node: Unschedulable: 0/1 nodes\n');
    running.kill();
    assert.deepEqual((await running.wait()).exit, { type: 'cancelled' });
    assert.equal(await first(), undefined);
  });

  test('a pod that somebody deletes ends the command, and no other one is left in its place', async () => {
    const command = bash('echo up; exec sleep 60');
    const running = executor.start(command, idle);
    await until(command, 'up');
    const name = (await running.ref)?.split('/')[1];
    const query = { labelSelector: `job-name=${name}` };
    await cluster.api.call(podsPath, { method: 'DELETE', query });
    assert.deepEqual((await running.wait()).exit, { type: 'signal', signal: 'SIGTERM' });
    assert.deepEqual(((await cluster.api.call(podsPath, { query })) as { items: unknown[] }).items, []);
  });

  test('another process goes on with a command, and hears only what is new', async () => {
    const command = bash('echo before; while [ ! -e go-on ]; do sleep 0.05; done; echo after; exit 4');
    const file = join(cluster.folder, 'start.mjs');
    const start = `
      const { default: executor } = await import(${ADAPTER});
      const running = executor.start(${JSON.stringify(command)}, new AbortController().signal);
      console.log(await running.ref);`;
    writeFileSync(file, start);
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ref = await new Promise<string>((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    await until(command, 'before\n');
    child.kill('SIGKILL');
    let heard = '';
    const onOutput = (_: string, bytes: Uint8Array) => {
      heard += Buffer.from(bytes).toString();
    };
    const running = await executor.attach?.(ref, { ...command, onOutput }, idle);
    writeFileSync(join(cluster.folder, 'go-on'), '');
    assert.deepEqual((await running?.wait())?.exit, { type: 'code', code: 4 });
    assert.equal(heard, 'after\n');
    assert.equal(log(command), 'before\nafter\n');
    assert.equal(await executor.attach?.(`${cluster.namespace}/never-was`, command, idle), undefined);
  });

  test('a job of the queue goes on over the death of its worker', async () => {
    const home = join(cluster.folder, 'home');
    mkdirSync(home);
    const script =
      'echo first; while [ ! -e "$NIGHTMARK_OUTPUT_DIR/go" ]; do sleep 0.05; done; echo second; exit 5';
    const place = ['--executor', 'kubernetes', '--home', home];
    const submit = [
      'job',
      'submit',
      ...place,
      '--image',
      'bash',
      '--project',
      'p',
      '--experiment',
      'e',
      '--name',
      'n',
    ];
    const submitted = await node([MAIN, ...submit, '--', 'bash', '-c', script], { cwd: cluster.folder });
    const output = join(home, 'results/jobs/p/e', `n_${submitted.stdout.trim().slice(-6)}`);
    const file = { logFile: join(output, 'output.txt') } as Command;
    const dies = spawn(process.execPath, [MAIN, 'job', 'work', ...place], { stdio: 'ignore' });
    await until(file, 'first\n');
    await sleep(1_500); // its ref gets into the queue
    dies.kill('SIGKILL');
    const second = node([MAIN, 'job', 'work', ...place, '--once'], {});
    await sleep(1_500);
    writeFileSync(join(output, 'go'), '');
    const { stderr } = await second;
    assert.match(stderr, /The program ended with exit code 5/);
    assert.equal(log(file), 'first\nsecond\n');
  });

  test('broken connections and a server that restarts cost no line and double none', async () => {
    const command = bash('for i in $(seq 300); do echo "line $i"; sleep 0.02; done; exit 6');
    const running = executor.start(command, idle);
    await until(command, 'line 20\n');
    kubelet.breakLogs();
    await until(command, 'line 60\n');
    if (cluster.restartApi) await cluster.restartApi();
    else console.log('The API server was not restarted: it is not ours (NIGHTMARK_TEST_KUBECONFIG).');
    assert.deepEqual((await running.wait()).exit, { type: 'code', code: 6 });
    // A busy machine takes so long to restart it that we tell of it.
    const printed = log(command).replace(/^nightmark: the cluster does not answer.*\n/gm, '');
    assert.equal(printed, Array.from({ length: 300 }, (_, at) => `line ${at + 1}\n`).join(''));
  });
});

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

function node(args: readonly string[], options: ExecFileOptions): Promise<Outputs> {
  return run(process.execPath, args, options);
}

interface Outputs {
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[], options: ExecFileOptions): Promise<Outputs> {
  return new Promise((resolve) => {
    execFile(program, args, options, (_, stdout, stderr) =>
      resolve({ stdout: String(stdout), stderr: String(stderr) }),
    );
  });
}
