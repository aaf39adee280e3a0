import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCache } from './answer-cache.ts';

test('an answer is made again with another token, after a minute, and when it was forgotten', async () => {
  let [now, made] = [0, 0];
  const { answer } = answerCache(() => now, 10);
  const ask = (key: string, token: string) => answer(key, token, async () => `text${++made}`);
  assert.deepEqual(
    [await ask('a', 'x'), await ask('a', 'x'), await ask('a', 'y')],
    ['text1', 'text1', 'text2'],
  );
  now = 60_000;
  assert.equal(await ask('a', 'y'), 'text3');
  assert.deepEqual([await ask('b', 'y'), await ask('b', 'y')], ['text4', 'text4']);
  await ask('c', 'y');
  assert.equal(await ask('a', 'y'), 'text6');
});

test('what is not there is asked for again', async () => {
  const { answer } = answerCache(() => 0);
  assert.equal(await answer('a', 'x', async () => undefined), undefined);
  assert.equal(await answer('a', 'x', async () => 'now'), 'now');
});
