import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRunId } from './run-id.ts';

test('ids sort by time and can be typed', () => {
  const first = newRunId(Date.UTC(2026, 0, 5, 3, 7, 0), 4_294_967_295);
  const second = newRunId(Date.UTC(2026, 0, 5, 3, 7, 1), 0);
  assert.match(first, /^20260105-030700-[a-z2-9]{4}$/);
  assert.ok(first < second);
});
