import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { HomeReading, Task } from '../core/home.ts';
import { readHome } from './read-home.ts';

const TOP = { tmp_data_dir: 'tmp', backup_dir: '/backups', setup_dir: '~/setup' };
const DAY_MS = 86_400_000;

let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nightmark-dashboard-'));
  home = join(root, 'home');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content),
  );
}

const experiment = (name: string, config: unknown) => write(`config/experiments/${name}/config.json`, config);
const subsystem = (name: string, config: unknown) => write(`config/subsystem/${name}/config.json`, config);

function read(options = {}, env: Record<string, string> = {}): Promise<HomeReading> {
  return readHome(home, options, { disk: localDisk, userHome: '/users/me', env });
}

async function readTask(config: unknown, env: Record<string, string> = {}): Promise<Task> {
  write('config.json', TOP);
  experiment('x', config);
  return taskOf(await read({}, env), 'x');
}

function taskOf({ home: { tasks } }: HomeReading, name: string): Task {
  const task = tasks.find((candidate) => candidate.name === name);
  assert.ok(task, `there is a task ${name}`);
  return task;
}

async function failure(): Promise<NightmarkError> {
  try {
    await read();
  } catch (error) {
    assert.ok(error instanceof NightmarkError, String(error));
    return error;
  }
  return assert.fail('reading should have failed');
}

describe('the top file', () => {
  test('missing: says where and what to do', async () => {
    mkdirSync(home);
    const error = await failure();
    assert.equal(error.code, 'CONFIG_MISSING');
    assert.equal(error.message, `Dashboard config (config.json) is missing in ${home}`);
    assert.match(error.hint ?? '', /nightmark init/);
  });

  test('in the home itself follows the program, in config/ the documentation', async () => {
    write('config/config.json', TOP);
    assert.equal((await read()).home.subsystemArguments, 'output-home');
    write('config.json', TOP);
    const { home: both, problems } = await read();
    assert.equal(both.subsystemArguments, 'home-output');
    assert.deepEqual(
      problems.map(({ severity, file }) => [severity, file]),
      [['warning', join(home, 'config/config.json')]],
    );
  });

  test('subsystem_arguments overrides the order, as a text or a list', async () => {
    write('config.json', { ...TOP, subsystem_arguments: 'config output home' });
    assert.equal((await read()).home.subsystemArguments, 'output-home');
    write('config.json', { ...TOP, subsystem_arguments: ['config', 'home', 'output'] });
    assert.equal((await read()).home.subsystemArguments, 'home-output');
    write('config.json', { ...TOP, subsystem_arguments: 'home' });
    assert.match((await failure()).message, /config\.json:1:\d+: subsystem_arguments: expected one of/);
  });

  test('folders are absolute: relative to the home, "~" is the user', async () => {
    write('config.json', TOP);
    const { folders } = (await read({ experimentsDir: '/e' })).home;
    assert.deepEqual(folders, {
      experiments: ['/e', join(home, 'experiments'), join(root, 'experiments')],
      subsystems: [join(home, 'subsystem'), join(root, 'subsystem')],
      tmp: join(home, 'tmp'),
      backup: '/backups',
      setup: '/users/me/setup',
    });
  });

  test('all missing mandatory fields are named in one error', async () => {
    write('config.json', { backup_dir: '/b' });
    const error = await failure();
    assert.equal(error.code, 'CONFIG_FIELDS');
    assert.equal(
      error.message,
      `${join(home, 'config.json')}:1:1: 2 mandatory fields are missing: tmp_data_dir, setup_dir`,
    );
  });

  test('text that cannot be parsed is named with line and column', async () => {
    write('config.json', '{\n  "tmp_data_dir": "x",\n  oops\n}');
    const error = await failure();
    assert.equal(error.code, 'CONFIG_SYNTAX');
    assert.ok(error.message.startsWith(`${join(home, 'config.json')}:3:3: expected a string`), error.message);
  });

  test('all wrong values are reported at once', async () => {
    write(
      'config.json',
      '{"tmp_data_dir": 5, "backup_dir": "b", "setup_dir": "s",\n "telemetry_rate": "fast",\n "seed": -1}',
    );
    const { code, message } = await failure();
    assert.equal(code, 'CONFIG_INVALID');
    assert.match(message, /:1:18: tmp_data_dir: expected a folder as a text \("~" is your home\), found 5/);
    assert.match(message, /:2:20: telemetry_rate: expected a number, found "fast"/);
    assert.match(message, /:3:10: seed: expected a number of at least 0, found -1/);
  });

  test('defaults are those of the original', async () => {
    write('config.json', TOP);
    const reading = await read();
    assert.equal(reading.home.order, 'random');
    assert.equal(reading.home.project, 'home');
    assert.deepEqual(reading.home.backups, { before: true, after: true });
    assert.deepEqual(reading.home.retention, { backups: {}, raw: {}, logs: {} });
    assert.equal(reading.home.schedule, undefined);
    assert.deepEqual(reading.home.tasks, []);
    assert.deepEqual(reading.raw, TOP);
  });

  test('optional fields arrive', async () => {
    write('config.json', {
      ...TOP,
      randomize: 0,
      seed: 7,
      schedule: '0 2 * * *',
      timezone: 'America/Los_Angeles',
      pull: true,
      backups: { after: false },
      retention: { backups: { count: 14, age: '30d' }, raw: '1w', logs: { keep: 3 } },
    });
    const { home: result } = await read();
    assert.equal(result.order, 'priority');
    assert.equal(result.seed, 7);
    assert.deepEqual(result.schedule, { cron: '0 2 * * *', timezone: 'America/Los_Angeles', pull: true });
    assert.deepEqual(result.backups, { before: true, after: false });
    assert.deepEqual(result.retention, {
      backups: { count: 14, ageMs: 30 * DAY_MS },
      raw: { ageMs: 7 * DAY_MS },
      logs: { count: 3 },
    });
  });

  for (const [what, content] of [
    ['a list', '[]'],
    ['empty', ''],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['NUL', '{"a": "\0"}'],
    ['nested 100,000 deep', '['.repeat(100_000)],
    ['a folder', undefined],
  ] as const) {
    test(`${what} is an error that names the file`, async () => {
      if (content === undefined) mkdirSync(join(home, 'config.json'), { recursive: true });
      else write('config.json', content);
      assert.ok((await failure()).message.includes(join(home, 'config.json')));
    });
  }

  test('too large is an error', async () => {
    write('config.json', `{"a": "${'x'.repeat(10 * 1024 * 1024)}"}`);
    assert.match((await failure()).message, /has 10\.0 MiB; at most 4\.0 MiB/);
  });

  test('a byte order mark is no problem', async () => {
    write('config.json', `\uFEFF${JSON.stringify(TOP)}`);
    assert.equal((await read()).home.folders.backup, '/backups');
  });
});

describe('tasks', () => {
  test('are the folders directly inside, sorted; nested ones are none', async () => {
    write('config.json', TOP);
    experiment('b', { active: true });
    experiment('a', { active: true });
    experiment('a/nested', { active: true });
    subsystem('s', { active: true });
    write('config/subsystems/t/config.json', { active: true });
    write('config/experiments/README', 'no folder');
    const { home: result } = await read();
    assert.deepEqual(
      result.tasks.map(({ kind, name }) => `${kind} ${name}`),
      ['experiment a', 'experiment b', 'subsystem s', 'subsystem t'],
    );
  });

  test('names with newlines, quotes and links to folders are taken as they are', async () => {
    write('config.json', TOP);
    experiment('a\n"b\' ünï', { active: true });
    mkdirSync(join(root, 'elsewhere'));
    writeFileSync(join(root, 'elsewhere/config.json'), '{"active": true}');
    symlinkSync(join(root, 'elsewhere'), join(home, 'config/experiments/linked'));
    const { home: result } = await read();
    assert.deepEqual(
      result.tasks.map(({ name, state }) => [name, state]),
      [
        ['a\n"b\' ünï', 'active'],
        ['linked', 'active'],
      ],
    );
  });

  test('a config that is missing or unparsable breaks its own task only', async () => {
    write('config.json', TOP);
    mkdirSync(join(home, 'config/experiments/none'), { recursive: true });
    experiment('bad', '{"active": true,');
    experiment('list', '[1]');
    experiment('binary', Buffer.from([0xff, 0xfe, 0x00]));
    experiment('fine', { active: true });
    subsystem('bad', '{');
    const reading = await read();
    for (const name of ['none', 'bad', 'list', 'binary']) {
      const task = taskOf(reading, name);
      assert.equal(task.state, 'broken');
      assert.equal(task.problem, `config.json for ${name} is missing or fails to parse`);
    }
    assert.equal(taskOf(reading, 'fine').state, 'active');
    const bad = reading.problems.find(({ file }) => file.endsWith('experiments/bad/config.json'));
    assert.deepEqual([bad?.line, bad?.column], [1, 17]);
    assert.equal(reading.problems.length, 5);
  });

  test("without 'active' it is broken", async () => {
    const task = await readTask({});
    assert.equal(task.state, 'broken');
    assert.equal(task.problem, "config.json for x has no 'active' field");
  });

  for (const [value, state] of [
    [true, 'active'],
    ['false', 'active'],
    [1, 'active'],
    [[0], 'active'],
    [false, 'inactive'],
    ['', 'inactive'],
    [0, 'inactive'],
    [null, 'inactive'],
    [{}, 'inactive'],
  ] as const) {
    test(`active ${JSON.stringify(value)} is ${state}, as in Python`, async () => {
      assert.equal((await readTask({ active: value })).state, state);
    });
  }

  test('an inactive task with a wrong field stays inactive, with a warning', async () => {
    write('config.json', TOP);
    experiment('x', { active: false, priority: 'high' });
    const reading = await read();
    assert.equal(taskOf(reading, 'x').state, 'inactive');
    assert.deepEqual(
      reading.problems.map(({ severity }) => severity),
      ['warning'],
    );
  });

  test('all fields of an experiment arrive, unknown ones are fine', async () => {
    const task = await readTask({
      active: true,
      title: 'T',
      description: 'D',
      notify: ['U1'],
      priority: 2.5,
      rerun_setup: 1,
      run_cpu_telemetry: true,
      telemetry_rate: 0.5,
      process_pinning: { enable: true, cores: '0-3,7' },
      timeout: { run: '1h30m', setup: 5, analyze: 'none' },
      retries: 2,
      env: { A: 'b', N: 1 },
      devices: ['cpu'],
      seed: 'anything',
    });
    assert.deepEqual(task, {
      kind: 'experiment',
      name: 'x',
      state: 'active',
      title: 'T',
      description: 'D',
      notify: ['U1'],
      priority: 2.5,
      after: [],
      configDir: join(home, 'config/experiments/x'),
      implementation: { type: 'scripts', dir: undefined },
      env: { A: 'b', N: '1' },
      timeoutMs: { source: DAY_MS, setup: 5000, run: 5_400_000, visualize: DAY_MS, summarize: DAY_MS },
      retries: 2,
      rerunSetup: true,
      pinning: { type: 'list', cores: '0-3,7' },
      telemetry: { cpu: true, gpu: false, rateSeconds: 0.5 },
      sources: [],
    });
  });

  test('the top file gives defaults for telemetry, timeout, retries and env', async () => {
    write('config.json', {
      ...TOP,
      run_gpu_telemetry: true,
      telemetry_rate: 3,
      timeout: '2h',
      retries: 1,
      env: { A: '1', B: '2' },
    });
    experiment('x', { active: true, env: { B: '3' }, run_gpu_telemetry: false });
    subsystem('s', { active: true });
    const reading = await read();
    const { telemetry, timeoutMs, retries, env } = taskOf(reading, 'x');
    assert.deepEqual(telemetry, { cpu: false, gpu: false, rateSeconds: 3 });
    assert.equal(timeoutMs.run, 7_200_000);
    assert.equal(retries, 1);
    assert.deepEqual(env, { A: '1', B: '3' });
    assert.deepEqual(taskOf(reading, 's').timeoutMs, { run: 7_200_000 });
  });

  for (const [config, message] of [
    [{ priority: 'high' }, 'priority: expected a number, found "high"'],
    [{ priority: null }, 'priority: expected a number, found null'],
    [{ notify: 5 }, 'notify: expected a list of texts, found 5'],
    [{ title: ['x'] }, 'title: expected a text, found ["x"]'],
    [{ process_pinning: true }, 'process_pinning: expected a mapping of keys to values, found true'],
    [
      { process_pinning: { enable: true, cores: 'all' } },
      'process_pinning.cores: expected cores as a list such as 0-3,7 or as a mask such as 0xff, found "all"',
    ],
    [{ retries: 1.5 }, 'retries: expected a whole number, found 1.5'],
    [{ env: { 'A=B': 'x' } }, 'env."A=B": expected a variable name without "=" and NUL, found "x"'],
    [{ sources: 'nowhere' }, 'sources: there is no source "nowhere" in the top file'],
    [{ tvm_branch: 'dev' }, 'tvm_branch is "dev", but TVM_HOME is not set'],
  ] as const) {
    test(`${JSON.stringify(config)} breaks the task and says why`, async () => {
      const task = await readTask({ active: true, ...config });
      assert.equal(task.state, 'broken');
      assert.equal(task.problem, `config.json for x: ${message}`);
    });
  }

  for (const timeout of [0, -1, 'soon', '5', '30d', true, { run: 'x' }, { walk: 5 }]) {
    test(`timeout ${JSON.stringify(timeout)} breaks the task`, async () => {
      const task = await readTask({ active: true, timeout });
      assert.equal(task.state, 'broken');
      assert.match(task.problem ?? '', /timeout/);
    });
  }

  test('cores may be a mask; pinning needs both fields', async () => {
    const pin = async (pinning: unknown) =>
      (await readTask({ active: true, process_pinning: pinning })).pinning;
    assert.deepEqual(await pin({ enable: true, cores: '0x3' }), { type: 'mask', mask: '0x3' });
    assert.deepEqual(await pin({ enable: true, cores: 2 }), { type: 'list', cores: '2' });
    assert.equal(await pin({ enable: false, cores: 'nonsense' }), undefined);
    assert.equal(await pin({ enable: true, cores: '' }), undefined);
    assert.equal(await pin({ enable: true }), undefined);
  });

  test('tvm fields become a source', async () => {
    const tvm = { name: 'tvm', build: 'make -j', skipWhenUnchanged: false, keep: 5 };
    const ofBranch = await readTask({ active: true, tvm_branch: 'dev' }, { TVM_HOME: '/tvm' });
    assert.deepEqual(ofBranch.sources, [{ ...tvm, git: '/tvm', ref: 'dev' }]);
    const ofRemote = await readTask({ active: true, tvm_remote: 'https://example.org/tvm.git' });
    assert.deepEqual(ofRemote.sources, [{ ...tvm, git: 'https://example.org/tvm.git', ref: 'master' }]);
    const same = await readTask({ active: true, tvm_remote: 'origin', tvm_branch: 'master' });
    assert.deepEqual(same.sources, []);
  });

  test('sources come from the home by name or from the experiment', async () => {
    write('config.json', {
      ...TOP,
      sources: { garage: { git: '../garage', branch: 'main', build: 'make', skip_when_unchanged: true } },
    });
    experiment('x', { active: true, sources: ['garage', { git: 'git@example.org:a/b.git', commit: 'abc' }] });
    experiment('y', { active: true, sources: { own: { git: '~/own', keep: 2 } } });
    const reading = await read();
    assert.deepEqual(taskOf(reading, 'x').sources, [
      {
        name: 'garage',
        git: join(root, 'garage'),
        ref: 'main',
        build: 'make',
        skipWhenUnchanged: true,
        keep: 5,
      },
      { name: 'b', git: 'git@example.org:a/b.git', ref: 'abc', skipWhenUnchanged: false, keep: 5 },
    ]);
    assert.deepEqual(taskOf(reading, 'y').sources, [
      { name: 'own', git: '/users/me/own', skipWhenUnchanged: false, keep: 2 },
    ]);
  });

  test('an experiment cannot be named telemetry, a subsystem can', async () => {
    write('config.json', TOP);
    experiment('telemetry', { active: true });
    subsystem('telemetry', { active: true });
    const [first, second] = (await read()).home.tasks;
    assert.equal(first?.state, 'broken');
    assert.match(first?.problem ?? '', /the name "telemetry" is taken/);
    assert.equal(second?.state, 'active');
  });

  test('implementations: option first, then the home, then beside it, then built in', async () => {
    write('config.json', TOP);
    for (const name of ['x', 'y', 'z']) experiment(name, { active: true });
    for (const name of ['website', 'stat_alerts', 'exp_reports', 'own']) subsystem(name, { active: true });
    mkdirSync(join(root, 'given/x'), { recursive: true });
    for (const dir of ['experiments/x', 'experiments/y', 'subsystem/website']) {
      mkdirSync(join(home, dir), { recursive: true });
    }
    mkdirSync(join(root, 'experiments/z'), { recursive: true });
    const reading = await read({ experimentsDir: join(root, 'given') });
    const implementation = (name: string) => taskOf(reading, name).implementation;
    assert.deepEqual(implementation('x'), { type: 'scripts', dir: join(root, 'given/x') });
    assert.deepEqual(implementation('y'), { type: 'scripts', dir: join(home, 'experiments/y') });
    assert.deepEqual(implementation('z'), { type: 'scripts', dir: join(root, 'experiments/z') });
    assert.deepEqual(implementation('website'), { type: 'scripts', dir: join(home, 'subsystem/website') });
    assert.deepEqual(implementation('stat_alerts'), { type: 'built-in', id: 'stat_alert' });
    assert.deepEqual(implementation('exp_reports'), { type: 'built-in', id: 'exp_results' });
    assert.deepEqual(implementation('own'), { type: 'scripts', dir: undefined });
  });
});

describe('recorded homes', () => {
  test('the basic one has its tasks, titles and priorities', async () => {
    const reading = await readHome(
      join(process.cwd(), 'test/golden/relay/inputs/01-basic/home'),
      { experimentsDir: join(process.cwd(), 'test/golden/relay/inputs/impl/experiments') },
      { disk: localDisk, userHome: '/users/me', env: {} },
    );
    assert.deepEqual(reading.problems, []);
    assert.deepEqual(
      reading.home.tasks.map(({ name, state, priority, title, implementation: { type } }) =>
        [name, state, priority, title, type].join(' '),
      ),
      [
        'alpha active 1 Alpha Exp scripts',
        'beta active 5  scripts',
        'gamma active 5 Gamma <b> scripts',
        'inactive inactive 0 Idle one scripts',
        'deadline active 9  built-in',
        'exp_results active 0  built-in',
        'stat_alert active 3  built-in',
        'sub_ok active 0  scripts',
        'subsys_reporter active -10  built-in',
        'website active 0  built-in',
      ],
    );
  });

  test('the one of failures has two broken configs, each with the recorded message', async () => {
    const reading = await readHome(
      join(process.cwd(), 'test/golden/relay/inputs/02-failures/home'),
      {},
      { disk: localDisk, userHome: '/users/me', env: {} },
    );
    assert.deepEqual(
      reading.home.tasks.filter(({ state }) => state === 'broken').map(({ problem }) => problem),
      [
        'config.json for bad_json is missing or fails to parse',
        'config.json for sub_bad is missing or fails to parse',
      ],
    );
    assert.equal(taskOf(reading, 'no_impl_inactive').state, 'inactive');
    assert.deepEqual(taskOf(reading, 'no_impl').implementation, { type: 'scripts', dir: undefined });
  });
});

describe('unreadable folders', () => {
  const reason = process.getuid?.() === 0 ? 'root may read everything: run as a user' : false;

  test('a config that cannot be read breaks its task only', { skip: reason }, async () => {
    write('config.json', TOP);
    experiment('closed', { active: true });
    experiment('open', { active: true });
    chmodSync(join(home, 'config/experiments/closed'), 0);
    const reading = await read();
    chmodSync(join(home, 'config/experiments/closed'), 0o755);
    assert.equal(taskOf(reading, 'closed').problem, 'config.json for closed is missing or fails to parse');
    assert.match(reading.problems[0]?.message ?? '', /No permission for/);
    assert.equal(taskOf(reading, 'open').state, 'active');
  });

  test('a folder of implementations that cannot be read is skipped', { skip: reason }, async () => {
    write('config.json', TOP);
    experiment('x', { active: true });
    mkdirSync(join(home, 'experiments/x'), { recursive: true });
    chmodSync(join(home, 'experiments'), 0);
    mkdirSync(join(root, 'experiments/x'), { recursive: true });
    const reading = await read();
    chmodSync(join(home, 'experiments'), 0o755);
    assert.deepEqual(taskOf(reading, 'x').implementation, {
      type: 'scripts',
      dir: join(root, 'experiments/x'),
    });
  });
});

describe('after', () => {
  test('names tasks; unknown ones, itself and a subsystem before an experiment break the task', async () => {
    write('config.json', TOP);
    experiment('good', { active: true });
    experiment('fine', { active: true, after: 'good' });
    experiment('unknown', { active: true, after: ['goood'] });
    experiment('self', { active: true, after: ['self'] });
    experiment('early', { active: true, after: ['sub'] });
    subsystem('sub', { active: true, after: ['good', 'other'] });
    subsystem('other', { active: true });
    const reading = await read();
    const problem = (name: string) => taskOf(reading, name).problem;
    assert.deepEqual(taskOf(reading, 'fine').after, ['good']);
    assert.equal(problem('fine'), undefined);
    assert.equal(problem('sub'), undefined);
    assert.equal(problem('unknown'), 'after: there is no task "goood"');
    assert.equal(problem('self'), 'after: self waits for itself');
    assert.equal(problem('early'), 'after: early is an experiment and cannot wait for the subsystem sub');
    assert.equal(
      reading.problems.find(({ message }) => message.includes('goood'))?.hint,
      'Did you mean "good"?',
    );
  });

  test('a cycle breaks all of its tasks and is named', async () => {
    write('config.json', TOP);
    experiment('a', { active: true, after: ['b'] });
    experiment('b', { active: true, after: ['a'] });
    experiment('c', { active: true, after: ['a'] });
    const reading = await read();
    assert.equal(taskOf(reading, 'a').problem, 'after makes a cycle: a -> b -> a');
    assert.equal(taskOf(reading, 'b').problem, 'after makes a cycle: a -> b -> a');
    assert.equal(taskOf(reading, 'c').state, 'active');
  });
});
