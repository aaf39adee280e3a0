import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KpiDefinition } from './kpi.ts';
import { formatKpiValue } from './kpi-format.ts';

const kpi = (more: Partial<KpiDefinition> = {}): KpiDefinition => ({
  ...{ name: 'memory', help: 'Peak memory', unit: 'MB', better: 'lower', isIgnoredForRegression: false },
  ...more,
});

test('values are written as the original writes them', () => {
  const inGb = kpi({ format: '{:.1f}', divisor: 1024, divisorUnit: 'GB' });
  assert.equal(formatKpiValue(kpi(), 1536), '1536 MB');
  assert.equal(formatKpiValue(inGb, 1536), '1.5 GB');
  assert.equal(formatKpiValue(kpi(), null), '--- MB');
  assert.equal(formatKpiValue(kpi({ format: '{:.0f}' }), 2.5), '2 MB');
  assert.equal(formatKpiValue(kpi({ format: '{:.0f}' }), 3.5), '4 MB');
  assert.equal(formatKpiValue(kpi({ format: '{:.1f}', divisor: 3, divisorUnit: 'u' }), [2, 4]), '0.7, 1.3 u');
});

test('without a format no digit that means something is lost', () => {
  const shown = [0.0204, 2.5, 99.987, 1536.4, 12_345_678, 0].map((value) =>
    formatKpiValue(kpi({ unit: 's' }), value),
  );
  assert.deepEqual(shown, ['0.0204 s', '2.5 s', '99.99 s', '1536 s', '12345678 s', '0 s']);
});

test('a unit is never "None"', () => {
  assert.equal(formatKpiValue(kpi({ unit: 'req/s', format: '{:.2f}' }), 100), '100.00 req/s');
  assert.equal(formatKpiValue(kpi({ unit: 'ms' }), [1.2, 2.9]), '1.2, 2.9 ms');
  assert.equal(formatKpiValue(kpi({ unit: '' }), 3), '3');
});

test('a full format says several things of a value', () => {
  const spread = kpi({
    unit: 'ms',
    fullFormat: '{p50:.1f} {unit} (at most {max:.1f}, {count} values, {model})',
  });
  assert.equal(formatKpiValue(spread, [1, 2, 9], { model: 'm1' }), '2.0 ms (at most 9.0, 3 values, m1)');
  const range = kpi({ fullFormat: '{0:.1f} to {1:.1f} {unit}', divisor: 1024, divisorUnit: 'GB' });
  assert.equal(formatKpiValue(range, [1024, 1536]), '1.0 to 1.5 GB');
  assert.equal(formatKpiValue(kpi({ fullFormat: '{value:,.0f} MB' }), 12_345), '12,345 MB');
  assert.throws(() => formatKpiValue(kpi({ fullFormat: '{colour}' }), 1), {
    message: /there is no value "colour"/,
  });
});
