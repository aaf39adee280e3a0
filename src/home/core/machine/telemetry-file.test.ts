import assert from 'node:assert/strict';
import { test } from 'node:test';
import { procUnit, readTelemetryFile, telemetryNumber } from './telemetry-file.ts';

const cpu = { kind: 'cpu', experiment: 'sort', startedAt: 1000 } as const;
const gpu = { kind: 'gpu', experiment: 'sort', startedAt: 1000 } as const;
const label = '01-05-2026-0307';

test('reads numbers of a CPU file', () => {
  const file = readTelemetryFile(
    `{"timestamp": "${label}", "proc-memory": {"used": [[0.003, 5], [1.001, 6]]}, "k10temp": {"Tctl": [[0, 41.5]]}}`,
    cpu,
  );
  assert.equal(file.timestamp, label);
  assert.equal(file.dropped, 0);
  assert.deepEqual(file.columns, [
    {
      name: 'cpu.proc-memory',
      tags: { experiment: 'sort', label: 'used' },
      unit: 'bytes',
      times: Float64Array.of(1003, 2001),
      values: Float64Array.of(5, 6),
    },
    {
      name: 'cpu.k10temp',
      tags: { experiment: 'sort', label: 'Tctl' },
      unit: '',
      times: Float64Array.of(1000),
      values: Float64Array.of(41.5),
    },
  ]);
});

test('reads the old form: text, units glued on, the first sample twice', () => {
  const data = [
    ['0', '+41.5°C'],
    ['0.0', '+41.6°C'],
    ['1.0', 'ALARM'],
    ['2.0', '+42.0°C'],
    ['3.0', 'n/a'],
  ];
  const file = readTelemetryFile(JSON.stringify({ timestamp: label, k10temp: { Tctl: data } }), cpu);
  assert.equal(file.columns.length, 1);
  assert.equal(file.columns[0]?.unit, '°C');
  assert.deepEqual(file.columns[0]?.times, Float64Array.of(1000, 3000));
  assert.deepEqual(file.columns[0]?.values, Float64Array.of(41.5, 42));
  assert.equal(file.dropped, 3);
});

test('drops the series that old recordings mixed up for names of two words', () => {
  const data = [
    ['0', '0:'],
    ['0', '1:'],
  ];
  const file = readTelemetryFile(JSON.stringify({ timestamp: label, coretemp: { Core: data } }), cpu);
  assert.deepEqual(file.columns, []);
  assert.equal(file.dropped, 2);
});

test('reads GPU files with one GPU, with several, and in the old form', () => {
  const one = { timestamp: label, 'clocks.gr': { data: [['0', '300']], unit: 'MHz' } };
  const [old] = readTelemetryFile(JSON.stringify(one), gpu).columns;
  assert.equal(old?.name, 'gpu.clocks.gr');
  assert.deepEqual(old?.tags, { experiment: 'sort', gpu: '0' });
  assert.equal(old?.unit, 'MHz');
  assert.deepEqual(old?.values, Float64Array.of(300));

  const two = { timestamp: label, 'gpu1.pstate': { data: [[0.5, 'P8']], unit: null } };
  const [state] = readTelemetryFile(JSON.stringify(two), gpu).columns;
  assert.equal(state?.name, 'gpu.pstate');
  assert.deepEqual(state?.tags, { experiment: 'sort', gpu: '1' });
  assert.equal(state?.unit, '');
  assert.deepEqual(state?.times, Float64Array.of(1500));
  assert.deepEqual(state?.values, Float64Array.of(8));
});

test('refuses a broken file', () => {
  for (const text of ['', '{"timestamp": "01', '[]', '3', 'null']) {
    assert.throws(() => readTelemetryFile(text, cpu), {
      code: 'TELEMETRY_UNREADABLE',
      name: 'NightmarkError',
    });
  }
});

test('takes what is usable of a file with foreign content', () => {
  const text = `{"a": 1, "b": [1], "c": {"x": 5, "y": [[1], "z", [null, 2], [{}, []]], "ok": [[1, 2]]}, "__proto__": {"p": [[1, 3]]}}`;
  const { columns, timestamp } = readTelemetryFile(text, cpu);
  assert.equal(timestamp, '');
  assert.deepEqual(
    columns.map(({ name, tags, values }) => [name, tags['label'], ...values]),
    [
      ['cpu.c', 'ok', 2],
      ['cpu.__proto__', 'p', 3],
    ],
  );
});

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
