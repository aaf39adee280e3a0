import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import { MAIN, runBinary } from '../support/binary.ts';
import { type KubeCluster, skipWithoutKube, startKube } from '../support/kube.ts';
import { Kubelet } from '../support/kubelet.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres-server.ts';

interface QueueJob extends JsonObject {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly completions: number; readonly parallelism: number } & JsonObject;
  readonly status: { readonly succeeded?: number; readonly failed?: number };
}

describe('job dispatch on Kubernetes', { skip: skipWithoutKube() || skipWithoutPostgres() }, () => {
  let cluster: KubeCluster;
  let kubelet: Kubelet;
  let postgres: PostgresServer;
  let env: Record<string, string>;
  let home = '';
  let program = '';
  let jobsPath = '';

  before(async () => {
    postgres = await PostgresServer.start();
    cluster = await startKube();
    kubelet = await Kubelet.start(cluster);
    home = join(cluster.folder, 'home');
    mkdirSync(home);
    program = join(cluster.folder, 'nightmark');
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`, { mode: 0o755 });
    jobsPath = `/apis/batch/v1/namespaces/${cluster.namespace}/jobs`;
    const url = postgres.url('jobs');
    env = { NIGHTMARK_POSTGRES_URL: url, KUBECONFIG: cluster.kubeconfig, USER: 'Ana María' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'lab' }, stringData: { url } };
    await cluster.api.call(`/api/v1/namespaces/${cluster.namespace}/secrets`, {
      method: 'POST',
      body: secret,
    });
  });
  after(async () => {
    await kubelet?.stop();
    await cluster?.stop();
    postgres?.remove();
  });

  const job = (...words: string[]) =>
    runBinary(['job', words[0] ?? '', '--home', home, '--postgres', ...words.slice(1)], env);
  const dispatch = (...words: string[]) =>
    job(
      ...['dispatch', ...words, '--executor', 'kubernetes', '--image', 'ml:1'],
      ...['--postgres-secret', 'lab/url', '--program', program],
    );

  test('the pods of a queue Job run the jobs that were named, and only those', async () => {
    const script = 'test "$NIGHTMARK_RANK" = 0 && exit $1';
    const submit = (code: string) => job('submit', '--code', 'none', '--', 'bash', '-c', script, 'x', code);
    const ids: string[] = [];
    for (const code of ['0', '3', '0', '0']) ids.push((await submit(code)).stdout.trim());
    const named = ids.slice(0, 3);

    const dry = await dispatch(...named, '--parallel', '2', '--dry-run');
    const manifest = JSON.parse(dry.stdout) as QueueJob;
    assert.match(manifest.metadata.name, /^ana-maria-queue-[a-z0-9]{6}$/);
    assert.deepEqual(manifest.metadata.labels, { app: 'nightmark', user: 'Ana-Maria' });
    assert.deepEqual([manifest.spec.completions, manifest.spec.parallelism], [3, 2]);
    assert.ok(!dry.stdout.includes('postgres://'), 'the address stays in the secret');
    await cluster.api.call(jobsPath, { method: 'POST', body: manifest, query: { dryRun: 'All' } });

    const sent = await dispatch(...named, '--parallel', '2');
    assert.match(sent.stderr, /^Kubernetes starts 2 workers for 3 waiting jobs: kubectl get job,pods -n /m);
    const name = sent.stdout.trim().split('/')[1] ?? '';
    const { succeeded, failed } = await ended(`${jobsPath}/${name}`);
    assert.deepEqual([succeeded, failed], [3, undefined]);
    const listed = JSON.parse((await job('list', '--json')).stdout) as { id: string; status: string }[];
    const status = ids.map((id) => listed.find((it) => it.id === id)?.status);
    assert.deepEqual(status, ['FINISHED', 'FAILED', 'FINISHED', 'CREATED']);
  });

  test('what the API refuses is reported', async () => {
    const { code, stderr } = await dispatch('--namespace', 'no-such-place');
    assert.equal(code, 1);
    assert.match(stderr, /namespaces "no-such-place" not found[\s\S]*\[RUN_CLUSTER_REFUSED\]/);
  });

  async function ended(path: string): Promise<QueueJob['status']> {
    for (;;) {
      const { spec, status } = (await cluster.api.call(path)) as QueueJob;
      if (status.failed || status.succeeded === spec.completions) return status;
      await sleep(100);
    }
  }
});
