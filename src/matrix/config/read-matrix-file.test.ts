import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { MatrixDefinition } from '../../home/core/matrix-definition.ts';
import { planTests } from '../../home/core/sweep/plan-tests.ts';
import { settingsYaml } from '../../platform/core/python/python-yaml.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { parseMatrixFile, parseSettingsText } from './read-matrix-file.ts';

const read = (text: string, hasCommaLists = false) =>
  parseMatrixFile('/f/m.yml', text, { cwd: '/here', hasCommaLists });

function definitionOf(text: string, hasCommaLists = false): MatrixDefinition {
  const reading = read(text, hasCommaLists);
  assert.ok(reading.state === 'usable', JSON.stringify(reading.problems));
  return reading.definition;
}

function testsOf(text: string, hasCommaLists = false) {
  const definition = definitionOf(text, hasCommaLists);
  return planTests(definition, definition.experiments).tests;
}

function errorsOf(text: string): readonly string[] {
  const reading = read(text);
  assert.equal(reading.state, 'unusable', 'the file should be refused');
  return reading.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe('benchmark files', () => {
  const golden = readFileSync('test/golden/matrix/bench/bench.yaml', 'utf8');

  test('the golden one has its flags, and warns about the flag that is unknown', () => {
    const reading = read(golden);
    assert.ok(reading.state === 'usable');
    const { definition, problems } = reading;
    assert.equal(definition.resultsDir, '/here/bres');
    assert.deepEqual(definition.wanted, ['first', '_disabled', 'second']);
    assert.deepEqual(definition.testFiles, { 'config.yaml': { a: 1, b: ['x', 'y'] }, 'note.txt': 'hello' });
    assert.deepEqual(
      problems.map(({ severity, line, message }) => `${severity} ${line} ${message}`),
      ['warning 11 --unknown-flag is not a flag of a run and is ignored'],
    );
  });

  test('the golden one makes ten tests; run is slower than model, extra the fastest', () => {
    const tests = testsOf(golden);
    assert.equal(tests.length, 10);
    assert.deepEqual(
      tests.map(({ experiment, settings, path, command }) =>
        [experiment, settings['run'], settings['opt'] ?? '-', path, command].join(' '),
      ),
      [
        'first 1 a m1_4u run_ok.sh',
        'first 1 b m1_4u run_ok.sh',
        'first 1 a m2_4u run_ok.sh',
        'first 1 b m2_4u run_ok.sh',
        'first 2 a m1_4u run_ok.sh',
        'first 2 b m1_4u run_ok.sh',
        'first 2 a m2_4u run_ok.sh',
        'first 2 b m2_4u run_ok.sh',
        'second 1 - m3_4, 8u run_ko.sh',
        'second 2 - m3_4, 8u run_ko.sh',
      ],
    );
  });

  test('comma lists are texts, and lists where that is asked for', () => {
    assert.deepEqual(
      testsOf(golden, true)
        .filter(({ experiment }) => experiment === 'second')
        .map(({ path }) => path),
      ['m3_4u', 'm3_8u', 'm3_4u', 'm3_8u'],
    );
    const old = testsOf('--path-tpl: "{x}"\n--script-tpl: s\nexpe: {e: {x: "1, 2, 3"}}\n', true);
    assert.deepEqual(
      old.map(({ settings }) => settings),
      [{ x: '1' }, { x: '2' }, { x: '3' }],
    );
  });

  test('names of flags may have underscores, an experiment a path of its own', () => {
    const text =
      '--path_tpl: a\n--script_tpl: "s {x}"\n--expe_to_run: e, f\nexpe:\n  e: {x: true, --path-tpl: "b{x}"}\n  f: {x: null}\n';
    assert.deepEqual(definitionOf(text).wanted, ['e', ' f']);
    assert.deepEqual(
      testsOf(text).map(({ path, command }) => `${path} ${command}`),
      ['bTrue s True', 'a s None'],
    );
  });

  test('numbers keep their text, and old words are true and false', () => {
    const [test] = testsOf(
      '--path-tpl: "{a}_{b}_{c}_{d}"\n--script-tpl: s\nexpe: {e: {a: 1.0, b: [2], c: on, d: "on"}}\n',
    );
    assert.equal(test?.path, '1.0_2_True_on');
    assert.equal(settingsYaml(test?.settings ?? {}, test?.texts), "a: 1.0\nb: 2\nc: true\nd: 'on'\n");
  });

  test('every problem is reported with its position', () => {
    const text = `--path-tpl: "{a:>3}"
--stop-on-error: maybe
common_settings: [x]
expe:
  e:
    none: []
    extra: ["k=v, x", {k: v}]
  ../up: {}
  f: 3
test_files: {../x: a, exit_code: "0"}
`;
    assert.deepEqual(errorsOf(text), [
      '1:1 the file has no --script-tpl: there is nothing to run',
      '1:13 --path-tpl: "{a:>3}" is more than the name of a setting; only {name} can be used',
      '2:18 --stop-on-error: expected true or false, found "maybe"',
      '3:18 common_settings: expected a mapping of names to settings, found ["x"]',
      '6:11 expe.e.none: expected at least one value, found []',
      '7:13 expe.e.extra[0]: expected "key=value, key=value", found "k=v, x"',
      '7:23 expe.e.extra[1]: expected "key=value, key=value", found {"k":"v"}',
      '8:3 expe."../up" cannot be the name of a folder: it contains "/"',
      '9:6 expe.f: expected a mapping of settings, found 3',
      '10:14 test_files: "../x" cannot be a test file: it is outside of the folder of the test, or is not a file name',
      '10:23 test_files: "exit_code" cannot be a test file: a run writes it itself',
    ]);
  });
});

describe('our own form', () => {
  test('a few lines are enough', () => {
    const text = 'matrix:\n  level: [1, 9]\n  size: 10\nrun: gzip -{level} {size}\n';
    const { resultsDir, experiments, order, parallel, retries } = definitionOf(text);
    assert.deepEqual([resultsDir, order, parallel, retries], ['/f/results', 'given', undefined, 0]);
    assert.equal(experiments[0]?.name, 'm');
    assert.deepEqual(
      testsOf(text).map(({ path, command }) => `${path}: ${command}`),
      ['level=1: gzip -1 10', 'level=9: gzip -9 10'],
    );
  });

  test('every key', () => {
    const text = `name: n
matrix:
  settings: {include: [a, b]}
  x: 1
  include: [{include: c}]
  exclude: [{include: b}]
  conditions: [{when: {include: a}, set: {x: 2}}]
  repetitions: 2
  seeds: [7]
script: s.sh {include} {seed}
path: "{include}-{repetition}"
results: ../out
files: {c.json: "{}"}
parallel: 3
order: random
seed: 5
timeout: 90s
retries: 2
stop_on_error: true
`;
    const { experiments: _, ...rest } = definitionOf(text);
    assert.deepEqual(rest, {
      file: '/f/m.yml',
      dialect: 'native',
      scriptDirs: ['/f'],
      resultsDir: '/out',
      testFiles: { 'c.json': '{}' },
      isRemote: false,
      stopsOnError: true,
      order: 'random',
      seed: 5,
      parallel: 3,
      timeoutMs: 90_000,
      retries: 2,
    });
    assert.deepEqual(
      testsOf(text).map(({ path, command, settings }) => `${path} ${command} ${settings['x']}`),
      ['a-1 s.sh a 7 2', 'a-2 s.sh a 7 2', 'c-1 s.sh c 7 1', 'c-2 s.sh c 7 1'],
    );
  });

  test('several experiments by name share the settings of the file', () => {
    const text = `experiments:
  a: {matrix: {x: [1, 2]}, run: "one {x}"}
  _off: {matrix: {x: 1}, run: never}
  b: {matrix: {y: 1.0}, script: "two {y}", path: p}
retries: 1
`;
    assert.equal(definitionOf(text).retries, 1);
    assert.deepEqual(
      testsOf(text).map(({ experiment, path, command }) => `${experiment}/${path}: ${command}`),
      ['a/x=1: one 1', 'a/x=2: one 2', '_off/test: never', 'b/p: two 1.0'],
    );
    assert.deepEqual(errorsOf('run: x\nexperiments:\n  a/b: {matrix: {x: []}}\n'), [
      '1:1 run cannot stand beside experiments',
      '3:3 experiments."a/b" cannot be the name of a folder: it contains "/"',
      '3:3 experiments."a/b" has neither run nor script: nothing says what to run',
      '3:21 experiments."a/b".matrix.x: expected at least one value, found []',
    ]);
  });

  test('mistakes are reported with their position and a suggestion', () => {
    assert.deepEqual(errorsOf('matrix: {a: []}\nrun: x\nscript: y\n'), [
      '1:13 matrix.a: expected at least one value, found []',
      '3:1 the file has run and script: only one of them is allowed',
    ]);
    const reading = read('matrix: {}\nrun: x\ntimeuot: 3s\n');
    assert.equal(reading.problems[0]?.hint, 'Did you mean "timeout"?');
    assert.deepEqual(errorsOf('matrix: {a: 1}\n'), [
      '1:1 the file has neither run nor script: nothing says what to run',
    ]);
    assert.match(errorsOf('duetbench: {}\n')[0] ?? '', /expected "matrix:" and "run:", or "expe:"/);
    assert.match(errorsOf('[1]\n')[0] ?? '', /found \[1\]/);
  });
});

test('settings that are written are read back equal', () => {
  const settings: JsonObject = {
    a: [
      '1e3',
      '0o7',
      'on',
      'null',
      '',
      ' x ',
      'a\nb',
      '#',
      'é😀\u2028',
      "it's",
      '2024-01-01',
      '- x',
      '{}',
      '%',
    ],
    b: { deep: [{ x: [[]] }, {}] },
    c: [1, -1.5, 1e300, true, null, 1e-9],
    '@seed': 1,
    'a: b': 'y',
  };
  assert.deepEqual(parseSettingsText('s', settingsYaml(settings)), settings);
  assert.deepEqual(parseSettingsText('s', '{}\n'), {});
  assert.equal(parseSettingsText('s', 'a: [\n'), undefined);
  assert.equal(parseSettingsText('s', ''), undefined);
});

describe('nightmark.yml', () => {
  const readHomeFile = (text: string) => parseMatrixFile('/home/nightmark.yml', text, { cwd: '/here' });

  test('a matrix of its own runs as from any other file', () => {
    const reading = readHomeFile(
      'experiments: {a: {run: "echo {n}", matrix: {n: [1, 2], exclude: [{n: 2}]}}}',
    );
    assert.ok(reading.state === 'usable', JSON.stringify(reading.problems));
    assert.equal(planTests(reading.definition, reading.definition.experiments).tests.length, 1);
  });

  test('the definition of a home is refused, with the command that runs its matrices', () => {
    for (const text of [
      'project: x\nexperiments: {a: {run: "echo {n}", matrix: {n: [1, 2]}}}',
      'experiments: {a: {run: "echo {n}", results: {unit: s}, matrix: {n: [1, 2]}}, b: "echo 1"}',
    ]) {
      const reading = readHomeFile(text);
      assert.equal(reading.state, 'unusable');
      assert.deepEqual(
        reading.problems.map(({ message, hint }) => [message, hint]),
        [
          [
            'the file defines a home; its matrices run with "nightmark run"',
            'Run them: nightmark run /home --only a',
          ],
        ],
      );
    }
  });
});
