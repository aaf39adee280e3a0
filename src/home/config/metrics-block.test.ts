import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeValue } from '../../platform/config/definition-problems.ts';
import { metrics, toMetrics } from './metrics-block.ts';

test('a target with everything, and one with the least', () => {
  const input = metrics.parse({
    forward: [
      {
        name: 'team',
        to: 'influx',
        url: 'http://influx:8086',
        database: 'nightly',
        only: { databases: 'train*', measurements: ['loss', 'acc*'], tags: { job: 'a*' } },
        buffer: '1.5GB',
        'token-env': 'INFLUX_TOKEN',
      },
      { to: 'prometheus', url: 'http://prom:9090/api/v1/write' },
    ],
  });
  assert.deepEqual(toMetrics(input), {
    store: 'sqlite',
    forward: [
      {
        name: 'team',
        to: 'influx',
        url: 'http://influx:8086',
        database: 'nightly',
        only: { databases: ['train*'], measurements: ['loss', 'acc*'], tags: { job: ['a*'] } },
        bufferBytes: 1.5 * 1024 ** 3,
        tokenEnv: 'INFLUX_TOKEN',
      },
      {
        name: 'prom-9090',
        to: 'prometheus',
        url: 'http://prom:9090/api/v1/write',
        only: {},
        bufferBytes: 512 * 1024 ** 2,
      },
    ],
  });
});

for (const [what, target, message] of [
  ['a password in the address', { to: 'influx', url: 'http://me:secret@h' }, /without user and password/],
  ['an unknown kind', { to: 'graphite', url: 'http://h' }, /influx/],
  ['a name that leads elsewhere', { to: 'influx', url: 'http://h', name: '../x' }, /a folder can have/],
  ['a size without unit', { to: 'influx', url: 'http://h', buffer: '12' }, /512MB/],
] as const) {
  test(`${what} is refused`, () => {
    const { error } = metrics.safeParse({ forward: [target] });
    assert.match(error?.issues.map((issue) => issue.message).join() ?? '', message);
  });
}

test('a password in a value is not shown', () => {
  assert.equal(describeValue(['http://me:pw@h/x']), '["http://***@h/x"]');
});

test('two targets cannot share a buffer', () => {
  const one = { to: 'influx', url: 'http://h:1/a' };
  assert.equal(metrics.safeParse({ forward: [one, { ...one, url: 'http://h:1/b' }] }).success, false);
});

test('the other keys, all of them and none', () => {
  const input = metrics.parse({
    store: 'postgres',
    retention: { raw: '30d', minutes: '1y', hours: '10y' },
    udp: { port: 0, database: 'train', strict: true },
    'keep-not-finite': true,
  });
  const day = 86_400_000;
  assert.deepEqual(toMetrics(input), {
    store: 'postgres',
    forward: [],
    retention: { rawMs: 30 * day, minutesMs: 365 * day, hoursMs: 3650 * day },
    udp: { port: 0, database: 'train', isStrict: true },
    keepsNotFinite: true,
  });
  assert.deepEqual(toMetrics(metrics.parse({})), { store: 'sqlite', forward: [] });
});

for (const [what, retention, message] of [
  ['no age of raw values', { minutes: '1y' }, /expected string|duration/],
  ['minutes that end before the raw values', { raw: '30d', minutes: '7d' }, /an age above that of "raw"/],
  ['hours that end before the minutes', { raw: '1d', minutes: '7d', hours: '7d' }, /above that of "minutes"/],
  ['hours without minutes', { raw: '1d', hours: '7d' }, /beside that of "minutes"/],
  ['an age without unit', { raw: 30 }, /a duration with its unit/],
] as const) {
  test(`${what}: refused`, () => {
    const { error } = metrics.safeParse({ retention });
    assert.match(error?.issues.map((issue) => issue.message).join() ?? '', message);
  });
}
