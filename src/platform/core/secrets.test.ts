import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecretFile, LEFT_OUT, textKind, withoutSecrets, withSecretsOf } from './secrets.ts';

test('files that are secrets are known by their names', () => {
  for (const path of [
    '.env',
    'a/.env.local',
    'x.pem',
    'tls/server.KEY',
    'id_rsa',
    'id_ed25519_backup',
    '.netrc',
    'vault.kdbx',
    '.aws/credentials',
  ]) {
    assert.equal(isSecretFile(path), true, path);
  }
  for (const path of ['environment', '.env.example', 'id_rsa.pub', 'keys.json', 'a.keynote', '', 'x.pem/y']) {
    assert.equal(isSecretFile(path), false, path);
  }
});

test('only JSON and YAML are searched for keys', () => {
  assert.deepEqual(['a.json', 'A.YAML', 'b.yml', 'c.txt', 'json'].map(textKind), [
    'json',
    'yaml',
    'yaml',
    undefined,
    undefined,
  ]);
});

test('a JSON value is replaced and the rest stays byte by byte', () => {
  const text = '{\n  "active" :true, "webhook_url":"https://x/y",\n\t"n": 1.0, "slackToken": "a\\"b" }\n';
  assert.deepEqual(withoutSecrets(text, 'json'), {
    text: `{\n  "active" :true, "webhook_url":"${LEFT_OUT}",\n\t"n": 1.0, "slackToken": "${LEFT_OUT}" }\n`,
    leftOut: ['webhook_url', 'slackToken'],
  });
});

test('everything below a secret key is secret, with the way to it', () => {
  const text = '{"a":[{"credentials":{"user":"u","n":3}},{"tokens":"x","token":["p","q"]}]}';
  assert.deepEqual(withoutSecrets(text, 'json')?.leftOut, [
    'a.0.credentials.user',
    'a.1.token.0',
    'a.1.token.1',
  ]);
});

test('words that only contain "token" and keys that say where a secret is are no secrets', () => {
  const keys = '"tokenizer":"bpe","max_tokens":"5","token_file":"t","password_env":"P"';
  const text = `{${keys},"api_key":"\${KEY}","secret":"","token":7}`;
  assert.equal(withoutSecrets(text, 'json'), undefined);
});

test('a password in an address is secret under any key', () => {
  assert.deepEqual(withoutSecrets('{"git":"https://me:pw@host/x.git","url":"https://host:80/a@b"}', 'json'), {
    text: `{"git":"${LEFT_OUT}","url":"https://host:80/a@b"}`,
    leftOut: ['git'],
  });
});

test('broken JSON is searched too', () => {
  for (const text of [
    '{"a": "x" "token": "s3cret"',
    '{"token": "s3cret",}}]',
    '// hi\n{"token" : "s3cret"',
  ]) {
    assert.equal(withoutSecrets(text, 'json')?.text.includes('s3cret'), false, text);
  }
  assert.equal(withoutSecrets('', 'json'), undefined);
  assert.equal(withoutSecrets('"token', 'json'), undefined);
});

test('a deep and a long text are searched without exhausting the stack', () => {
  assert.equal(withoutSecrets('['.repeat(200_000), 'json'), undefined);
  const long = `{"blob": "${'x'.repeat(12_000_000)}", "token": "t"}`;
  assert.deepEqual(withoutSecrets(long, 'json')?.leftOut, ['token']);
  assert.deepEqual(withoutSecrets(`a: b\ntoken: ${'x y'.repeat(1_000_000)}\n`, 'yaml')?.leftOut, ['token']);
  assert.equal(withoutSecrets(`a${' '.repeat(200_000)}b`, 'yaml'), undefined);
});

const YAML = `# notes
project: demo   # token: not one
notify:
  slack: { webhook: \${SLACK}, token: xoxb-1, when: [failure] }
  mail:
    password: "p # w"  # the mail password
accounts:
- name: a
  token: one
- name: b
  token: 'two'
private_key: |
  -----BEGIN-----
  abc

  def
password: 1234
tokens_per_second: 12
secret: true
last: &x
  api_key: k
`;

test('YAML is searched line by line: pairs, lists, blocks and braces', () => {
  const result = withoutSecrets(YAML, 'yaml');
  assert.deepEqual(result?.leftOut, [
    'notify.slack.token',
    'notify.mail.password',
    'accounts.0.token',
    'accounts.1.token',
    'private_key',
    'password',
    'last.api_key',
  ]);
  assert.equal(
    result.text,
    `# notes
project: demo   # token: not one
notify:
  slack: { webhook: \${SLACK}, token: "${LEFT_OUT}", when: [failure] }
  mail:
    password: "${LEFT_OUT}"  # the mail password
accounts:
- name: a
  token: "${LEFT_OUT}"
- name: b
  token: "${LEFT_OUT}"
private_key: "${LEFT_OUT}"
password: "${LEFT_OUT}"
tokens_per_second: 12
secret: true
last: &x
  api_key: "${LEFT_OUT}"
`,
  );
});

test('secrets come back from the present text, byte by byte', () => {
  const json = '{"a": {"token": "x\\u00e9"}, "b": [{"secret": "1"}, {"secret": "2"}]}';
  for (const [text, kind] of [
    [YAML, 'yaml'],
    [json, 'json'],
  ] as const) {
    const backup = withoutSecrets(text, kind);
    const back = withSecretsOf(text, backup?.text ?? '', kind);
    assert.equal(back?.text, text);
    assert.deepEqual(back.kept, backup?.leftOut);
    assert.deepEqual(back.missing, []);
  }
});

test('secrets that the present text does not know are named and stay marked', () => {
  const backup = withoutSecrets('{"token": "x", "password": "y"}', 'json')?.text ?? '';
  assert.deepEqual(withSecretsOf('{"token": "now"}', backup, 'json'), {
    text: `{"token": "now", "password": "${LEFT_OUT}"}`,
    kept: ['token'],
    missing: ['password'],
  });
  assert.deepEqual(withSecretsOf(undefined, backup, 'json')?.missing, ['token', 'password']);
  assert.equal(withSecretsOf('{"token": "now"}', '{"token": "old"}', 'json'), undefined);
});

test('a YAML block does not move to a key of another depth', () => {
  const backup = `a:\n    private_key: "${LEFT_OUT}"\n`;
  const back = withSecretsOf('a:\n  private_key: |\n   x\n', backup, 'yaml');
  assert.deepEqual(back?.missing, ['a.private_key']);
});
