import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areComparable, hardwareOf } from './hardware.ts';

const measured = { origin: 'measured' } as const;

test('processor and cores are the hardware, a new kernel is none', () => {
  const facts = { cpu: 'EPYC 7543', cores: 8, kernel: '6.1' };
  assert.equal(hardwareOf(measured, { name: 'a', facts }), 'EPYC 7543, 8 cores');
  assert.equal(hardwareOf(measured, { name: 'b', facts: { ...facts, kernel: '6.5' } }), 'EPYC 7543, 8 cores');
  assert.equal(hardwareOf(measured, { name: 'bench-1', facts: {} }), 'bench-1');
  assert.equal(hardwareOf(measured, undefined), undefined);
  assert.equal(hardwareOf(measured, { name: 'unknown', facts: {} }), undefined);
  assert.equal(hardwareOf({ origin: 'example' }, undefined), 'example data');
});

test('values of other hardware are not compared, unless people say that it is the same', () => {
  const [old, now] = [
    { at: 1, hardware: 'a' },
    { at: 9, hardware: 'b' },
  ];
  const change = { at: 5, hardware: 'b', isSame: false };
  assert.equal(areComparable(old, now, [change]), false);
  assert.equal(areComparable(old, { at: 9, hardware: 'a' }, [change]), true);
  assert.equal(areComparable(old, now, [{ ...change, isSame: true }]), true);
});

test('values whose machine is not recorded are compared, until the machine is known to be another', () => {
  const [old, now] = [
    { at: 1, hardware: undefined },
    { at: 9, hardware: 'b' },
  ];
  assert.equal(areComparable(old, now, []), true);
  assert.equal(areComparable(old, now, [{ at: 5, hardware: 'b', isSame: false }]), false);
  assert.equal(areComparable(old, now, [{ at: 5, hardware: 'b', isSame: true }]), true);
  assert.equal(
    areComparable({ at: 6, hardware: undefined }, now, [{ at: 5, hardware: 'b', isSame: false }]),
    true,
  );
});
