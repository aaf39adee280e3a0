import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type ExactObject, type JsonNumber, parseExactJson, toExact, writeExactJson } from './exact-json.ts';
import { type JsonValue, pythonJson } from './json.ts';

test('numbers keep their text', () => {
  const text = '{"a": 1.0, "b": 9007199254740993, "c": 1e400, "d": -0.10, "e": NaN, "f": -Infinity}';
  const value = parseExactJson(text) as ExactObject;
  assert.equal(writeExactJson(value), text);
  assert.equal((value.get('b') as JsonNumber).text, '9007199254740993');
  assert.ok(Number.isNaN((value.get('e') as JsonNumber).value));
});

test('any JSON is read as JSON.parse reads it, and written as Python writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(writeExactJson(parseExactJson(text)), pythonJson(JSON.parse(text) as JsonValue));
      assert.equal(
        writeExactJson(toExact(JSON.parse(text) as JsonValue)),
        pythonJson(JSON.parse(text) as JsonValue),
      );
    }),
  );
});

test('what JSON.parse refuses is refused, with a place', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      if (/NaN|Infinity/.test(text)) return;
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      if (isJson) parseExactJson(text);
      else assert.throws(() => parseExactJson(text), /SyntaxError: expected .* at line \d+, column \d+/);
    }),
  );
  assert.throws(() => parseExactJson('{"a": 1,\n "b" 2}'), /expected ":" but found "2}" at line 2, column 6/);
  assert.throws(() => parseExactJson('"abc'), /a string that ends/);
  assert.throws(() => parseExactJson('"a\nb"'), /valid escapes/);
});

test('hostile nesting is an error, not a crash', () => {
  assert.throws(() => parseExactJson('['.repeat(1e6)), /at most 500 levels/);
});

test('a string of many megabytes is fine', () => {
  const long = 'x\\"'.repeat(5e6);
  assert.equal((parseExactJson(`"${long}"`) as string).length, 1e7);
});

test('the last of two equal keys counts, as in Python', () => {
  assert.equal(writeExactJson(parseExactJson('{"a": 1, "b": 2, "a": 3}')), '{"a": 3, "b": 2}');
});
