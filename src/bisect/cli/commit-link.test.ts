import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commitLink } from './commit-link.ts';

test('a commit has a page where the remote is a forge', () => {
  assert.equal(commitLink('git@github.com:ada/demo.git', 'abc'), 'https://github.com/ada/demo/commit/abc');
  assert.equal(
    commitLink('https://x:y@gitlab.org/a/b/c.git', 'abc'),
    'https://gitlab.org/a/b/c/-/commit/abc',
  );
  assert.equal(commitLink('ssh://git@host.example:29418/a/b', 'abc'), 'https://host.example/a/b/commit/abc');
});

test('a path, and what would be no link, have none', () => {
  for (const remote of [undefined, '/srv/git/demo.git', '../demo', 'https://host/a b', 'javascript:alert(1)'])
    assert.equal(commitLink(remote, 'abc'), undefined);
});
