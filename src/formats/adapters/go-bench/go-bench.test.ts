import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opinionOf } from '../../core/format.ts';
import goBench from './go-bench.ts';

function read(...lines: string[]) {
  return goBench.read(['pkg: example.com/a', ...lines, 'PASS'].join('\n'), {});
}

function names(...lines: string[]) {
  return read(...lines).samples.map(({ benchmark, settings }) => [benchmark.at(-1), settings['gomaxprocs']]);
}

test('a number behind a dash is GOMAXPROCS only where the other names say so', () => {
  const [hash, other] = ['BenchmarkHash-256 10 5 ns/op', 'BenchmarkSort 10 5 ns/op'];
  assert.deepEqual(names(hash, other), [
    ['Hash-256', undefined],
    ['Sort', undefined],
  ]);
  assert.deepEqual(names('BenchmarkHash-256-8 10 5 ns/op', 'BenchmarkSort-8 10 5 ns/op'), [
    ['Hash-256', 8],
    ['Sort', 8],
  ]);
  assert.deepEqual(names(hash, other, 'BenchmarkHash-256-2 10 5 ns/op', 'BenchmarkSort-2 10 5 ns/op'), [
    ['Hash-256', 1],
    ['Sort', 1],
    ['Hash-256', 2],
    ['Sort', 2],
  ]);
});

test('units of the program name their metric, with a unit and a direction where they say one', () => {
  const line = 'BenchmarkA 10 5 p99-ns/op 7 hits 3 reqs/s 2 misses/op';
  const of = (...lines: string[]) =>
    read(...lines, line).samples.map(({ metric, unit, better }) => [metric, unit, better]);
  assert.deepEqual(of(), [
    ['p99-ns/op', 's/op', 'lower'],
    ['hits', '', 'unknown'],
    ['reqs/s', 'reqs/s', 'higher'],
    ['misses/op', 'misses/op', 'lower'],
  ]);
  assert.deepEqual(of('Unit hits better=higher assume=exact')[1], ['hits', '', 'higher']);
});

test('a name without numbers is a failure, and so is a value that is not finite', () => {
  const { samples, failed } = read(
    'BenchmarkA \tprinted',
    'BenchmarkB 10 NaN ns/op 4 B/op',
    'BenchmarkC 10 5',
  );
  assert.deepEqual(
    samples.map(({ metric, values }) => [metric, values]),
    [['memory', [4]]],
  );
  assert.deepEqual(failed, [
    'BenchmarkA has no result',
    'BenchmarkC has no result',
    'BenchmarkB: ns/op is NaN, not a finite number',
  ]);
});

test('FAIL without a reason is a failure of the package, or of all', () => {
  assert.deepEqual(read('BenchmarkA 10 5 ns/op', 'exit status 1', 'FAIL\texample.com/a\t0.1s').failed, [
    'example.com/a failed after 0.1s',
  ]);
  assert.deepEqual(read('BenchmarkA 10 5 ns/op', 'FAIL').failed, ['go test ended with FAIL']);
});

test('one line that begins with Benchmark is not enough', () => {
  assert.equal(opinionOf(goBench, 'Benchmark 1: sleep 0.1\n  Time (mean): 101 ms\n'), 'no');
  assert.equal(opinionOf(goBench, 'BenchmarkA 10 5 ns/op\n'), 'no');
  assert.equal(opinionOf(goBench, 'BenchmarkA 10 5 ns/op\nPASS\n'), 'sure');
});
