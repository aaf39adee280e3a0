import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beyond } from './beyond.ts';

test('an effect is surely beyond the smallest one of interest when its whole interval is', () => {
  assert.equal(beyond({ change: 0.05, low: 0.02, high: 0.08 }, 0.01), 'surely');
  assert.equal(beyond({ change: -0.05, low: -0.08, high: -0.02 }, 0.01), 'surely');
  assert.equal(beyond({ change: 0.05, low: 0.02, high: 0.08 }, 0), 'surely');
});

test('an effect is likely beyond it when there is one and only its estimate is', () => {
  assert.equal(beyond({ change: 0.05, low: 0.005, high: 0.08 }, 0.01), 'likely');
  assert.equal(beyond({ change: -0.05, low: -0.08, high: -0.005 }, 0.01), 'likely');
});

test('an effect that is smaller, or that may be none, is not beyond it', () => {
  assert.equal(beyond({ change: 0.007, low: 0.0001, high: 0.015 }, 0.01), 'no');
  assert.equal(beyond({ change: 0.05, low: -0.01, high: 0.11 }, 0.01), 'no');
});

test('twice as much and half as much lie equally far out', () => {
  assert.equal(beyond({ change: 1.02, low: 1.01, high: 1.03 }, 1), 'surely');
  assert.equal(beyond({ change: -0.504, low: -0.51, high: -0.502 }, 1), 'surely');
  assert.equal(beyond({ change: -0.49, low: -0.5, high: -0.48 }, 1), 'no');
});
