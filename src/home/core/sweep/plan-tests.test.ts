import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selectExperiments } from '../../../matrix/core/select-experiments.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Axis, MatrixDefinition, MatrixExperiment } from '../matrix-definition.ts';
import { planTests } from './plan-tests.ts';

function axis(key: string, ...values: JsonValue[]): Axis {
  return { type: 'setting', key, values: values.map((value) => ({ value })) };
}

function experiment(more: Partial<MatrixExperiment>): MatrixExperiment {
  const run = { type: 'command', template: 'true' } as const;
  return { name: 'e', run, axes: [], include: [], exclude: [], conditions: [], repeats: [], ...more };
}

function definition(...experiments: MatrixExperiment[]): MatrixDefinition {
  const rest = { testFiles: {}, isRemote: false, stopsOnError: false, parallel: 1, retries: 0 };
  return { file: '/f/m.yml', dialect: 'native', scriptDirs: ['/f'], experiments, order: 'given', ...rest };
}

const plan = (more: Partial<MatrixExperiment>) => planTests(definition(), [experiment(more)]);
const settingsOf = (more: Partial<MatrixExperiment>): readonly JsonObject[] =>
  plan(more).tests.map(({ settings }) => settings);

describe('expansion', () => {
  test('keys in the order of the file, the last axis fastest', () => {
    assert.deepEqual(settingsOf({ axes: [axis('a', 1, 2), axis('b', 'x'), axis('c', true, false)] }), [
      { a: 1, b: 'x', c: true },
      { a: 1, b: 'x', c: false },
      { a: 2, b: 'x', c: true },
      { a: 2, b: 'x', c: false },
    ]);
  });

  test('alternatives stand where their key stood and win over what is there', () => {
    const extra: Axis = { type: 'alternatives', values: [{ a: '7', k: 'u' }, { k: 'v' }] };
    assert.deepEqual(settingsOf({ axes: [axis('a', 1), extra, axis('c', 3, 4)] }), [
      { a: '7', k: 'u', c: 3 },
      { a: '7', k: 'u', c: 4 },
      { a: 1, k: 'v', c: 3 },
      { a: 1, k: 'v', c: 4 },
    ]);
  });

  test('an axis without values makes no test', () => assert.deepEqual(settingsOf({ axes: [axis('a')] }), []));
  test('no axis makes one test', () => assert.deepEqual(settingsOf({}), [{}]));

  test('conditions come before exclusion, inclusion after it, repetition over all', () => {
    const settings = settingsOf({
      axes: [axis('e', 'fast', 'exact'), axis('t', 1, 2), axis('fix', 9)],
      conditions: [{ when: { e: 'fast', t: [2, 3] }, set: { bits: 32 } }],
      exclude: [{ bits: 32 }, { e: 'exact', t: [1] }],
      include: [{ e: 'old', t: [5, 6] }],
      repeats: [axis('@seed', 1, 2)],
    });
    assert.deepEqual(
      settings.map((one) => Object.values(one).join(' ')),
      [
        'fast 1 9 1',
        'fast 1 9 2',
        'exact 2 9 1',
        'exact 2 9 2',
        '9 old 5 1',
        '9 old 5 2',
        '9 old 6 1',
        '9 old 6 2',
      ],
    );
  });

  test('lists and mappings are values like others', () => {
    const settings = settingsOf({ axes: [axis('l', [1, 2], { k: [3] })], exclude: [{ l: [[1, 2]] }] });
    assert.deepEqual(settings, [{ l: { k: [3] } }]);
  });

  test('equal settings are one test; 4 and "4" are two', () => {
    const { tests, repeated } = plan({ axes: [axis('a', 4, '4', 4)] });
    assert.deepEqual([tests.length, repeated], [2, 1]);
  });
});

describe('folders and commands', () => {
  test('without a template the settings that vary name the folder', () => {
    const { tests } = plan({ axes: [axis('a', 1, 2), axis('b', 'x')], repeats: [axis('@seed', 3, 4)] });
    assert.deepEqual(
      tests.map(({ path }) => path),
      ['a=1,seed=3', 'a=1,seed=4', 'a=2,seed=3', 'a=2,seed=4'],
    );
  });

  test('slashes and control characters become "_", and a name fits into a file system', () => {
    const { tests } = plan({ axes: [axis('a', 'x/../y\n', 'é'.repeat(500))], pathTemplate: '{a}' });
    assert.equal(tests[0]?.path, 'x_.._y_');
    assert.equal(tests[1]?.path, 'é'.repeat(120));
  });

  test('a setting that is not there is the problem of its tests only', () => {
    const { tests } = plan({
      axes: [axis('a', 1, 2)],
      conditions: [{ when: { a: 1 }, set: { b: 2 } }],
      pathTemplate: '{b}',
    });
    assert.equal(tests[0]?.problem, undefined);
    assert.match(
      tests[1]?.problem ?? '',
      /^the path needs \{b\}, which this test does not set \(it has: a\)$/,
    );
  });

  test('a number keeps its text unless another value takes its place', () => {
    const one: Axis = { type: 'setting', key: 'v', values: [{ value: 1, text: '1.0' }] };
    const { tests } = plan({
      axes: [axis('a', 1, 2), one],
      conditions: [{ when: { a: 2 }, set: { v: 5 } }],
      pathTemplate: '{v}',
    });
    assert.deepEqual(
      tests.map(({ path, texts }) => [path, texts]),
      [
        ['1.0', { v: '1.0' }],
        ['5', {}],
      ],
    );
  });
});

test('a hundred thousand combinations are planned, a million are refused before they are made', () => {
  const ten = Array.from({ length: 10 }, (_, index) => index);
  const axes = (count: number) => Array.from({ length: count }, (_, index) => axis(`k${index}`, ...ten));
  const { tests } = plan({ axes: axes(5), pathTemplate: '{k0}' });
  assert.equal(tests.length, 100_000);
  assert.deepEqual(tests.at(-1)?.settings, { k0: 9, k1: 9, k2: 9, k3: 9, k4: 9 });
  assert.throws(() => plan({ axes: axes(12) }), { code: 'MATRIX_TOO_LARGE' });
});

test('names are selected in their order; "_" and empty ones are passed over, an unknown one ends it', () => {
  const all = definition(experiment({ name: 'a' }), experiment({ name: '_b' }), experiment({ name: 'c' }));
  const names = (wanted?: readonly string[]) => {
    const { experiments, unknown } = selectExperiments(all, wanted);
    return [...experiments.map(({ name }) => name), ...(unknown === undefined ? [] : [`?${unknown}`])];
  };
  assert.deepEqual(names(), ['a', 'c']);
  assert.deepEqual(names(['c', '', '_b', ' a', 'c']), ['c', 'a']);
  assert.deepEqual(names(['a', 'x', 'c']), ['a', '?x']);
});
