import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeValue } from '../issues.ts';
import { metrics, toMetrics } from './metrics.ts';

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
