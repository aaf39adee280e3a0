import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelInterval } from './correlation.ts';

test('the interval of a level is that of Student, wider where neighbours resemble each other', () => {
  const level = { value: 10, scale: 1, count: 16 };
  const plain = levelInterval(level, { correlation: 0 });
  assert.ok(plain);
  // t(0.975, 15) = 2.1314, over 4.
  assert.ok(Math.abs(plain.high - 10 - 2.13145 / 4) < 1e-4);
  assert.ok(Math.abs(plain.high + plain.low - 20) < 1e-12);
  const alike = levelInterval(level, { correlation: 0.5 });
  assert.ok(alike && alike.high > plain.high * 1.05);
});

test('one point has no interval', () => {
  assert.equal(levelInterval({ value: 1, scale: 0, count: 1 }, { correlation: 0 }), undefined);
});
