import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, curlOf, operationsOf } from './api-operations.ts';

const operation = (summary: string, tag: string) => ({ summary, tags: [tag], responses: {} });
const description = {
  info: { version: '1', description: '' },
  paths: {
    '/api/runs/{id}': { get: operation('One run', 'runs') },
    '/api/runs': { get: operation('Runs, newest first', 'runs') },
    '/api/jobs': {
      get: operation('Jobs', 'jobs'),
      post: { ...operation('Submit', 'jobs'), 'x-scope': 'write' },
    },
  },
};

test('operations are grouped, sorted and found by words', () => {
  const ids = (words: string) =>
    operationsOf(description, words).map(([group, all]) => [group, all.map(({ id }) => id)]);
  assert.deepEqual(ids(''), [
    ['jobs', ['get /api/jobs', 'post /api/jobs']],
    ['runs', ['get /api/runs', 'get /api/runs/{id}']],
  ]);
  assert.deepEqual(ids('post submit'), [['jobs', ['post /api/jobs']]]);
  assert.deepEqual(ids('nothing of it'), []);
});

test('values stand encoded in the address, and in the shell they are only text', () => {
  const parameters = [
    { name: 'id', in: 'path' },
    { name: 'limit', in: 'query' },
  ] as const;
  const run = { path: '/api/runs/{id}', parameters };
  assert.equal(addressOf(run, {}), '/api/runs/{id}');
  assert.equal(addressOf(run, { id: 'a b?', limit: '1&x' }), '/api/runs/a%20b%3F?limit=1%26x');
  const [[, [, submit] = []] = []] = operationsOf(description, '');
  assert.ok(submit);
  assert.equal(
    curlOf(submit, "http://h/api/jobs?x='; rm"),
    `curl -X POST -H "Authorization: Bearer $NIGHTMARK_TOKEN" 'http://h/api/jobs?x='\\''; rm'`,
  );
});
