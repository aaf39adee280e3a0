import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTemplate } from './python-format.ts';

const format = (template: string, ...values: (number | string)[]) =>
  formatTemplate(template, (name) => (typeof name === 'number' ? values[name] : undefined));

/** Each as Python 3.11 writes it. */
const CASES: readonly [template: string, value: number, text: string][] = [
  ['{:.2f}', 100, '100.00'],
  ['{:.2f}', 2.675, '2.67'],
  ['{:.2f}', 0.125, '0.12'],
  ['{:.2f}', 0.375, '0.38'],
  ['{:.0f}', 0.5, '0'],
  ['{:.0f}', 1.5, '2'],
  ['{:.0f}', 2.5, '2'],
  ['{:.0f}', -3.5, '-4'],
  ['{:.0f}', -0.2, '-0'],
  ['{:.1f}', 1e22, '10000000000000000000000.0'],
  ['{:,}', 1234567, '1,234,567'],
  ['{:,}', 1234.5, '1,234.5'],
  ['{:,.2f}', -1234567.891, '-1,234,567.89'],
  ['{:.1%}', 0.0625, '6.2%'],
  ['{:e}', 12345.678, '1.234568e+04'],
  ['{:.0e}', 950, '1e+03'],
  ['{:.0e}', 25, '2e+01'],
  ['{:.1e}', 0, '0.0e+00'],
  ['{:g}', 0.0001, '0.0001'],
  ['{:g}', 0.00001, '1e-05'],
  ['{:g}', 1234567, '1.23457e+06'],
  ['{:G}', 1e-10, '1E-10'],
  ['{:g}', 100, '100'],
  ['{:d}', 42, '42'],
  ['{:+.1f}', 2, '+2.0'],
  ['{:8.2f}|', 3.15625, '    3.16|'],
  ['{:08.2f}', -3.15625, '-0003.16'],
  ['{:*^9.1f}', 2.5, '***2.5***'],
  ['{{{:.0f}}}', 7, '{7}'],
  ['{}', 1e16, '1e+16'],
];

for (const [template, value, text] of CASES) {
  test(`${value} as ${template} is ${text}`, () => assert.equal(format(template, value), text));
}

test('places are taken one after the other, or by number and name', () => {
  assert.equal(format('{:.0f} to {:.0f} {}', 1, 2, 'ms'), '1 to 2 ms');
  assert.equal(format('{1:.0f} {0:>4}', 1, 2), '2    1');
  assert.equal(
    formatTemplate('{value:.1f} {unit}', (name) => ({ value: 2, unit: 'ms' })[name]),
    '2.0 ms',
  );
});

for (const [template, reason] of [
  ['{:x}', /the type "x" is not supported/],
  ['{:.2f', /a "{" stands alone/],
  ['{0!r}', /has a conversion/],
  ['{1}', /there is no value "1"/],
  ['{:_}', /"_" is not a supported format/],
  ['{:d}', /"d" is for whole numbers, the value is 1\.5/],
] as const) {
  test(`${template} is refused with a reason`, () => {
    assert.throws(() => format(template, 1.5), { code: 'MATRIX_KPI_FORMAT', message: reason });
  });
}
