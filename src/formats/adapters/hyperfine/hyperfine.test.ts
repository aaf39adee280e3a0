import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opinionOf } from '../../core/format.ts';
import hyperfine from './hyperfine.ts';

function read(...results: unknown[]) {
  return hyperfine.read(JSON.stringify({ results }), {});
}

test('a million times are read', () => {
  const times = Array.from({ length: 1_000_000 }, (_, index) => index / 1000);
  const { samples } = read({ command: 'ls', times, exit_codes: times.map(() => 0) });
  assert.equal(samples[0]?.values.length, 1_000_000);
  assert.equal(samples[0]?.values.at(-1), 999.999);
});

test('a run that failed gives neither its time nor its memory', () => {
  const { samples, failed } = read({
    command: 'ls',
    times: [1, 2, 3],
    memory_usage_byte: [10, 20, 30],
    exit_codes: [0, 1, 0, 7],
  });
  assert.deepEqual(
    samples.map(({ metric, values }) => [metric, values]),
    [
      ['time', [1, 3]],
      ['memory', [10, 30]],
    ],
  );
  assert.deepEqual(failed, [
    '"ls", run 2 ended with exit code 1',
    '"ls", run 4 ended with exit code 7 and has no time',
  ]);
});

test('when every run failed there are no samples, only failures', () => {
  const { samples, failed } = read({ command: 'false', times: [1, 2], exit_codes: [1, 1] });
  assert.deepEqual(samples, []);
  assert.equal(failed.length, 2);
});

test('the same command with other parameters is another set, with the same it is one', () => {
  const { samples } = read(
    { command: 'run', times: [1], parameters: { n: '1' } },
    { command: 'run', times: [2], parameters: { n: '2' } },
    { command: 'run', times: [3], parameters: { n: '1' } },
  );
  assert.deepEqual(
    samples.map(({ settings, values }) => [settings, values]),
    [
      [{ n: '1' }, [1, 3]],
      [{ n: '2' }, [2]],
    ],
  );
});

test('what is no number is counted, not made a zero', () => {
  const { samples, failed, skipped } = read(
    { command: 'a', times: [1, null, 'x', [2]] },
    { command: 'b' },
    { times: [1] },
    7,
  );
  assert.deepEqual(
    samples.map(({ values }) => values),
    [[1]],
  );
  assert.deepEqual(failed, [
    '"a", run 2: the time is null, not a number',
    '"a", run 3: the time is "x", not a number',
    '"a", run 4: the time is a list, not a number',
    '"b" has neither "times" nor "median" nor "mean"',
    'result 3 has no "command"',
    'result 4 has no "command"',
  ]);
  assert.deepEqual(skipped, []);
  const infinite = '{"results": [{"command": "a", "times": [1e999, NaN]}]}';
  assert.equal(hyperfine.read(infinite, {}).failed.length, 2);
});

test('other JSON with results is not taken for it', () => {
  assert.equal(opinionOf(hyperfine, '{"results": [{"name": "a", "times": [1]}]}'), 'no');
  assert.equal(opinionOf(hyperfine, '{"results": {"command": "a", "mean": 1}}'), 'no');
  assert.equal(opinionOf(hyperfine, ''), 'no');
});
