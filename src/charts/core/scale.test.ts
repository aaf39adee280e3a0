import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Range, scaleOf } from './scale.ts';

const ACROSS: Range = [0, 500];
const texts = (...args: Parameters<typeof scaleOf>) => scaleOf(...args).ticks.map(({ text }) => text);

test('a linear axis has round ticks that enclose the values', () => {
  assert.deepEqual(texts({ label: 'x' }, { low: 1, high: 9.3 }, ACROSS), ['0', '2', '4', '6', '8', '10']);
  assert.deepEqual(texts({ label: 'x' }, { low: 0.1, high: 0.3 }, ACROSS), [
    '0.10',
    '0.15',
    '0.20',
    '0.25',
    '0.30',
  ]);
  assert.deepEqual(texts({ label: 'x' }, { low: -5, high: 5 }, [0, 300]), ['−5', '0', '5']);
});

test('one multiple of the unit serves a whole axis', () => {
  const scale = scaleOf(
    { label: 'latency', unit: 's', startsAtZero: true },
    { low: 0.001, high: 0.04 },
    ACROSS,
  );
  assert.equal(scale.label, 'latency [ms]');
  assert.deepEqual(
    scale.ticks.map(({ text }) => text),
    ['0', '10', '20', '30', '40'],
  );
  assert.equal(scaleOf({ label: 'size', unit: 'B' }, { low: 0, high: 2 ** 31 }, ACROSS).label, 'size [GiB]');
});

test('large numbers carry a prefix', () => {
  assert.deepEqual(texts({ label: 'x' }, { low: 0, high: 2e6 }, [0, 200]), ['0', '1M', '2M']);
  assert.deepEqual(texts({ label: 'x' }, { low: 0, high: 40_000 }, [0, 200]), ['0', '20k', '40k']);
});

test('a logarithmic axis has powers of ten, 2 and 5 where there is room, and no place for zero', () => {
  const axis = { label: 'x', scale: 'log' } as const;
  assert.deepEqual(texts(axis, { low: 1, high: 1000 }, ACROSS), ['1', '10', '100', '1k']);
  assert.deepEqual(texts(axis, { low: 1, high: 10 }, ACROSS), ['1', '2', '5', '10']);
  assert.ok(Number.isNaN(scaleOf(axis, { low: 1, high: 10 }, ACROSS).place(0)));
  assert.deepEqual(texts(axis, { low: 3, high: 3 }, ACROSS).length, 2);
});

test('a time axis has round moments, in UTC', () => {
  const axis = { label: 'time', scale: 'time' } as const;
  const at = (text: string) => Date.parse(text);
  assert.deepEqual(texts(axis, { low: at('2026-01-01T00:00Z'), high: at('2026-01-01T02:00Z') }, [0, 400]), [
    '2026-01-01',
    '00:30',
    '01:00',
    '01:30',
    '02:00',
  ]);
  assert.deepEqual(texts(axis, { low: at('2024-01-10'), high: at('2024-12-10') }, [0, 400]), [
    '2024-04',
    '2024-07',
    '2024-10',
  ]);
  assert.deepEqual(texts(axis, { low: at('2001-03-01'), high: at('2026-01-01') }, [0, 300]), [
    '2010',
    '2020',
  ]);
});

test('an axis around one value, no value or the largest values still has a place for each', () => {
  for (const extent of [
    { low: 4, high: 4 },
    undefined,
    { low: -1.7e308, high: 1.7e308 },
    { low: 0, high: 5e-324 },
  ]) {
    const scale = scaleOf({ label: 'x' }, extent, ACROSS);
    assert.ok(Number.isFinite(scale.place(extent?.low ?? 0.5)), JSON.stringify(extent));
    assert.ok(scale.ticks.every(({ at, text }) => Number.isFinite(at) && !/NaN|Infinity/.test(text)));
  }
});
