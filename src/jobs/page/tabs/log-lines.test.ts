import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logLines, workersIn } from './log-lines.ts';

const entries = [
  { worker: 1, type: 'info', message: 'Epoch 1\nloss 2', time: 1 },
  { worker: 0, type: 'error', message: 'epoch failed', time: 2 },
] as const;

test('lines are found in any case, of all workers or of one', () => {
  const texts = (worker: number | undefined, text: string) =>
    logLines(entries, { worker, text }).map((line) => line.text);
  assert.deepEqual(texts(undefined, ''), ['Epoch 1', 'loss 2', 'epoch failed']);
  assert.deepEqual(texts(undefined, 'EPOCH'), ['Epoch 1', 'epoch failed']);
  assert.deepEqual(texts(0, ''), ['epoch failed']);
  assert.deepEqual(workersIn(entries), [0, 1]);
  assert.deepEqual(logLines(entries, { worker: 0, text: '' })[0], {
    worker: 0,
    isError: true,
    text: 'epoch failed',
  });
});
