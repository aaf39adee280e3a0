import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localMoment } from './local-moment.ts';

test('a moment in the zone of this machine', () => {
  assert.equal(localMoment('2026-03-01 12:00:00'), new Date(2026, 2, 1, 12).getTime());
});

test('what is no moment is none', () => {
  for (const text of ['', '2026-02-30 12:00:00', '2026-03-01', '2026-13-01 12:00:00', 'soon'])
    assert.equal(localMoment(text), undefined, text);
});
