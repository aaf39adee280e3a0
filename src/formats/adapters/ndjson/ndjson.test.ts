import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opinionOf } from '../../core/format.ts';
import ndjson from './ndjson.ts';

test('a last line that was cut off is failed, the others are read', () => {
  const { samples, failed } = ndjson.read('{"t": 1}\n{"t": 2}\n{"t": 3', {});
  assert.deepEqual(samples[0]?.values, [1, 2]);
  assert.deepEqual(failed, ['line 3 is not valid JSON']);
});

test('lines with different keys do not count as gaps of each other', () => {
  const { samples, skipped } = ndjson.read('{"a": 1}\n{"b": 2}\n{"b": null}\n', {});
  assert.deepEqual(
    samples.map(({ metric, values }) => [metric, values]),
    [
      ['a', [1]],
      ['b', [2]],
    ],
  );
  assert.deepEqual(skipped, ['line 3: "b" is null']);
});

test('a list of values in a line is as many samples', () => {
  const { samples } = ndjson.read('{"n": "x", "t": [1, 2]}\n{"n": "x", "t": [3]}\n', { unit: 'ms' });
  assert.deepEqual(samples[0]?.values, [0.001, 0.002, 0.003]);
});

test('a hundred thousand lines are read', () => {
  const lines = Array.from({ length: 100_000 }, (_, index) => `{"n": "b${index % 10}", "t": ${index}}`);
  const { samples } = ndjson.read(lines.join('\n'), {});
  assert.equal(samples.length, 10);
  assert.equal(samples[9]?.values.at(-1), 99_999);
});

test('a JSON file is not taken for lines', () => {
  for (const text of [
    '{"a": 1}\n',
    '{\n"a": 1\n}\n',
    '[{"a": 1},\n{"a": 2}]',
    '',
    '{"a": 1} {"a": 2}',
    '1\n2\n',
  ]) {
    assert.equal(opinionOf(ndjson, text), 'no', text);
  }
});
