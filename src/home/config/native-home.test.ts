import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { HomeReading, Task } from '../core/home.ts';
import { readHome } from './read-home.ts';

const DAY_MS = 86_400_000;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nightmark-native-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, content: string | Buffer): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function read(yaml?: string | Buffer, options = {}): Promise<HomeReading> {
  if (yaml !== undefined) write('nightmark.yml', yaml);
  return readHome(home, options, { disk: localDisk, userHome: '/users/me', env: {} });
}

async function readTask(yaml: string, name = 'x'): Promise<Task> {
  const task = (await read(yaml)).home.tasks.find((candidate) => candidate.name === name);
  assert.ok(task, `there is a task ${name}`);
  return task;
}

async function failure(yaml?: string | Buffer): Promise<NightmarkError> {
  try {
    await read(yaml);
  } catch (error) {
    assert.ok(error instanceof NightmarkError, String(error));
    return error;
  }
  return assert.fail('reading should have failed');
}

describe('a good file', () => {
  test('the smallest one has defaults for everything', async () => {
    const { home: result, problems } = await read('experiments:\n  sort:\n    run: node sort.mjs\n');
    assert.deepEqual(problems, []);
    assert.deepEqual(result, {
      dir: home,
      dialect: 'native',
      project: home.split('/').at(-1),
      folders: {
        experiments: [join(home, 'experiments')],
        subsystems: [join(home, 'subsystem')],
        tmp: join(home, '.nightmark/tmp'),
        backup: join(home, '.nightmark/backups'),
        setup: join(home, '.nightmark/setup'),
      },
      order: 'random',
      subsystemArguments: 'home-output',
      backups: { before: true, after: true },
      retention: { backups: { count: 14 }, raw: {}, logs: {} },
      tasks: [
        {
          kind: 'experiment',
          name: 'sort',
          state: 'active',
          notify: [],
          priority: 0,
          after: [],
          configDir: join(home, '.nightmark/config/experiments/sort'),
          config: {},
          implementation: {
            type: 'commands',
            cwd: home,
            commands: { run: 'node sort.mjs' },
            results: { mapping: {} },
          },
          env: {},
          timeoutMs: {
            source: DAY_MS,
            setup: DAY_MS,
            run: DAY_MS,
            analyze: DAY_MS,
            visualize: DAY_MS,
            summarize: DAY_MS,
          },
          retries: 0,
          rerunSetup: false,
          telemetry: { cpu: true, gpu: false, rateSeconds: 15 },
          sources: [],
        },
      ],
    });
  });

  test('a text is short for run', async () => {
    const { implementation } = await readTask('experiments: {x: make bench}');
    assert.equal(implementation.type === 'commands' && implementation.commands.run, 'make bench');
  });

  test('every block arrives', async () => {
    mkdirSync(join(home, 'experiments/old'), { recursive: true });
    const { home: result, problems } = await read(`
project: garage
schedule: "0 2 * * *"
timezone: America/Los_Angeles
pull: true
order: priority
seed: 42
sources:
  garage: { git: https://example.org/garage.git, branch: master, build: make, skip-when-unchanged: true }
defaults:
  timeout: 2h
  retries: 1
  pin: { cores: 0-7 }
  telemetry: { cpu: true, gpu: true, every: 30s }
  executor: process
  env: { A: 1 }
  notify: [U1]
experiments:
  ddpg:
    title: DDPG
    description: words
    source: garage
    setup: make data
    run: python -m ddpg --out {out}
    analyze: ./analyze
    results: { path: "{out}/progress.csv", format: csv, value: [a, b], name: n, unit: s, better: lower }
    notify: U2
    priority: 3
    env: { B: yes }
    timeout: { run: 10m, setup: none }
    retries: 0
    pin: false
    telemetry: false
    rerun-setup: true
    cwd: bench
  old:
    folder: old
    active: false
    config: { devices: [cpu], n: 3 }
    sources: [garage, { git: ., ref: v1 }]
tasks:
  note: echo done
  score: { uses: stat_alerts, after: [ddpg], config: { a: 1 } }
folders: { tmp: /scratch, backup: ~/backups, experiments: [a, /b] }
backups: { before: false }
retention: { raw: 30d, backups: { keep: 3, age: 1y } }
`);
    const [ddpg, old, note, score] = result.tasks;
    assert.equal(old?.state, 'inactive');
    assert.deepEqual(
      problems.map(({ severity, message }) => [severity, message.includes('there is no such folder')]),
      [['warning', true]],
    );
    assert.equal(result.project, 'garage');
    assert.deepEqual(result.schedule, { cron: '0 2 * * *', timezone: 'America/Los_Angeles', pull: true });
    assert.equal(result.order, 'priority');
    assert.equal(result.seed, 42);
    assert.deepEqual(result.backups, { before: false, after: true });
    assert.deepEqual(result.retention, {
      raw: { ageMs: 30 * DAY_MS },
      backups: { count: 3, ageMs: 365 * DAY_MS },
      logs: {},
    });
    assert.equal(result.folders.tmp, '/scratch');
    assert.equal(result.folders.backup, '/users/me/backups');
    assert.deepEqual(result.folders.experiments, [join(home, 'a'), '/b']);
    const garage = {
      name: 'garage',
      git: 'https://example.org/garage.git',
      ref: 'master',
      build: 'make',
      skipWhenUnchanged: true,
      keep: 5,
    };
    assert.deepEqual(ddpg, {
      kind: 'experiment',
      name: 'ddpg',
      state: 'active',
      title: 'DDPG',
      description: 'words',
      notify: ['U2'],
      priority: 3,
      after: [],
      configDir: join(home, '.nightmark/config/experiments/ddpg'),
      config: {},
      implementation: {
        type: 'commands',
        cwd: join(home, 'bench'),
        commands: { setup: 'make data', run: 'python -m ddpg --out {out}', analyze: './analyze' },
        results: {
          path: 'progress.csv',
          format: 'csv',
          mapping: { value: ['a', 'b'], name: 'n', unit: 's', better: 'lower' },
        },
      },
      env: { A: '1', B: 'yes' },
      timeoutMs: {
        source: 7_200_000,
        run: 600_000,
        analyze: 7_200_000,
        visualize: 7_200_000,
        summarize: 7_200_000,
      },
      retries: 0,
      rerunSetup: true,
      telemetry: { cpu: false, gpu: false, rateSeconds: 30 },
      sources: [garage],
    });
    assert.deepEqual(old?.config, { devices: ['cpu'], n: 3 });
    assert.deepEqual(old?.sources[1], {
      name: home.split('/').at(-1),
      git: home,
      ref: 'v1',
      skipWhenUnchanged: false,
      keep: 5,
    });
    assert.deepEqual(note?.implementation, {
      type: 'commands',
      cwd: home,
      commands: { run: 'echo done' },
      results: { mapping: {} },
    });
    assert.deepEqual(score?.implementation, { type: 'built-in', id: 'stat_alert' });
    assert.deepEqual(score?.after, ['ddpg']);
    assert.equal(score?.configDir, join(home, '.nightmark/config/subsystem/score'));
    assert.deepEqual(score?.timeoutMs, { run: 7_200_000 });
  });

  test('order: given runs in the order of the file', async () => {
    const { home: result } = await read('order: given\nexperiments: {z: a, b: a, "10": a, m: a}\n');
    assert.equal(result.order, 'priority');
    const order = [...result.tasks].sort((a, b) => b.priority - a.priority).map(({ name }) => name);
    assert.deepEqual(order, ['z', 'b', '10', 'm']);
  });

  test('a folder is found beside the file or in the search path', async () => {
    mkdirSync(join(home, 'bench/a'), { recursive: true });
    mkdirSync(join(home, 'given/b'), { recursive: true });
    write('nightmark.yml', 'experiments: {a: {folder: bench/a}, b: {folder: b}}');
    const { home: result } = await read(undefined, { experimentsDir: join(home, 'given') });
    assert.deepEqual(
      result.tasks.map(({ implementation }) => implementation),
      [
        { type: 'scripts', dir: join(home, 'bench/a') },
        { type: 'scripts', dir: join(home, 'given/b') },
      ],
    );
  });

  test('wins over a dashboard file, which is then warned about', async () => {
    write('config.json', '{');
    const { home: result, problems } = await read('experiments: {x: y}');
    assert.equal(result.dialect, 'native');
    assert.deepEqual(
      problems.map(({ severity, file }) => [severity, file]),
      [['warning', join(home, 'config.json')]],
    );
  });

  test('aliases, names like __proto__ and a byte order mark are fine', async () => {
    const { home: result } = await read(
      '\uFEFFexperiments:\n  __proto__: &a {run: x}\n  constructor: *a\n  "quote \\" and \\n newline": *a\n',
    );
    assert.deepEqual(
      result.tasks.map(({ name, state }) => [name, state]),
      [
        ['__proto__', 'active'],
        ['constructor', 'active'],
        ['quote " and \n newline', 'active'],
      ],
    );
  });
});

describe('a bad experiment is broken and the others stay usable', () => {
  for (const [body, message] of [
    ['{}', 'experiments.x: expected one of run, folder, found none of them'],
    ['', 'experiments.x: expected a command, or a mapping with run or folder, found null'],
    ['{run: a, folder: b}', 'experiments.x: expected only one of run, folder, found run and folder'],
    [
      '{run: a, timeout: 5}',
      'experiments.x.timeout: expected a duration with its unit, such as 30s, 15m, 2h or 7d, "none", or a mapping of stages (source, setup, run, analyze, visualize, summarize) to those, found 5',
    ],
    [
      '{run: a, timeout: {run: 5}}',
      'experiments.x.timeout.run: expected a duration with its unit, such as 30s, 15m, 2h or 7d, or "none", found 5',
    ],
    ['{run: a, retris: 1}', 'experiments.x.retris is not a known key'],
    ['{folder: a, matrix: {a: [1]}}', 'experiments.x: matrix need the command "run"'],
    ['{run: a, matrix: {a: []}}', 'experiments.x.matrix.a: expected at least one value, found []'],
    [
      '{run: "a {b}", matrix: {a: [1]}}',
      'experiments.x.matrix does not set {b}, which run needs, at 001__test (there are: a, out, data, config, raw, home, seed; for the text itself write {{b}})',
    ],
    [
      '{run: a, matrix: {a: [1, 2], exclude: [{a: [1, 2]}]}}',
      'experiments.x.matrix leaves no point: everything is excluded',
    ],
    [
      '{run: a, matrix: {a: [1, 2], repetitions: 100000}}',
      'experiments.x.matrix makes 200000 points; at most 10000 fit into a night',
    ],
    ['{run: a, duet: {}}', 'experiments.x.duet is not supported yet by this version'],
    ['{run: a, source: nope}', 'experiments.x: there is no source "nope"'],
    ['{run: a, telemetry: {evry: 5s}}', 'experiments.x.telemetry.evry is not a known key'],
    [
      '{run: a, results: {path: ../../etc/passwd}}',
      'experiments.x.results.path: expected a path without "..", found "../../etc/passwd"',
    ],
    [
      '{run: a, results: {path: /etc/passwd}}',
      'experiments.x.results.path: expected a path below the output folder, found "/etc/passwd"',
    ],
    [
      '{run: a, executor: cow}',
      'experiments.x.executor: expected one of process, container, slurm, kubernetes',
    ],
    ['{run: a, executor: container}', 'experiments.x.executor: container needs an image'],
    ['{run: a, slurm: {partition: x}}', 'experiments.x.slurm: the executor is process'],
    ['{run: a, executor: slurm, image: i}', 'experiments.x.image: batch jobs of Slurm have none'],
    [
      '{run: a, executor: slurm, pin: 0-1}',
      'experiments.x.pin: only processes of this machine can be pinned',
    ],
    ['{run: a, active: "no"}', 'experiments.x.active: expected true or false, found "no"'],
    ['{run: a, after: [y]}', 'after: there is no task "y"'],
    ['{run: a, pin: {cores: 3-1}}', 'experiments.x.pin: expected cores as a list'],
    ['{run: [a, b]}', 'experiments.x.run: expected a command, found ["a","b"]'],
    ['{run: "a\\0b"}', 'experiments.x.run: expected a command, not empty and without NUL, found "a\\u0000b"'],
    ['{run: ""}', 'experiments.x.run: expected a command, not empty and without NUL, found ""'],
    [`{folder: ${'y'.repeat(5000)}}`, 'experiments.x: folder: there is no such folder (tried '],
    ['{folder: nowhere}', 'experiments.x: folder: there is no such folder (tried '],
  ] as const) {
    test(`${body.slice(0, 80) || 'nothing'}`, async () => {
      const reading = await read(`experiments:\n  good: fine\n  x: ${body}\n`);
      const [good, x] = reading.home.tasks;
      assert.equal(good?.state, 'active');
      assert.equal(x?.state, 'broken');
      assert.ok(x?.problem?.startsWith(message), x?.problem);
      assert.equal(reading.problems[0]?.severity, 'error');
      assert.equal(reading.problems[0]?.line, 3);
    });
  }

  test('unknown keys come with the nearest known one and their place', async () => {
    const { problems } = await read('experiments:\n  x:\n    run: a\n    time-out: 5s\n    prioritty: 1\n');
    assert.deepEqual(
      problems.map(({ line, column, message, hint }) => [line, column, message, hint]),
      [
        [4, 5, 'experiments.x.time-out is not a known key', 'Did you mean "timeout"?'],
        [5, 5, 'experiments.x.prioritty is not a known key', 'Did you mean "priority"?'],
      ],
    );
  });
});

describe('a bad top level throws with all problems', () => {
  test('each with file, line and column', async () => {
    const { code, message } = await failure(
      'schedul: x\norder: fast\nseed: 1.5\nkpis: []\ntimezone: Mars\nexperiments:\n  x: {run: a}\n',
    );
    assert.equal(code, 'CONFIG_INVALID');
    const file = join(home, 'nightmark.yml');
    assert.deepEqual(
      message.split('\n').sort(),
      [
        `${file}:1:1: schedul is not a known key`,
        `${file}:2:8: order: expected one of random, priority, given, found "fast"`,
        `${file}:3:7: seed: expected a whole number, found 1.5`,
        `${file}:4:1: kpis is not supported yet by this version`,
        `${file}:5:11: timezone: expected a time zone such as Europe/Berlin or UTC, found "Mars"`,
        'The definition has 5 problems:',
      ].sort(),
    );
  });

  for (const block of ['kpis', 'matrix']) {
    test(`${block} is not supported yet, by name`, async () => {
      const { message } = await failure(`${block}: []\n`);
      assert.equal(
        message,
        `${join(home, 'nightmark.yml')}:1:1: ${block} is not supported yet by this version`,
      );
    });
  }

  test('regress is read for the file and for an experiment', async () => {
    const { home: result } = await read(
      'regress: {min-effect: 5%, budget: 1 per week, ignore: gc*}\nexperiments:\n  x: {run: a, regress: {min-difference: 0.5, ignore: [mem/*]}}\n  y: b\n',
    );
    const common = { minEffect: 0.05, budget: { count: 1, days: 7 } };
    assert.deepEqual(result.regress, { ...common, ignore: ['gc*'] });
    const [x, y] = result.tasks;
    assert.deepEqual(x?.regress, { ...common, minDifference: 0.5, ignore: ['gc*', 'mem/*'] });
    assert.equal(y?.regress, undefined);
  });

  for (const [block, why] of [
    ['{min-effect: 5}', 'regress.min-effect: expected a percentage such as 1% or 0.5%, found 5'],
    [
      '{budget: often}',
      'regress.budget: expected a number of alarms in a time, such as "1 per week" or "2 per 10 days", found "often"',
    ],
  ] as const) {
    test(`regress: ${block} is refused with its place`, async () => {
      const { message } = await failure(`regress: ${block}\n`);
      assert.ok(message.includes(why), message);
    });
  }

  for (const name of ['..', '.', 'a/b', '', 'n\\0ul', 'x'.repeat(300)]) {
    test(`the name ${JSON.stringify(name.slice(0, 9))} never comes near the disk`, async () => {
      const { message } = await failure(`experiments:\n  "${name}": echo\n`);
      assert.match(message, /nightmark\.yml:2:3: experiments: ".*" cannot be a name: it /);
    });
  }

  for (const [what, yaml, pattern] of [
    ['an empty file', '', /expected a mapping of keys to values, found null/],
    ['a list', '- a\n', /expected a mapping of keys to values/],
    ['only a comment', '# nothing', /expected a mapping of keys to values/],
    ['a duplicate key', 'seed: 1\nseed: 2\n', /nightmark\.yml:2:1: .*unique/],
    ['a tab', 'experiments:\n\tx: y\n', /nightmark\.yml:2:1: .*[Tt]ab/],
    ['two documents', 'seed: 1\n---\nseed: 2\n', /nightmark\.yml:2:1: .*multiple documents/],
    ['a tag', 'seed: !!js/function "x"\n', /nightmark\.yml:1:7: .*tag/],
    ['broken flow', 'experiments: {x: [\n', /nightmark\.yml:\d:\d+: /],
    [
      'experiments as a list',
      'experiments: [a]\n',
      /experiments: expected a mapping of names to values, found \["a"\]/,
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x61, 0x3a, 0x20, 0xff, 0x0a]),
      /nightmark\.yml:1:4: expected text in UTF-8/,
    ],
    ['NUL', 'seed: "\0"\n', /nightmark\.yml:1:8: .*NUL/],
    ['a merge key', 'a: &a {seed: 1}\n<<: *a\n', /is not a known key/],
  ] as const) {
    test(`${what} is an error with its place`, async () => {
      assert.match((await failure(yaml)).message, pattern);
    });
  }
});

describe('hostile files end with an error, soon and without taking the memory', () => {
  test('10 MB', async () => {
    assert.match((await failure(`seed: 1\n# ${'x'.repeat(10 * 1024 * 1024)}`)).message, /10\.0 MiB/);
  });

  test('aliases of aliases of aliases', async () => {
    const levels = Array.from({ length: 30 }, (_, n) => {
      const inner =
        n === 0
          ? '"lol"'
          : Array(9)
              .fill(`*a${n - 1}`)
              .join(',');
      return `  a${n}: &a${n} [${inner}]`;
    });
    const { code, message } = await failure(`experiments:\n${levels.join('\n')}\n`);
    assert.equal(code, 'CONFIG_SYNTAX');
    assert.match(message, /an alias cannot be used/);
  });

  test('an alias to itself', async () => {
    assert.match(
      (await failure('experiments: &a\n  x: *a\n')).message,
      /nightmark\.yml: .*it contains itself/,
    );
  });

  test('a large text ninety times', async () => {
    const yaml = `a: &a ${'x'.repeat(512 * 1024)}\nb: [${Array(90).fill('*a').join(', ')}]\n`;
    assert.match((await failure(yaml)).message, /unfolds to more than/);
  });

  for (const [what, yaml] of [
    ['brackets', `a: ${'['.repeat(1_000_000)}`],
    ['closed brackets', `a: ${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['braces', '{a: '.repeat(200_000)],
    ['dashes', '- '.repeat(500_000)],
    ['question marks', '? '.repeat(500_000)],
  ] as const) {
    test(`${what} nested without end`, async () => {
      assert.equal(
        (await failure(yaml)).message,
        `${join(home, 'nightmark.yml')}: the file is nested too deeply`,
      );
    });
  }

  test('what only looks nested is no problem', async () => {
    const { home: result } = await read(
      `experiments:\n  x: "${'['.repeat(1000)}"\n  y: |\n    ${'- '.repeat(1000)}\n${'  # [\n'.repeat(500)}`,
    );
    assert.deepEqual(
      result.tasks.map(({ state }) => state),
      ['active', 'active'],
    );
  });

  test('a file of one line is no problem', async () => {
    const names = Array.from({ length: 500 }, (_, index) => [`k${index}`, { run: 'x', after: [] }]);
    const { home: result } = await read(JSON.stringify({ experiments: Object.fromEntries(names) }));
    assert.equal(result.tasks.filter(({ state }) => state === 'active').length, 500);
  });

  test('fifty thousand keys, one of them twice', async () => {
    const keys = Array.from({ length: 50_000 }, (_, index) => `  k${index}: x\n`).join('');
    const { message } = await failure(`experiments:\n${keys}  k7: x\n`);
    assert.equal(
      message,
      `${join(home, 'nightmark.yml')}:50002:3: the key "k7" is there twice; keys must be unique`,
    );
  });

  test('two thousand indented levels', async () => {
    const yaml = Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n');
    assert.ok((await failure(yaml)).message.includes('nightmark.yml'));
  });

  test('thousands of syntax errors are cut', async () => {
    const { message } = await failure(`${'}: x\n'.repeat(5000)}`);
    assert.ok(message.split('\n').length <= 60);
  });

  test('a file that may not be read is named', async (t) => {
    if (process.getuid?.() === 0) return t.skip('root may read everything: run as a user');
    write('nightmark.yml', 'seed: 1\n');
    chmodSync(join(home, 'nightmark.yml'), 0);
    assert.match((await failure()).message, /No permission for .*nightmark\.yml/);
  });
});
