import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { flowStrings, jsonStrings } from './config-strings.ts';

test('finds exactly the string values of any JSON, with the way to each', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const found = jsonStrings(text);
      assert.deepEqual(
        found.map(({ keys, value: string }) => [keys, string]),
        stringsOf(JSON.parse(text), []),
      );
      for (const { start, end, value: string } of found)
        assert.equal(JSON.parse(text.slice(start, end)), string);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('braces of YAML need no quotes', () => {
  const text = `{ a: plain text, 'b': 'x', url: http://h:80/p, list: [one, "two"], env: \${E} }`;
  assert.deepEqual(
    flowStrings(text).map(({ keys, value }) => [keys.join('.'), value]),
    [
      ['a', 'plain text'],
      ['b', 'x'],
      ['url', 'http://h:80/p'],
      ['list.0', 'one'],
      ['list.1', 'two'],
      ['env', `\${E}`],
    ],
  );
});

function stringsOf(value: unknown, keys: readonly string[]): readonly unknown[] {
  if (typeof value === 'string') return [[keys, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringsOf(inner, [...keys, key]));
}
