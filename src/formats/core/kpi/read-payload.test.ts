import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numericPayloadTime, parsePayloadTime } from './read-payload.ts';

const text = (time: string) => parsePayloadTime(time)?.text;

test('times are in UTC with six decimals, wherever they were written', () => {
  assert.equal(text('2024-09-02T10:00:00'), '2024-09-02T10:00:00.000000Z');
  assert.equal(text('2024-09-02 12:00:00.1234567+02:00'), '2024-09-02T10:00:00.123456Z');
  assert.equal(text('2024-09-02T10:00Z'), '2024-09-02T10:00:00.000000Z');
  assert.equal(text('2024-09-02T04:30:00-0530'), '2024-09-02T10:00:00.000000Z');
  assert.equal(parsePayloadTime('1970-01-01T00:00:01.5Z')?.at, 1500);
});

test('what is no time is none', () => {
  for (const wrong of [
    '',
    'now',
    '2024-09-02',
    '2024-02-30T00:00:00',
    '2024-13-01T00:00:00',
    '2024-09-02T24:00:00',
  ]) {
    assert.equal(text(wrong), undefined, wrong);
  }
});

test('numbers are seconds, or milliseconds when they are large', () => {
  assert.equal(numericPayloadTime(1_725_271_200)?.text, '2024-09-02T10:00:00.000000Z');
  assert.equal(numericPayloadTime(1_725_271_200_250)?.text, '2024-09-02T10:00:00.250000Z');
  assert.equal(numericPayloadTime(Number.NaN), undefined);
});
