import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupTelemetry, spanOf } from './telemetry-groups.ts';

const one = (name: string, tags: Record<string, string>, times: number[] = [1]) => ({
  ...{ name, tags, times, unit: '%', values: times, count: times.length },
});

test('readings of one name and unit share a chart, distinguished by their label', () => {
  const groups = groupTelemetry([
    one('cpu.proc-cpu', { experiment: 'sort', label: 'core 10' }),
    one('cpu.proc-cpu', { experiment: 'sort', label: 'core 2' }),
    one('gpu.utilization', { experiment: 'sort', gpu: '0' }),
  ]);
  assert.deepEqual(
    groups.map(({ name, lines }) => [name, lines.map(({ label }) => label)]),
    [
      ['cpu: proc-cpu', ['core 2', 'core 10']],
      ['gpu: utilization', ['gpu 0']],
    ],
  );
});

test('of several experiments the label says which', () => {
  const [group] = groupTelemetry([
    one('cpu.proc-load', { experiment: 'a', label: '1min' }),
    one('cpu.proc-load', { experiment: 'b', label: '1min' }),
  ]);
  assert.deepEqual(
    group?.lines.map(({ label }) => label),
    ['a 1min', 'b 1min'],
  );
});

test('the span holds all stages and readings', () => {
  assert.deepEqual(spanOf([{ startedAt: 10, durationMs: 5 }], [one('x', {}, [8, 12])]), [8, 15]);
  assert.deepEqual(spanOf([{ startedAt: 10, durationMs: 0 }], []), [10, 11]);
  assert.equal(spanOf([], []), undefined);
});
