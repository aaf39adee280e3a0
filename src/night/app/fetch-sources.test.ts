import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceEnvironment } from '../../experiment/app/stage-command.ts';
import type { Source, SourceControl, SourceRequest } from '../../git/core/source-control.ts';
import type { Task } from '../../home/core/home.ts';
import { NEVER_CANCELLED } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { prepareSources, sourceState } from './fetch-sources.ts';

const source = (name: string, rest: Partial<Source> = {}): Source => ({
  name,
  git: `/repositories/${name}`,
  skipWhenUnchanged: true,
  keep: 2,
  ...rest,
});

const task = (name: string, ...sources: Source[]): Task => ({
  kind: 'experiment',
  name,
  state: 'active',
  notify: [],
  priority: 0,
  after: [],
  configDir: '/home/config',
  implementation: { type: 'scripts', dir: undefined },
  env: {},
  timeoutMs: {},
  retries: 0,
  rerunSetup: false,
  telemetry: { cpu: false, gpu: false, rateSeconds: 0 },
  sources,
});

/** Answers from memory; a source named "broken" fails. */
function control(seen: SourceRequest[]): SourceControl {
  return {
    async prepare(request) {
      seen.push(request);
      const { name } = request.source;
      if (name === 'broken')
        throw new NightmarkError('SOURCE_BUILD_FAILED', 'no compiler', { hint: 'install one' });
      return { dir: `/checkouts/${name}`, commit: `${name}0123456789`, shortCommit: `${name}01` };
    },
    tip: async () => '',
    describe: async () => undefined,
    snapshot: async () => undefined,
    pull: async () => assert.fail('nothing is pulled'),
  };
}

const signal = NEVER_CANCELLED;

async function prepare(tasks: readonly Task[], seen: SourceRequest[] = [], lines: string[] = []) {
  return prepareSources(
    { home: '/home', tasks, runId: 'r1', fetch: true, env: { WORD: 'w' } },
    {
      control: control(seen),
      signal,
      report: (line) => lines.push(line),
      logFile: ({ name }) => `/log/${name}`,
    },
  );
}

test('prepares what several tasks share once, and what differs in build or revision apart', async () => {
  const seen: SourceRequest[] = [];
  const shared = source('tvm');
  const tasks = [task('a', shared), task('b', shared), task('c', source('tvm', { ref: 'v1' })), task('d')];
  const prepared = await prepare([...tasks, task('e', source('tvm', { build: 'make' }))], seen);
  assert.deepEqual(
    seen.map(({ source: { ref, build }, logFile }) => [ref, build, logFile]),
    [
      [undefined, undefined, '/log/a'],
      ['v1', undefined, '/log/c'],
      [undefined, 'make', '/log/e'],
    ],
  );
  assert.equal(seen[0]?.cacheDir, '/home/.nightmark/cache/sources');
  assert.deepEqual(seen[0]?.env, { WORD: 'w', NIGHTMARK_RUN_ID: 'r1' });
  assert.deepEqual(prepared.get('b'), prepared.get('a'));
  assert.deepEqual(prepared.get('d'), { state: 'ready', checkouts: {} });
});

test('a failure fails the tasks that use the source, with what to do, and no other', async () => {
  const seen: SourceRequest[] = [];
  const lines: string[] = [];
  const tasks = [
    task('a', source('broken'), source('fine')),
    task('b', source('broken')),
    task('c', source('fine')),
  ];
  const prepared = await prepare(tasks, seen, lines);
  const failed = { state: 'failed', message: 'no compiler\ninstall one' };
  assert.deepEqual([prepared.get('a'), prepared.get('b')], [failed, failed]);
  assert.equal(prepared.get('c')?.state, 'ready');
  assert.equal(seen.length, 2);
  assert.ok(lines.includes('source broken: failed') && lines.includes('source fine: fine01'));
});

test('an interruption does not fail a task', async () => {
  const interrupted = { ...signal, aborted: true };
  const effects = { control: control([]), signal: interrupted, logFile: () => '/log' };
  const request = { home: '/home', tasks: [task('a', source('broken'))], runId: 'r', fetch: true, env: {} };
  await assert.rejects(prepareSources(request, effects), { code: 'SOURCE_BUILD_FAILED' });
});

test('scripts find their sources in the environment', () => {
  const checkout = { dir: '/c/1', commit: 'abcdef12', shortCommit: 'abcdef1' };
  assert.deepEqual(sourceEnvironment({ 'my lib-2': checkout, tvm: { ...checkout, dir: '/c/tvm' } }), {
    variables: {
      NIGHTMARK_SOURCE_MY_LIB_2: '/c/1',
      NIGHTMARK_COMMIT_MY_LIB_2: 'abcdef12',
      NIGHTMARK_SOURCE_TVM: '/c/tvm',
      NIGHTMARK_COMMIT_TVM: 'abcdef12',
      TVM_HOME: '/c/tvm',
    },
    pythonPath: ['/c/tvm/python', '/c/tvm/topi/python'],
  });
});

test('a task is unchanged when all its sources may be skipped and have the same commit', () => {
  const checkouts = {
    a: { dir: '/a', commit: 'aaaa1111bbbb', shortCommit: 'aaaa111' },
    b: { dir: '/b', commit: 'cccc2222dddd', shortCommit: 'cccc222' },
  };
  const both = task('t', source('a'), source('b'));
  assert.equal(sourceState(both, checkouts, { a: 'aaaa111', b: 'cccc2222dddd' }), 'skip');
  assert.equal(sourceState(both, checkouts, { a: 'aaaa111', b: 'cccc223' }), 'new');
  assert.equal(sourceState(both, checkouts, { a: 'aaaa111' }), 'new');
  assert.equal(sourceState(both, checkouts, { a: 'aaaa111', b: '' }), 'new');
  assert.equal(sourceState(both, checkouts, undefined), 'new');
  const stubborn = task('t', source('a'), source('b', { skipWhenUnchanged: false }));
  assert.equal(sourceState(stubborn, checkouts, { a: 'aaaa111', b: 'cccc222' }), 'repeat');
  assert.equal(sourceState(task('none'), {}, {}), 'new');
});
