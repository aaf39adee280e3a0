import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCores } from './task-policies.ts';

for (const [cores, expected] of [
  ['1', { type: 'list', cores: '1' }],
  ['0-3,7', { type: 'list', cores: '0-3,7' }],
  [' 0 , 2 ', { type: 'list', cores: '0,2' }],
  ['0-6:2', { type: 'list', cores: '0-6:2' }],
  [3, { type: 'list', cores: '3' }],
  [[0, 1], { type: 'list', cores: '0,1' }],
  ['0x3', { type: 'mask', mask: '0x3' }],
  ['0x00FF', { type: 'mask', mask: '0x00FF' }],
] as const) {
  test(`${JSON.stringify(cores)} is understood`, () => assert.deepEqual(parseCores(cores), expected));
}

for (const cores of [
  '',
  'all',
  '3-1',
  '1-',
  ',',
  '0x0',
  '0x',
  '0xg',
  '-1',
  1.5,
  -1,
  [],
  {},
  null,
  true,
  '1;rm -rf /',
  '999999',
]) {
  test(`${JSON.stringify(cores)} is refused`, () => assert.equal(parseCores(cores), undefined));
}
