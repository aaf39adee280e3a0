import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { serveHome, stopServers } from '../support/chromium.ts';
import { runInProcess } from '../support/in-process.ts';

const home = mkdtempSync(join(tmpdir(), 'nightmark-token-'));
const file = join(home, '.nightmark/tokens.json');
const token = (...words: string[]) => runInProcess(['token', ...words, '--home', home]);
after(async () => {
  await stopServers();
  rmSync(home, { recursive: true });
});

test('a token is made, opens a server that runs, and is revoked', async () => {
  const args = ['--host', '0.0.0.0', '--port', '0'];
  await assert.rejects(serveHome(home, args), /reading needs a token[\s\S]*nightmark token create/);
  const { code, stdout, stderr } = await runBinary([
    'token',
    'create',
    'eye',
    '--scope',
    'read',
    '--expires',
    '90d',
    '--home',
    home,
  ]);
  assert.equal(code, 0);
  assert.match(stdout, /^nm_[\w-]{43}\n$/);
  assert.match(stderr, /^Token "eye" with scope read, valid until \d{4}-.*shown only now:\n$/);
  const secret = stdout.trim();
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(!readFileSync(file, 'utf8').includes(secret.slice(3)));

  const served = await serveHome(home, args);
  const url = `http://127.0.0.1:${new URL(served.url).port}/`;
  const ask = async (shown: string, path = 'api/status', method = 'GET') =>
    (await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${shown}` } })).status;
  assert.deepEqual([await ask(secret), await ask('nm_other')], [200, 401]);
  assert.equal(await ask(secret, 'write?db=nightmark', 'POST'), 403);
  const made = JSON.parse((await token('create', 'ci', '--scope', 'write', '--json')).stdout);
  assert.equal(await ask(made.token, 'write?db=nothing', 'POST'), 404);

  assert.match(
    (await token('list')).stdout,
    /^name +scope +made +ends\neye +read .*\nci +write .*revoked\n$/,
  );
  const { tokens } = JSON.parse((await token('list', '--json')).stdout);
  assert.deepEqual(Object.keys(tokens[1]).sort(), ['createdAt', 'isExpired', 'name', 'scope']);
  assert.equal((await token('revoke', 'eye')).stdout, 'Revoked "eye"; 1 left.\n');
  assert.equal(await ask(secret), 401);
  await served.stop();
});

test('what cannot be is refused with what can', async () => {
  const refused = async (words: readonly string[], said: RegExp) => {
    const { code, stderr } = await token(...words);
    assert.equal(code, 1);
    assert.match(stderr, said);
  };
  await refused(['create', 'x', '--scope', 'root'], /no scope "root"[\s\S]*read, write, admin/);
  await refused(['create', ' ', '--scope', 'read'], /cannot be the name/);
  await refused(['create', 'ci', '--scope', 'read'], /already[\s\S]*revoke/);
  await refused(['create', 'x', '--scope', 'read', '--expires', '999999999y'], /not a valid lifetime/);
  await refused(['revoke', 'nobody'], /There are: ci\./);
  writeFileSync(file, '{"tokens": [{"name": "x"}]}');
  await refused(['list'], /is not a list of tokens[\s\S]*SERVE_TOKENS_BROKEN/);
});
