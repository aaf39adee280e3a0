import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Definition, type Parsed, parseJsonDefinition, parseYamlDefinition } from './definition.ts';

function parsed(result: Parsed): Definition {
  assert.equal(result.state, 'parsed', JSON.stringify(result));
  return (result as Extract<Parsed, { state: 'parsed' }>).definition;
}

test('positions are those of values and keys, in both languages', () => {
  const json = parsed(parseJsonDefinition('x.json', '{\n\t"a": {"b": [1, 2]}\n}'));
  assert.deepEqual(json.positionOf(['a', 'b', 1]), { line: 2, column: 17 });
  assert.deepEqual(json.positionOf(['a', 'b'], 'key'), { line: 2, column: 8 });
  const yaml = parsed(parseYamlDefinition('x.yml', 'a:\n  b:\n    - 1\n    - 2\n'));
  assert.deepEqual(yaml.positionOf(['a', 'b', 1]), { line: 4, column: 7 });
  assert.deepEqual(yaml.positionOf(['a', 'b'], 'key'), { line: 2, column: 3 });
});

test('what is not there has the place of its parent', () => {
  const yaml = parsed(parseYamlDefinition('x.yml', 'a:\n  b: 1\n'));
  assert.deepEqual(yaml.positionOf(['a', 'missing', 'deep']), { line: 2, column: 3 });
  assert.deepEqual(yaml.positionOf([]), { line: 1, column: 1 });
});

test('what stands behind an alias is found', () => {
  const yaml = parsed(parseYamlDefinition('x.yml', 'a: &a\n  b: 1\nc: *a\n'));
  assert.deepEqual(yaml.positionOf(['c', 'b']), { line: 2, column: 6 });
});

test('JSON is read as Python reads it', () => {
  const { value } = parsed(
    parseJsonDefinition('x.json', '{"a": NaN, "b": 1, "b": 2, "__proto__": {"x": 1}}'),
  );
  assert.ok(Number.isNaN((value as { a: number }).a));
  assert.deepEqual(Object.keys(value as object), ['a', 'b', '__proto__']);
  assert.equal((value as { b: number }).b, 2);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

test('YAML is read with the types of version 1.2, whatever version it says it is', () => {
  const { value } = parsed(
    parseYamlDefinition('x.yml', '%YAML 1.1\n---\na: yes\nb: 2020-01-01\nc: 0o17\nd: 1:30\ne: ~\n'),
  );
  assert.deepEqual(value, { a: 'yes', b: '2020-01-01', c: 15, d: '1:30', e: null });
});
