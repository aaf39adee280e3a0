import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spansOf } from './timeline-spans.ts';

const words = (job: Parameters<typeof spansOf>[0]) =>
  spansOf(job, 100).map(({ name, from, to, isOpen }) => `${name} ${from}-${to}${isOpen ? ' …' : ''}`);

test('a life goes from submission to its end, or until now', () => {
  assert.deepEqual(words({ status: 'CREATED', createdAt: 10 }), ['waited 10-100 …']);
  assert.deepEqual(words({ status: 'RUNNING', createdAt: 10, scheduledAt: 20, startedAt: 30 }), [
    'waited 10-20',
    'was being started 20-30',
    'ran 30-100 …',
  ]);
  assert.deepEqual(words({ status: 'FAILED', createdAt: 10, startedAt: 30, endedAt: 50 }), [
    'waited 10-30',
    'ran 30-50',
  ]);
  assert.deepEqual(words({ status: 'CANCELED', createdAt: 10, endedAt: 40 }), ['waited 10-40']);
});

test('a silent job ran until its last sign of life', () => {
  assert.deepEqual(words({ status: 'UNRESPONSIVE', createdAt: 10, startedAt: 30, heartbeatAt: 60 }), [
    'waited 10-30',
    'ran 30-60',
  ]);
});
