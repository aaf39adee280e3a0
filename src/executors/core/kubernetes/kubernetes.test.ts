import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  jobManifest,
  labelValue,
  legalLabels,
  OLD_APP,
  objectName,
  oldPlace,
  oldResources,
  podManifest,
  queueManifest,
  runLabel,
} from './kube-manifest.ts';
import { type KubePod, podState } from './pod-state.ts';

const golden = (name: string) => JSON.parse(readFileSync(`test/golden/kubernetes/${name}.json`, 'utf8'));
const id = '65a0b1c2d3e4f5a6b7c8d9e0';
const labels = {
  app: OLD_APP,
  user: 'Ana María',
  project: 'p',
  experiment: 'e 1/2',
  job: `${'x'.repeat(70)}`,
  job_id: id,
};
const command = (argv: readonly string[], gpus: number) => ({
  argv,
  env: { DATA: '/pv/data', PRICE: '5$' },
  image: 'registry.example/ml:1',
  place: oldPlace({ volumes: { 'pv-data': '/pv-data' } }, { gpus }),
  resources: oldResources({ gpus }),
});

test('a single pod is what the first monitor made, with legal labels', () => {
  const pod = podManifest(command(['jobrun', id], 0), { name: `Ana María-${id.slice(-6)}`, labels });
  assert.deepEqual(pod, golden('pod'));
});

test('a queue is a Job that works through its ids, ten pods at a time', () => {
  const settings = {
    user: 'ANA',
    ending: 'a1b2c3',
    ids: [id, `${id.slice(0, -1)}1`],
    labels: { app: OLD_APP },
  };
  assert.deepEqual(queueManifest(command(['nightmark', 'job', 'work'], 1), settings), golden('queue'));
});

test('a command is a Job that is tried once', () => {
  const pod = {
    argv: ['echo', '$(HOME)', '$$'],
    env: { A: 'b' },
    image: 'debian:12',
    cwd: '/work',
    place: { imagePullSecrets: ['reg'], serviceAccount: 'runner', nodeSelector: { disk: 'ssd' } },
    resources: { cpus: 1, memoryBytes: 1_500_000_000 },
    graceSeconds: 2,
    deadlineSeconds: 67,
  };
  const settings = { name: 'ana-d9e0aa', labels: { user: 'ana' }, runId: `${id}-1`, keepSeconds: 86_400 };
  assert.deepEqual(jobManifest(pod, settings), golden('job'));
});

test('names and labels are legal, whatever they come from', () => {
  const odd = [
    'Ana María',
    '',
    '---',
    '日本語',
    'a/b c',
    'x'.repeat(200),
    '_lead',
    'end.',
    `${'a'.repeat(62)}-b`,
    'ÄÖÜ',
    '\0\n',
  ];
  for (const text of odd) {
    assert.match(objectName(text, 'abc123'), /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
    assert.match(labelValue(text), /^$|^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/);
    assert.match(runLabel(text), /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/);
  }
  assert.equal(objectName('Ana María', 'abc123'), 'ana-maria-abc123');
  assert.equal(labelValue('e 1/2'), 'e-1-2');
  assert.deepEqual(legalLabels({ a: 'ü', b: '!' }), { a: 'u' });
  assert.notEqual(runLabel('a b'), runLabel('a/b'));
  assert.equal(runLabel(`${id}-12`), `${id}-12`);
});

const pod = (state: object, more: object = {}): KubePod => ({
  status: { phase: 'Pending', containerStatuses: [{ name: 'worker', state }], ...more },
});

test('an exit code above 128 is a signal; what the cluster adds is noted', () => {
  const end = (terminated: object, more = {}) => podState(pod({ terminated }, more));
  const code = (value: number) => ({ type: 'code', code: value });
  assert.deepEqual(end({ exitCode: 0, reason: 'Completed' }), { type: 'ended', exit: code(0) });
  assert.deepEqual(end({ exitCode: 255, reason: 'Error' }), { type: 'ended', exit: code(255) });
  assert.deepEqual(end({ exitCode: 137, reason: 'OOMKilled' }), {
    type: 'ended',
    exit: { type: 'signal', signal: 'SIGKILL' },
    note: 'OOMKilled: it needed more memory than its node had left',
  });
  const disrupted = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  };
  assert.deepEqual(end({ exitCode: 143, reason: 'Error' }, { conditions: [disrupted] }), {
    type: 'ended',
    exit: { type: 'signal', signal: 'SIGTERM' },
    note: `PreemptionByScheduler: ${disrupted.message}`,
  });
  const evicted = { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' };
  assert.deepEqual(end({ exitCode: 143, reason: 'Error' }, evicted), {
    type: 'ended',
    exit: { type: 'signal', signal: 'SIGTERM' },
    note: 'Evicted: The node was low on resource: memory.',
  });
  assert.deepEqual(end({ exitCode: 128, reason: 'StartError', message: 'exec: "x": not found' }), {
    type: 'ended',
    exit: { type: 'not-started', reason: 'StartError: exec: "x": not found' },
  });
});

test('a pod that failed before its container did is distinguished by whether that ran', () => {
  const failed = { phase: 'Failed', reason: 'NodeLost' };
  const run = podState(pod({ running: {} }, failed));
  assert.deepEqual(run, { type: 'ended', exit: { type: 'signal', signal: 'SIGKILL' }, note: 'NodeLost' });
  const never = podState({ status: failed });
  assert.deepEqual(never, {
    type: 'ended',
    exit: { type: 'not-started', reason: 'NodeLost' },
    note: 'NodeLost',
  });
});

test('what a pod waits for is hopeless, doubtful, or a matter of time', () => {
  const kind = (it: KubePod) => {
    const state = podState(it);
    return state.type === 'waiting' ? state.problem?.kind : state.type;
  };
  assert.equal(kind({}), undefined);
  assert.equal(kind(pod({ waiting: { reason: 'ContainerCreating' } })), undefined);
  assert.equal(kind(pod({ waiting: { reason: 'InvalidImageName' } })), 'hopeless');
  assert.equal(kind(pod({ waiting: { reason: 'ImagePullBackOff' } })), 'doubtful');
  assert.equal(kind(pod({ waiting: { reason: 'CreateContainerConfigError' } })), 'doubtful');
  const conditions = [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
  ];
  assert.deepEqual(podState({ status: { phase: 'Pending', conditions } }), {
    type: 'waiting',
    problem: { kind: 'full', message: 'Unschedulable: 0/3 nodes' },
  });
  assert.equal(kind(pod({ running: {} })), 'running');
});
