import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchRoute } from './match-route.ts';

test('names stand for parts of the path, decoded', () => {
  assert.deepEqual(matchRoute('/runs/:id', '/runs/a%20b'), { id: 'a b' });
  assert.deepEqual(matchRoute('/', '/'), {});
  assert.deepEqual(matchRoute('/compare/:pair*', '/compare/main/x..dev%2Fy'), { pair: 'main/x..dev/y' });
});

test('a path of another shape is not matched', () => {
  assert.equal(matchRoute('/runs/:id', '/runs'), undefined);
  assert.equal(matchRoute('/runs/:id', '/runs/'), undefined);
  assert.equal(matchRoute('/runs/:id', '/runs/a/b'), undefined);
  assert.equal(matchRoute('/runs', '/jobs'), undefined);
});

test('a percent sign that encodes nothing stays', () => {
  assert.deepEqual(matchRoute('/experiments/:name', '/experiments/50%'), { name: '50%' });
});
