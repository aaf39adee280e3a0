import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Job } from '../job.ts';
import type { Expression, JobSearch } from '../job-search.ts';
import { parseSearch, parseWhere } from './parse-search.ts';
import { matches } from './search-matcher.ts';

const JOB = {
  ...{
    id: 'a1',
    user: 'ada',
    project: 'vision',
    experiment: 'sweep (one)',
    name: 'resnet-18',
    status: 'FAILED',
  },
  ...{
    priority: 2,
    workers: 1,
    attempt: 1,
    lost: 0,
    executor: 'process',
    createdAt: 1_000_000,
    startedAt: 1_002_000,
  },
  ...{
    endedAt: 1_092_000,
    program: { type: 'command', argv: ['python', 'train.py'] },
    state: { progress: 0.4 },
  },
  config: {
    ...{
      lr: 0.1,
      text: '0.5',
      model: 'resnet',
      'a.b': 1,
      deep: { list: [{ x: 3 }], 'c.d': 4 },
      none: null,
      on: true,
    },
    ...{ tags: ['x', 'y'], status: 'mine', word: 'abc' },
  },
  annotations: { star: true, note: { by: 'bob' }, description: 'the good one' },
  metrics: [
    { id: '1', measurement: 'loss', tags: {}, fields: { value: { count: 3, last: 0.25, min: 0.2, max: 9 } } },
    { id: '2', measurement: 'val.acc', tags: {}, fields: { top1: { count: 1, last: 'nan' } } },
  ],
  environment: { python: '3.11' },
} as unknown as Job;

const isFound = (text: string, job = JOB) => matches(parseWhere(text), job);

test('compares names of the configuration and of the job', () => {
  const yes = [
    'lr == 0.1',
    'lr = .1',
    'lr === 1e-1',
    'lr != 0.2',
    'lr < 1 and lr > 0',
    'lr <= 0.1 && lr >= 0.1',
    "model == 'resnet'",
    'model == "resnet"',
    'on',
    'on == true',
    '!none',
    'none == null',
    'not (lr > 1)',
    'a.b == 1',
    'deep.list[0].x == 3',
    'deep.c.d == 4',
    'deep["c.d"] == 4',
    'config["a.b"] == 1',
    'config.lr == 0.1',
    "model in ['vgg', 'resnet']",
    "model not in ['vgg']",
    "tags.includes('y')",
    "model.includes('sne')",
    "model.startsWith('res')",
    "model.endsWith('net')",
    "word ~ '^a.c$'",
    "word !~ 'z'",
    "lr ~ '0\\\\.1'",
    'lr * 10 + 1 == 2',
    '-lr < 0',
    '7 % 4 == 3',
    '(1 + 2) * 3 == 9',
    '1 - 1 - 1 == -1',
    'text > 0.4',
    "text < '1'",
    "status == 'mine'",
    "user == 'ada' or missing > 1",
    "name ~ 'net-18$'",
    'job == name',
    'priority == 2',
    'progress == 0.4',
    'starred',
    'not bug',
    "annotations.note.by == 'bob'",
    'metric.loss == 0.25',
    'metric.loss.max == 9',
    "metric.val.acc == 'nan'",
    'duration == 90',
    'waited == 2',
    "command == 'python train.py'",
    "environment.python == '3.11'",
  ];
  assert.deepEqual(
    yes.filter((text) => !isFound(text)),
    [],
  );
});

test('a name that the job does not have is no match, also when negated', () => {
  const no = [
    'missing == 1',
    'missing != 1',
    'not missing',
    'missing in [1]',
    "missing !~ 'x'",
    'not (missing > 1)',
    'missing + 1 > 0',
    'host == null',
    'constructor',
    '__proto__',
    'toString',
    'config.constructor',
    "missing.includes('x')",
    'tags[9] == 1',
    'model == 1',
    'model < 1',
    "model > 'z'",
    'on == 1',
    "text == '0.50'",
    'deep == 1',
    'lr / none > 0',
    '0 / 0 == 0',
    'metric.nothing == 1',
    'none',
    "lr.includes('0')",
  ];
  assert.deepEqual(
    no.filter((text) => isFound(text)),
    [],
  );
});

test('what is no expression is refused with its place, and nothing is run', () => {
  const places = (text: string) => {
    try {
      parseWhere(text);
      return 'read';
    } catch (error) {
      assert.ok(error instanceof NightmarkError && error.code === 'SEARCH_SYNTAX', `${text}: ${error}`);
      assert.ok(error.hint);
      return /(?:character \d+|its end)/.exec(error.message)?.[0];
    }
  };
  const at = {
    'process.exit()': 'character 9',
    'lr >': 'its end',
    'lr > > 1': 'character 6',
    "a == 'x": 'character 6',
    'a < b < c': 'character 7',
    'a; b': 'character 2',
    '(a': 'its end',
    'a)': 'character 2',
    'a in b': 'character 6',
    'a ~ b': 'character 5',
    "a ~ '('": 'character 5',
    "a ~ '(?=a)b*'": 'character 5',
    "fetch('x')": 'character 6',
    'a.map(b)': 'character 3',
    'a[b]': 'character 3',
    '': 'its end',
    'a = = b': 'character 5',
    '`x`': 'character 1',
    and: 'character 1',
    "a.includes('x', 1)": 'character 15',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(at).map((text) => [text, places(text)])), at);
  assert.match(String(places('('.repeat(5000))), /character/);
  assert.throws(() => parseWhere('1+'.repeat(9000)), { code: 'SEARCH_TOO_LONG' });
});

test('a text is a pattern over name, experiment and description, or itself when it is none', () => {
  const found = (text: string) => matches(parseSearch(text) ?? assert.fail(), JOB);
  const all = [
    'resnet',
    '^resnet-\\d+$',
    'sweep',
    '(one',
    'good',
    'n.*t',
    'where: lr == 0.1',
    'js:lr == 0.1',
  ];
  assert.deepEqual(
    all.filter((text) => !found(text)),
    [],
  );
  assert.deepEqual(['RESNET', 'ada', '^sweep$', 'one)x', 'js:lr > 1'].filter(found), []);
  assert.deepEqual(['', '  ', 'js:', 'where: '].map(parseSearch), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  for (const text of ['(?=a)b*', '(a)\\1b*c*', 'b(?!a)'])
    assert.throws(() => parseSearch(text), { code: 'SEARCH_PATTERN', message: /is not searched for: / });
  for (const text of [
    ...['(?<kind>res)net.*-.*', '\\u0072es.*net.*', '[\\u{72}]es.*net.*', '(?i)RESNET', '(?<!x)net'],
    ...['[]r]esnet', '[[:alpha:]]{6}-18'],
  ])
    assert.ok(found(text), text);
});

test('a pattern that multiplies takes no time', () => {
  const job = { ...JOB, name: 'a'.repeat(2000) };
  for (const text of [
    'a*a*a*a*a*a*b',
    '.*.*x',
    '(a|a)*b',
    '(a+)+b',
    `${'a?'.repeat(30)}${'a'.repeat(30)}b`,
  ]) {
    assert.equal(matches(parseSearch(text) ?? assert.fail(), job), false);
  }
});

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('a', 'ab', '2', '-1', 'x y'),
  fc.boolean(),
  fc.constant(null),
);
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  value.map((it) => ({ type: 'value', value: it }) as const),
  fc.constantFrom('p', 'q', 'r.s', 'none').map((name) => ({ type: 'name', name }) as const),
);
const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie('tree').map((of) => ({ type: 'not', of }) as const),
    fc.record({ type: fc.constantFrom('and', 'or'), left: tie('tree'), right: tie('tree') }),
    fc.record({
      type: fc.constant('compare'),
      operator: fc.constantFrom('==', '!=', '<', '<=', '>', '>='),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({ type: fc.constant('in'), left: tie('tree'), values: fc.array(leaf, { maxLength: 3 }) }),
    fc.record({
      type: fc.constant('arithmetic'),
      operator: fc.constantFrom('+', '-', '*', '/', '%'),
      left: leaf,
      right: leaf,
    }),
  ) as fc.Arbitrary<Expression>,
}));
const config = fc.record(
  { p: value, q: value, r: fc.record({ s: value }) },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test('a tree means what a naive reading of it means, and survives being written down', () => {
  fc.assert(
    fc.property(tree, config, (expression, settings) => {
      const job = { ...JOB, config: settings } as Job;
      const naive = Boolean(naively(expression, settings));
      assert.equal(matches({ type: 'expression', expression }, job), naive);
      const read: JobSearch = parseWhere(written(expression));
      assert.equal(matches(read, job), naive, written(expression));
    }),
    { numRuns: 2000, seed: 7 },
  );
});

/** Undefined: not known. */
function naively(it: Expression, settings: JsonObject): JsonValue | undefined {
  const of = (inner: Expression) => naively(inner, settings);
  if (it.type === 'value') return it.value;
  if (it.type === 'name') {
    return it.name === 'r.s' ? (settings['r'] as JsonObject | undefined)?.['s'] : settings[it.name];
  }
  if (it.type === 'not') return of(it.of) === undefined ? undefined : !of(it.of);
  if (it.type === 'and' || it.type === 'or') {
    const sides = [of(it.left), of(it.right)].map((side) => (side === undefined ? undefined : Boolean(side)));
    if (sides.includes(it.type === 'or')) return it.type === 'or';
    return sides.includes(undefined) ? undefined : it.type === 'and';
  }
  if (it.type === 'in') {
    const left = of(it.left);
    if (left === undefined) return undefined;
    return it.values.some((item) => of(item) !== undefined && isSame(left, of(item) as JsonValue));
  }
  if (it.type === 'call') return assert.fail();
  const [left, right] = [of(it.left), of(it.right)];
  if (left === undefined || right === undefined) return undefined;
  if (it.type === 'compare') {
    if (it.operator === '==') return isSame(left, right);
    if (it.operator === '!=') return !isSame(left, right);
    const pair = comparable(left, right);
    if (pair === undefined) return false;
    const [a, b] = pair;
    return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[it.operator as '<'];
  }
  if (it.type !== 'arithmetic') return assert.fail();
  const pair = comparable(left, right, 0);
  if (pair === undefined) return undefined;
  const [a, b] = pair as [number, number];
  const result = { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b }[it.operator as '+'];
  return Number.isNaN(result) ? undefined : result;
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === typeof b) return a === b;
  const pair = comparable(a, b);
  return pair !== undefined && pair[0] === pair[1];
}

function comparable(a: JsonValue, b: JsonValue, texts = 1): [number, number] | [string, string] | undefined {
  if (texts && typeof a === 'string' && typeof b === 'string') return [a, b];
  const isNumeric = (it: JsonValue) => typeof it === 'number' || it === '2' || it === '-1';
  return isNumeric(a) && isNumeric(b) ? [Number(a), Number(b)] : undefined;
}

function written(it: Expression): string {
  if (it.type === 'value') return typeof it.value === 'string' ? `'${it.value}'` : `${it.value}`;
  if (it.type === 'name') return it.name;
  if (it.type === 'not') return `(not ${written(it.of)})`;
  if (it.type === 'in') return `(${written(it.left)} in [${it.values.map(written).join(', ')}])`;
  if (it.type === 'call') return assert.fail();
  const operator = 'operator' in it ? it.operator : it.type;
  return `(${written(it.left)} ${operator} ${written(it.right)})`;
}
