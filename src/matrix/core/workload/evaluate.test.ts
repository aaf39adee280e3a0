import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { parseQuantity } from './convert-value.ts';
import { evaluate } from './evaluate.ts';
import { namesIn, parseExpression } from './expression.ts';
import { fieldAt } from './json-path.ts';

const fields: JsonObject = {
  requests: 300,
  duration: 20,
  zero: 0,
  ok: true,
  list: [4, 1, 3, 2],
  text: 'fast',
  data: { deep: { value: 7 } },
  curve: { x: [0, 10], y: [0, 10] },
  seeds: [
    { x: [0, 10], y: [1, 1] },
    { x: [0, 10], y: [2, 2] },
    { x: [0, 10], y: [3, 3] },
    { x: [0, 10], y: [100, 100] },
  ],
};

function value(text: string, better: 'lower' | 'higher' = 'higher') {
  const expression = parseExpression(text);
  assert.ok(expression.ok, text);
  return evaluate(expression.value, { better, lookup: (name) => fieldAt(fields, name) });
}

test('arithmetic with its precedence', () => {
  for (const [text, result] of [
    ['requests / duration', 15],
    ['requests - 2 * duration - 10', 250],
    ['-(1 + 2) * 3', -9],
    ['10 / 2 / 5', 1],
    ['1.5e2 + .5', 150.5],
    ['data.deep.value * 2', 14],
    ['ok + 1', 2],
  ] as const) {
    assert.equal(value(text), result, text);
  }
});

test('lists: each with a number, pairs, and statistics', () => {
  assert.deepEqual(value('list * 10'), [40, 10, 30, 20]);
  assert.deepEqual(value('100 / list'), [25, 100, 100 / 3, 50]);
  assert.deepEqual(value('list - list'), [0, 0, 0, 0]);
  for (const [text, result] of [
    ['min(list)', 1],
    ['max(list, 9)', 9],
    ['sum(list)', 10],
    ['mean(list)', 2.5],
    ['median(list)', 2.5],
    ['count(list)', 4],
    ['first(list)', 4],
    ['last(list)', 2],
    ['percentile(list, 50)', 2.5],
    ['percentile(list, 100)', 4],
    ['abs(0 - duration)', 20],
  ] as const) {
    assert.equal(value(text), result, text);
  }
});

test('curves: area, final and best, and the interquartile mean over seeds with its interval', () => {
  assert.equal(value('area(curve)'), 5);
  assert.equal(value('final(curve)'), 10);
  assert.equal(value('best(curve)'), 10);
  assert.equal(value('best(curve)', 'lower'), 0);
  assert.deepEqual(value('final(seeds)'), [1, 2, 3, 100]);
  assert.equal(value('iqm(final(seeds))'), 2.5);
  const [low, high] = [value('iqm_low(final(seeds))'), value('iqm_high(final(seeds))')] as [number, number];
  assert.deepEqual([low.toFixed(2), high.toFixed(2)], ['-75.48', '80.48'], 'Student of four values');
});

test('what cannot be computed says why', () => {
  for (const [text, reason] of [
    ['requests / zero', 'it divides by 0'],
    ['missing + 1', 'missing has no value'],
    ['text * 2', 'text is not a number: "fast"'],
    ['curve + 1', '+ needs numbers, not curves: use area, final or best'],
    ['area(list)', 'area needs a curve'],
    ['iqm_low(duration)', '1 of at least 2 values are there.'],
    ['1e308 * 10', 'the result is Infinity'],
  ] as const) {
    assert.throws(() => value(text), { name: 'NightmarkError', message: reason }, text);
  }
});

test('nothing but arithmetic is understood', () => {
  for (const text of [
    '',
    'a +',
    '(a',
    'a b',
    'a ** b',
    'process.exit()',
    'constructor(1)',
    'a[0]',
    '`a`',
    'a; b',
    'min()',
    'percentile(a)',
    'count(a, b)',
    `${'('.repeat(60)}1${')'.repeat(60)}`,
    '1+'.repeat(600),
  ]) {
    assert.equal(parseExpression(text).ok, false, text);
  }
});

test('names in a formula', () => {
  const expression = parseExpression('mean(a, b.c) / -settings.users + 1');
  assert.ok(expression.ok);
  assert.deepEqual(namesIn(expression.value), ['a', 'b.c', 'settings.users']);
});

test('quantities of Kubernetes', () => {
  for (const [text, result] of [
    ['100m', 0.1],
    ['250u', 0.00025],
    ['2', 2],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['3k', 3000],
    ['12e6', 12e6],
    ['4E', 4e18],
    ['-5Mi', -5 * 2 ** 20],
    ['1K', undefined],
    ['Mi', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(parseQuantity(text), result, text);
  }
});
