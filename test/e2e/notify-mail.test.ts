import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { startSmtp } from '../support/smtp-server.ts';

const home = fs.mkdtempSync(join(tmpdir(), 'nightmark-mail-'));
const [key, cert] = [join(home, 'key.pem'), join(home, 'cert.pem')];
const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
execFileSync('openssl', [...CERTIFICATE.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
const server = await startSmtp({ key: fs.readFileSync(key, 'utf8'), cert: fs.readFileSync(cert, 'utf8') });
after(() => server.stop());
fs.writeFileSync(
  join(home, 'nightmark.yml'),
  `notify:
  - {to: email, address: a@example.org, from: n@example.org, server: "smtp://localhost:${server.port}", user-env: MAIL_USER, password-env: MAIL_PASSWORD}
`,
);

const words = ['notify', home, '--test', 'email'];
const send = (env: Record<string, string>) => runBinary(words, env);
const login = { MAIL_USER: 'me', MAIL_PASSWORD: 'hunter2' };

test('a login goes through TLS only, to a server that is trusted', async () => {
  const [untrusted, trusted, wrong, unset] = await Promise.all([
    runInProcess(words, { env: login }),
    send({ ...login, NODE_EXTRA_CA_CERTS: cert }),
    send({ ...login, MAIL_PASSWORD: 'wrong', NODE_EXTRA_CA_CERTS: cert }),
    runInProcess(words, { env: { MAIL_USER: 'me' } }),
  ]);
  assert.deepEqual([trusted.code, trusted.stdout], [0, 'Sent to email.\n'], trusted.stderr);
  assert.deepEqual(
    server.mails.map(({ isEncrypted, login: said, to }) => [isEncrypted, said, to]),
    [[true, 'me:hunter2', ['a@example.org']]],
  );
  assert.match(untrusted.stderr, /self-signed certificate/);
  assert.match(wrong.stderr, /no such password/);
  assert.match(unset.stderr, /MAIL_PASSWORD: not set/);
  for (const { code, stderr } of [untrusted, wrong, unset]) {
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, /hunter2|password-env/);
  }
});
