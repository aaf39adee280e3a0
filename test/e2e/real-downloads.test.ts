import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { freePort, type RealServer, skipWithout, startReal } from '../support/real-server.ts';

const WORKLOAD = join(process.cwd(), 'dist/test/support/tiny-workload.js');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-real-downloads-'));
const servers: RealServer[] = [];
after(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true });
});

const ODD_NAMES = ['a b&c', 'é+%.txt', "it's", '#hash', 'q?x', '<b>', `${'long'.repeat(30)}.log`];

/** Paths and texts of all files below, without our own folder. */
function textsIn(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }): [string, string] => {
    const path = join(parentPath, name);
    return [path.slice(dir.length + 1), readFileSync(path, 'utf8')];
  });
  return Object.fromEntries(texts.filter(([path]) => !path.startsWith('.nightmark/')).sort());
}

async function entriesOf(tree: string): Promise<unknown> {
  const { stdout } = await runInProcess(['matrix', 'parse', tree, '-w', WORKLOAD, '--json']);
  return (JSON.parse(stdout) as { results: unknown; processed_key: string }[]).map(
    ({ results, processed_key }) => [processed_key, results],
  );
}

const noNginx = skipWithout('nginx', 'apt-get install nginx-light');

async function nginx(root: string, format: 'html' | 'json'): Promise<RealServer> {
  const port = await freePort();
  const own = mkdtempSync(join(folder, 'nginx-'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  const config = join(own, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; pid ${own}/pid; error_log ${own}/errors; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${places.join(' ')} server { listen 127.0.0.1:${port}; root ${root}; autoindex on; autoindex_format ${format}; } }\n`,
  );
  const server = await startReal({ program: 'nginx', args: ['-e', `${own}/errors`, '-c', config], port });
  servers.push(server);
  return server;
}

for (const format of ['html', 'json'] as const) {
  test(`nginx lists folders as ${format}: the tree comes whole and is parsed alike`, {
    skip: noNginx,
  }, async () => {
    const root = mkdtempSync(join(folder, 'tree-'));
    cpSync('test/golden/matrix/results', join(root, 'results'), { recursive: true });
    mkdirSync(join(root, 'odd & names'));
    for (const name of ODD_NAMES) writeFileSync(join(root, 'odd & names', name), `of ${name}`);
    const { url } = await nginx(root, format);
    const target = join(folder, `fetched-${format}`);
    // Listings of nginx leave out .uuid: the workload says that there may be one.
    const argv = ['matrix', 'download', target, '--url', url, '--mode', 'all', '-w', WORKLOAD];
    const got = await runBinary(argv);
    assert.equal(got.code, 0, got.stderr);
    const { source_url: source, ...fetched } = textsIn(join(target, 'expe/from_url'));
    assert.equal(source, `${url}\n`);
    assert.deepEqual(fetched, textsIn(root));
    assert.deepEqual(
      await entriesOf(join(target, 'expe/from_url/results')),
      await entriesOf(join(root, 'results')),
    );
    const again = await runInProcess(argv);
    assert.match(again.stdout, /^0 files downloaded \(0 B\), \d+ existed already\.$/m);
  });
}

const noS3 = skipWithout('s3rver', 'npm install --global s3rver@3.7.1');
const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

test('an S3 server gives a bucket of more than a page', { skip: noS3 }, async () => {
  const port = await freePort();
  const root = mkdtempSync(join(folder, 'bucket-'));
  const files: Record<string, string> = { 'runs/one/exit_code': '0\n', 'runs/one/settings.yaml': 'a: 1\n' };
  for (let index = 0; index < 1_003; index++) files[`runs/one/logs/${index}.txt`] = `log ${index}`;
  for (const name of ODD_NAMES) files[`runs/two/${name}`] = `of ${name}`;
  const args = ['-a', '127.0.0.1', '-p', String(port), '-d', root, '--configure-bucket', 'results'];
  // Its tokens of pages are made with a cipher that OpenSSL 3 has put aside.
  const env = { NODE_OPTIONS: '--openssl-legacy-provider' };
  const server = await startReal({ program: 's3rver', args, port, env });
  servers.push(server);
  await fill(server.url, files);
  const target = join(folder, 'fetched-s3');
  const argv = ['matrix', 'download', target, '--url', 's3://results/runs', '--s3-endpoint', server.url];
  const planned = await runInProcess([...argv, '--mode', 'all', '--dry-run'], { env: KEYS });
  assert.match(
    planned.stdout,
    new RegExp(`^${Object.keys(files).length} files would be downloaded\\.$`, 'm'),
  );
  const two = argv.with(4, 's3://results/runs/two');
  const got = await runBinary([...two, '--mode', 'all'], KEYS);
  assert.equal(got.code, 0, got.stderr);
  const { source_url: _, ...fetched } = textsIn(join(target, 'expe/from_url'));
  assert.deepEqual(fetched, Object.fromEntries(ODD_NAMES.map((name) => [name, `of ${name}`]).sort()));
  const stranger = await runInProcess([...two, '--mode', 'all'], {
    env: { ...KEYS, AWS_ACCESS_KEY_ID: 'NOBODY' },
  });
  assert.equal(stranger.code, 1);
  assert.match(stranger.stderr, /the server answered 403/);
});

/** Several at a time. */
async function fill(url: string, files: Readonly<Record<string, string>>): Promise<void> {
  const waiting = Object.entries(files);
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [key, body] = next;
      const path = key.split('/').map(encodeURIComponent).join('/');
      const answer = await fetch(`${url}/results/${path}`, { method: 'PUT', body });
      assert.equal(answer.status, 200, `${key}: ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}
