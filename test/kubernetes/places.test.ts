import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MAIN, runBinary } from '../support/binary.ts';
import { type KubeCluster, skipWithoutKube, startKube } from '../support/kube.ts';
import { Kubelet } from '../support/kubelet.ts';

describe('matrices and nights on Kubernetes', { skip: skipWithoutKube() }, () => {
  let plane: KubeCluster;
  let kubelet: Kubelet;
  let env: Record<string, string>;
  before(async () => {
    plane = await startKube();
    kubelet = await Kubelet.start(plane);
    env = { KUBECONFIG: plane.kubeconfig, NIGHTMARK_KUBERNETES_PATIENCE: '0.2', OF_HERE: 'secret' };
  });
  after(async () => {
    await kubelet?.stop();
    await plane?.stop();
  });
  const folder = (name: string, file: string, text: string): string => {
    const dir = join(plane.folder, name);
    mkdirSync(dir);
    writeFileSync(join(dir, file), text);
    return dir;
  };

  test('each test of a matrix is a Job, many at once', async () => {
    const dir = folder(
      'matrix',
      'm.yml',
      `matrix: {level: [1, 2, 3], mode: [a, b]}
run: 'echo "{level}{mode} [$OF_HERE]"; [ {level}{mode} != 3b ]'
executor: kubernetes
image: bash
resources: {cpus: 1, memory: 64MB}
`,
    );
    const ran = await runBinary(['matrix', 'run', join(dir, 'm.yml')], env);
    assert.equal(ran.code, 4, ran.stderr);
    assert.match(ran.stdout, /total: 6, executed: 6/);
    const tests = readdirSync(join(dir, 'results/m')).sort();
    const logs = tests.map((name) => readFileSync(join(dir, 'results/m', name, 'run.log'), 'utf8'));
    assert.deepEqual(
      logs,
      ['1a', '1b', '2a', '2b', '3a', '3b'].map((name) => `${name} []\n`),
    );
    assert.equal(readFileSync(join(dir, 'results/m', tests[5] ?? '', 'exit_code'), 'utf8'), '1\n');
  });

  test('a night runs the stages of an experiment as Jobs', async () => {
    const home = folder(
      'home',
      'nightmark.yml',
      `defaults: {telemetry: false, kubernetes: {image: bash}}
experiments:
  far:
    executor: kubernetes
    run: 'echo "{\\"time\\": 1.5}"'
    results: {format: json, unit: s}
`,
    );
    const ran = await runBinary(['run', home, '--json'], env);
    assert.equal(ran.code, 0, ran.stderr + ran.stdout);
    const status = JSON.parse(readFileSync(join(home, 'results/experiments/status/far/run.json'), 'utf8'));
    assert.deepEqual([status.executor, status.host], ['kubernetes', `${plane.namespace}-node`]);
  });

  test('a duet is one Job that runs the nightmark of its image', async () => {
    const program = join(plane.folder, 'nightmark');
    writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${MAIN} "$@"\n`);
    chmodSync(program, 0o755);
    // The node of the tests runs pods with the programs that this process finds.
    process.env['PATH'] = `${plane.folder}:${process.env['PATH']}`;
    const words = ['sleep 0.02', 'sleep 0.2', '-r', '8', '--executor', 'kubernetes', '--image', 'bash'];
    const compared = await runBinary(['duet', ...words], env);
    assert.equal(compared.code, 3, compared.stderr);
    assert.match(
      compared.stderr,
      new RegExp(`This duet is kubernetes job ${plane.namespace}/nightmark-duet-\\w+\\.`),
    );
    assert.match(compared.stdout, /slower/);
  });
});
