import assert from 'node:assert/strict';
import { test } from 'node:test';
import { procUnit, telemetryNumber } from './telemetry-value.ts';

test('splits the number from its unit', () => {
  assert.deepEqual(telemetryNumber('+41.5°C'), { value: 41.5, unit: '°C' });
  assert.deepEqual(telemetryNumber('300 MHz'), { value: 300, unit: 'MHz' });
  assert.deepEqual(telemetryNumber('-5'), { value: -5, unit: '' });
  assert.deepEqual(telemetryNumber(' 1.5e3 W '), { value: 1500, unit: 'W' });
  assert.deepEqual(telemetryNumber('23%'), { value: 23, unit: '%' });
});

test('takes a performance state as its number', () => {
  assert.deepEqual(telemetryNumber('P8'), { value: 8, unit: '' });
});

test('finds no number where there is none', () => {
  const texts = [
    '',
    'ALARM',
    'n/a',
    'N/A',
    '[N/A]',
    '[Not Supported]',
    '0:',
    '1:2',
    'P',
    '1e999',
    'NaN',
    '--5',
  ];
  for (const text of texts) assert.equal(telemetryNumber(text), undefined, text);
});

test('takes no endless text for a number', () => {
  assert.equal(telemetryNumber(`${'1'.repeat(1_000_000)}:`), undefined);
  assert.equal(telemetryNumber('1'.repeat(1_000_000)), undefined);
});

test('knows the units of /proc and of nothing else', () => {
  assert.equal(procUnit('proc-memory'), 'bytes');
  assert.equal(procUnit('k10temp-pci-00c3'), '');
});
