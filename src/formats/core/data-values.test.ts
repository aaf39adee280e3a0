import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExactJson } from '../../platform/core/text/exact-json.ts';
import { valuesOf } from './data-values.ts';

const read = (text: string) => valuesOf('e', parseExactJson(text));
const paths = (text: string) => read(text).values.map(({ path, value }) => [path.join('/'), value]);

test('every number is a value with its keys as path, texts and booleans are none', () => {
  const text = `{"timestamp": "01-05-2026-0307", "ok": true, "none": null, "cpu": {"A": 0.5, "B": 1.0},
    "detailed": {"cpu": {"A": {"mean": -2e-3}}}, "list": [1, {"x": 2}, "3"]}`;
  assert.deepEqual(paths(text), [
    ['cpu/A', 0.5],
    ['cpu/B', 1],
    ['detailed/cpu/A/mean', -0.002],
    ['list/0', 1],
    ['list/1/x', 2],
  ]);
  assert.deepEqual(read(text).leftOut, []);
  assert.equal(read(text).values[0]?.experiment, 'e');
});

test('keys of any kind stay apart', () => {
  const { values } = read('{"": 1, "a.b": 2, "a": {"b": 3}, "__proto__": {"x": 4}}');
  assert.deepEqual(
    values.map(({ path }) => path),
    [[''], ['a.b'], ['a', 'b'], ['__proto__', 'x']],
  );
});

test('numbers that are not finite are left out by name', () => {
  const { values, leftOut } = read('{"a": NaN, "b": {"c": -Infinity}, "d": 1e999, "e": 1}');
  assert.deepEqual(
    values.map(({ value }) => value),
    [1],
  );
  assert.deepEqual(leftOut, [
    'a: NaN is not a finite number',
    'b.c: -Infinity is not a finite number',
    'd: 1e999 is not a finite number',
  ]);
});

test('a list of 100 items is read, a longer one left out by name', () => {
  const list = (length: number) => JSON.stringify({ a: { raw: Array(length).fill(7) }, b: 1 });
  assert.equal(read(list(100)).values.length, 101);
  assert.deepEqual(paths(list(101)), [['b', 1]]);
  assert.deepEqual(read(list(101)).leftOut, ['a.raw: a list of 101 items (at most 100)']);
});

test('after 10,000 values the rest is counted', () => {
  const many = Object.fromEntries(Array.from({ length: 10_007 }, (_, index) => [`k${index}`, index]));
  const { values, leftOut } = read(JSON.stringify(many));
  assert.equal(values.length, 10_000);
  assert.deepEqual(leftOut, ['7 numbers after the first 10000']);
});

test('thousands of faults are named shortly', () => {
  const many = `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}": NaN`).join(',')}}`;
  const { leftOut } = read(many);
  assert.equal(leftOut.length, 100);
  assert.equal(leftOut.at(-1), 'and 4901 more');
});

test('nothing, a bare number and deep nesting are fine', () => {
  assert.deepEqual(paths('{}'), []);
  assert.deepEqual(paths('[]'), []);
  assert.deepEqual(paths('5'), [['', 5]]);
  assert.equal(read(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`).values[0]?.path.length, 400);
});
