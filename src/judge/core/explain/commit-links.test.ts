import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repositoryPages } from './commit-links.ts';

const commit = (remote: string) => repositoryPages(remote)?.commit('d4e5f6');
const between = (remote: string) => repositoryPages(remote)?.between?.('a1', 'b2');

test('links to the hosts people use, by any form of address', () => {
  assert.equal(commit('https://github.com/o/r.git'), 'https://github.com/o/r/commit/d4e5f6');
  assert.equal(commit('git@github.com:o/r.git'), 'https://github.com/o/r/commit/d4e5f6');
  assert.equal(commit('ssh://git@github.com:22/o/r'), 'https://github.com/o/r/commit/d4e5f6');
  assert.equal(between('git@github.com:o/r.git'), 'https://github.com/o/r/compare/a1...b2');
  assert.equal(
    commit('https://gitlab.example.org:8443/g/s/r'),
    'https://gitlab.example.org:8443/g/s/r/-/commit/d4e5f6',
  );
  assert.equal(between('git@gitlab.com:g/s/r.git'), 'https://gitlab.com/g/s/r/-/compare/a1...b2');
  assert.equal(commit('https://bitbucket.org/o/r'), 'https://bitbucket.org/o/r/commits/d4e5f6');
  assert.equal(commit('https://codeberg.org/o/r'), 'https://codeberg.org/o/r/commit/d4e5f6');
  assert.equal(
    commit('http://gitea.local.lan:3000/o/r.git/'),
    'http://gitea.local.lan:3000/o/r/commit/d4e5f6',
  );
});

test('no credential ever gets into a link', () => {
  for (const user of ['token', 'u:p', 'u:p@x', 'oauth2:glpat-secret', '***', 'u:/p'])
    assert.ok(!(commit(`https://${user}@github.com/o/r.git`) ?? '').includes(user), user);
  assert.equal(commit('https://secret@github.com/o/r?token=x#y'), 'https://github.com/o/r/commit/d4e5f6');
});

test('what is no known host gets no link', () => {
  for (const remote of [
    '',
    '/srv/git/r.git',
    'file:///srv/git/r.git',
    'https://example.org/o/r',
    'https://github.com/',
    'https://github.com/o/../../x/y',
    'https://notgithub.community.example/o/r',
    'https://github.com\\@evil.example/o/r',
    'javascript:github.com/o/r',
    'ext::sh -c github.com/o/r',
    'https://git\nhub.com/o/r',
  ])
    assert.equal(commit(remote), undefined, remote);
});

test('odd paths are escaped', () => {
  assert.equal(commit('git@github.com:o/r">x'), 'https://github.com/o/r%22%3Ex/commit/d4e5f6');
});
