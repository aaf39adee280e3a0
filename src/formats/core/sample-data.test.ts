import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { SampleSet } from './sample.ts';
import { samplesToData, sampleValues } from './sample-data.ts';

function set(
  benchmark: readonly string[],
  values: readonly number[],
  more: Partial<SampleSet> = {},
): SampleSet {
  return { benchmark, metric: 'time', unit: 's', better: 'lower', values, settings: {}, ...more };
}

test('one metric: the benchmark is the path and the median the leaf', () => {
  assert.deepEqual(samplesToData([set(['sort', '100'], [1, 5, 2, 4]), set(['sort', '200'], [7])]), {
    sort: { '100': 3, '200': 7 },
    detailed: {
      sort: {
        '100': { mean: 3, median: 3, std: Math.sqrt(2.5), min: 1, max: 5, n: 4 },
        '200': { mean: 7, median: 7, std: 0, min: 7, max: 7, n: 1 },
      },
    },
  });
});

test('several metrics and settings get their own level', () => {
  const settings = { threads: 4, mode: 'fast' };
  const data = samplesToData([
    set(['sort'], [1], { settings }),
    set(['sort'], [9], { settings, metric: 'memory', unit: 'B' }),
  ]);
  assert.deepEqual(data['sort'], { 'mode=fast': { 'threads=4': { time: 1, memory: 9 } } });
});

test('a benchmark without a name is called by its metric', () => {
  assert.equal(samplesToData([set([], [2])])['time'], 2);
});

test('a leaf where another needs a node moves below it', () => {
  const data = samplesToData([set(['a'], [1]), set(['a', 'b'], [2]), set(['a', 'time'], [3])]);
  assert.deepEqual(data['a'], { 'time (2)': 1, b: 2, time: 3 });
  const late = samplesToData([set(['a', 'b'], [2]), set(['a'], [1])]);
  assert.deepEqual(late['a'], { b: 2, time: 1 });
});

test('two sets at one place get different paths', () => {
  const data = samplesToData([set(['a'], [1]), set(['a'], [2], { unit: 'ticks' })]);
  assert.equal(data['a'], 1);
  assert.equal(data['a (2)'], 2);
});

test('a benchmark called like a field of the data file does not hide it', () => {
  const data = samplesToData([
    set(['timestamp'], [1]),
    set(['detailed', 'success'], [2]),
    set(['sources'], [3]),
  ]);
  assert.equal(data['timestamp_'], 1);
  assert.equal(data['sources_'], 3);
  assert.deepEqual(data['detailed_'], { success_: 2 });
  assert.ok(isJsonObject(data['detailed']));
});

test('a hostile name is only a name', () => {
  const data = samplesToData([set(['__proto__', 'polluted'], [1])]);
  assert.deepEqual(Object.keys(data), ['__proto__', 'detailed']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('sets without values leave nothing', () => {
  assert.deepEqual(samplesToData([]), {});
  assert.deepEqual(samplesToData([set(['a'], [])]), {});
  assert.deepEqual(sampleValues('e', [set(['a'], [])]), []);
});

test('values of series carry unit and direction', () => {
  assert.deepEqual(sampleValues('e', [set(['a'], [1, 3])]), [
    { experiment: 'e', path: ['a'], value: 2, unit: 's', better: 'lower', metric: 'time' },
  ]);
});

test('every set with values is a leaf of the tree, whatever the names', () => {
  const name = fc.constantFrom('a', 'b', 'time', 'time (2)', 'detailed', '__proto__', '', 'k=1');
  const any = fc.record({
    benchmark: fc.array(name, { maxLength: 3 }),
    metric: name,
    unit: fc.constantFrom('s', 'B'),
    better: fc.constant('lower' as const),
    values: fc.array(fc.integer(), { maxLength: 3 }),
    settings: fc.constantFrom<Record<string, number>>({}, { k: 1 }),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), (samples) => {
      const data = samplesToData(samples);
      const values = sampleValues('e', samples);
      assert.equal(values.length, samples.filter((one) => one.values.length > 0).length);
      for (const { path, value } of values) assert.equal(leafAt(data, path), value);
      assert.equal(countNumbers(data), values.length * 7, 'a median and six details each');
      assert.equal(JSON.stringify(samplesToData(samples)), JSON.stringify(data));
    }),
  );
});

function leafAt(data: JsonObject, path: readonly string[]): JsonValue | undefined {
  let node: JsonValue | undefined = data;
  for (const name of path) node = isJsonObject(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  return node;
}

function countNumbers(node: JsonValue): number {
  if (isJsonObject(node))
    return Object.values(node).reduce<number>((sum, child) => sum + countNumbers(child), 0);
  return typeof node === 'number' ? 1 : 0;
}

test('what was measured of the command does not rename its results', () => {
  const result = {
    benchmark: ['quick'],
    metric: 'time',
    unit: 's',
    better: 'lower',
    values: [2],
    settings: {},
  } as const;
  const cpu = { ...result, benchmark: ['command'], metric: 'cpu', values: [1.5] };
  const paths = (...sets: readonly SampleSet[]) =>
    sampleValues('sort', sets).map(({ path }) => path.join('/'));
  assert.deepEqual(paths(result), ['quick']);
  assert.deepEqual(paths(result, cpu), ['quick', 'command/cpu']);
  assert.deepEqual(paths(cpu), ['command/cpu']);
  assert.deepEqual(paths(result, { ...cpu, settings: { size: 3 } }), ['quick', 'command/size=3/cpu']);
});
