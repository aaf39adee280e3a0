import assert from 'node:assert/strict';
import { test } from 'node:test';
import clock from './system-clock.ts';

test('1: microseconds never go back', () => {
  let last = clock.micros();
  for (let count = 0; count < 1000; count++) {
    const now = clock.micros();
    assert.ok(now >= last);
    last = now;
  }
});

test('2: a moment goes to the wall and back', () => {
  for (const at of [0, 951_782_400_000, Math.floor(clock.now() / 60_000) * 60_000]) {
    const wall = clock.wall(at);
    assert.equal(clock.fromWall(wall), at);
    assert.equal(new Date(at).getDay(), wall.weekday);
  }
});

test('3: a sleep ends at once when it is cancelled, before or meanwhile', async () => {
  const abort = new AbortController();
  const sleeping = clock.sleep(60_000, abort.signal);
  abort.abort();
  await sleeping;
  await clock.sleep(60_000, abort.signal);
});
