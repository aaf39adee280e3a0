import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { runInProcess } from '../support/in-process.ts';
import {
  type Answer,
  sendFile,
  serveFiles,
  startServer,
  type TestServer,
} from '../support/listing-server.ts';
import { serveS3 } from '../support/s3-server.ts';

const WORKLOAD = join(process.cwd(), 'dist/test/support/tiny-workload.js');
const folder = mkdtempSync(join(tmpdir(), 'nightmark-download-'));
const servers: TestServer[] = [];
after(async () => {
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true });
});

let count = 0;
const newDir = () => `results-${count++}`;
/** Waiting between tries takes no time. */
const clock = { ...systemClock, sleep: async () => undefined };

async function serve(answer: Answer | Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer(typeof answer === 'function' ? answer : serveFiles(answer));
  servers.push(server);
  return server;
}

function download(dir: string, ...options: string[]) {
  return runInProcess(['matrix', 'download', dir, ...options], { cwd: folder, clock });
}

/** Paths of all files below, without our own folder. */
function filesIn(dir: string): string[] {
  return readdirSync(join(folder, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, dir).length + 1))
    .filter((path) => !path.startsWith('.nightmark/'))
    .sort();
}

const TREE = {
  'settings.common.yaml': 'a: 1\n',
  'notes.txt': 'about',
  'one/settings.yaml': 'b: 2\n',
  'one/exit_code': '0\n',
  'one/config.yaml': 'x: 1\n',
  'one/cache.pickle': 'opaque',
  'one/.uuid': 'u',
  'one/000__run/result.json': '{}',
  'one/000__run/huge.log': 'long',
  'one/deep/er/001__run/result.json': '{}',
  'two/settings': 'b=3\n',
  'two/skip': '',
  'two/three/settings.yaml': 'b: 4\n',
  'two/three/exit_code': '1\n',
};

const MANDATORY = [
  'one/config.yaml',
  'one/exit_code',
  'one/settings.yaml',
  'settings.common.yaml',
  'two/settings',
  'two/skip',
  'two/three/exit_code',
  'two/three/settings.yaml',
];
const IMPORTANT = ['one/.uuid', 'one/000__run/result.json', 'one/deep/er/001__run/result.json'];

for (const [mode, expected] of [
  ['cache_only', [...MANDATORY, 'one/cache.pickle']],
  ['important', [...MANDATORY, 'one/cache.pickle', ...IMPORTANT]],
  ['prefer_cache', [...MANDATORY, 'one/cache.pickle', ...IMPORTANT]],
  ['all', Object.keys(TREE)],
] as const) {
  test(`--mode ${mode} fetches its files`, async () => {
    const { url } = await serve(TREE);
    const dir = newDir();
    const options = ['--mode', mode, '--workload', WORKLOAD, '--cache-name', 'cache.pickle'];
    const planned = await download(dir, '--url', url, ...options, '--dry-run');
    assert.equal(planned.code, 0, planned.stderr);
    assert.ok(!existsSync(join(folder, dir)));
    assert.match(planned.stdout, new RegExp(`^${expected.length} files would be downloaded\\.$`, 'm'));
    const done = await download(dir, '--url', url, ...options);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(filesIn(dir), ['source_url', ...expected].map((path) => `expe/from_url/${path}`).sort());
    assert.equal(readFileSync(join(folder, dir, 'expe/from_url/source_url'), 'utf8'), `${url}\n`);
    assert.equal(readFileSync(join(folder, dir, 'expe/from_url/one/settings.yaml'), 'utf8'), 'b: 2\n');
    assert.deepEqual(readdirSync(join(folder, dir, '.nightmark/parts')), []);
  });
}

test('cache_only does not look below a test directory, and files that are there are not asked for', async () => {
  const server = await serve(TREE);
  const dir = newDir();
  await download(dir, '--url', server.url, '--mode', 'cache_only');
  assert.ok(!server.requests.some((request) => request.includes('000__run')));
  server.requests.length = 0;
  const again = await download(dir, '--url', server.url, '--mode', 'cache_only', '--do-download');
  assert.match(again.stdout, /^0 files downloaded \(0 B\), 8 existed already\.$/m);
  assert.ok(
    server.requests.every((request) => request.endsWith('/')),
    server.requests.join(),
  );
});

test('a url file names trees, folders, settings and further files', async () => {
  const { url } = await serve(TREE);
  const dir = newDir();
  writeFileSync(
    join(folder, 'urls.yaml'),
    `download:\n- {url: ${url}/one, dest_dir: expe/a, settings: {version: "1.10", gpu: true}}\n- files: [more.yaml]\n`,
  );
  writeFileSync(join(folder, 'more.yaml'), `- url: ${url}/two/three/\n  dest_dir: expe/b/\n`);
  const { code, stderr } = await download(dir, '--url-file', 'urls.yaml', '--mode', 'cache_only');
  assert.equal(code, 0, stderr);
  assert.deepEqual(filesIn(dir), [
    ...['config.yaml', 'exit_code', 'settings.from_url_file.yaml', 'settings.yaml', 'source_url'].map(
      (name) => `expe/a/${name}`,
    ),
    ...['exit_code', 'settings.yaml', 'source_url'].map((name) => `expe/b/${name}`),
  ]);
  assert.equal(
    readFileSync(join(folder, dir, 'expe/a/settings.from_url_file.yaml'), 'utf8'),
    "gpu: true\nversion: '1.10'\n",
  );
});

test('--filter chooses trees of a url file by their settings', async () => {
  const { url } = await serve(TREE);
  const tree = (name: string, settings: string) =>
    `- {url: ${url}/one, dest_dir: ${name}, settings: {${settings}}}\n`;
  const lines = [tree('a', 'version: "1.9"'), tree('b', 'version: "1.10"'), tree('c', 'gpu: true')];
  writeFileSync(join(folder, 'three.yaml'), `download:\n${lines.join('')}`);
  const dir = newDir();
  const argv = [dir, '--url-file', 'three.yaml', '--mode', 'cache_only', '--filters'] as const;
  assert.equal((await download(...argv, 'version=1.10')).code, 0);
  assert.deepEqual(readdirSync(join(folder, dir)).sort(), ['.nightmark', 'b', 'c']);
  const none = await download(...argv, 'version=2,gpu=false');
  assert.equal(none.code, 1);
  assert.match(none.stderr, /None of the 3 trees of three\.yaml passes --filter/);
});

test('a url file cannot lead out of the folder, and mistakes are reported with their position', async () => {
  for (const bad of ['../x', '/tmp/x', 'a/../../x', '.nightmark/x']) {
    writeFileSync(join(folder, 'bad.yaml'), `download:\n- url: http://127.0.0.1:1/\n  dest_dir: ${bad}\n`);
    const { code, stderr } = await download(newDir(), '--url-file', 'bad.yaml', '--mode', 'all');
    assert.equal(code, 1);
    assert.match(stderr, /bad\.yaml:3:13.*download\[0\]\.dest_dir: expected a folder below the results/s);
  }
  writeFileSync(join(folder, 'bad.yaml'), 'download:\n- {ulr: x, dest_dir: y}\n');
  assert.equal((await download(newDir(), '--url-file', 'bad.yaml', '--mode', 'all')).code, 1);
});

test('invalid options are refused', async () => {
  for (const [options, message] of [
    [[], /No address to download from/],
    [['--url', 'http://x/', '--mode', 'importnt'], /Did you mean important\?/],
    [['--url', 'http://x/'], /needs a workload/],
    [['--url', 'ftp://x/', '--mode', 'all'], /Cannot download from ftp:\/\/x\//],
    [['--url', 'http://me:secret@x/', '--mode', 'all'], /has a user or a password in the address/],
    [['--url-file', 'nothing.yaml', '--mode', 'all'], /There is no url file/],
    [['--url', 'http://x/', '--mode', 'all', '--max-size', 'big'], /Invalid --max-size: big/],
  ] as const) {
    const { code, stderr } = await download(newDir(), ...options);
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
    assert.ok(!stderr.includes('secret'));
  }
});

test('a file that broke off is resumed, also in another run', async () => {
  const big = 'begin'.repeat(100_000);
  let breaks = 7;
  const server = await serve((request, response) => {
    if (request.url === '/') return serveFiles({ 'big.bin': big })(request, response);
    if (breaks-- <= 0) return sendFile(big, request, response);
    // A hundred thousand bytes, then the line is cut.
    const start = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
    const head = { etag: '"500000-beginbeg"', 'content-length': big.length - start };
    if (start === 0) response.writeHead(200, head);
    else
      response.writeHead(206, { ...head, 'content-range': `bytes ${start}-${big.length - 1}/${big.length}` });
    response.write(big.slice(start, start + 50_000), () => setTimeout(() => response.destroy(), 200));
  });
  const dir = newDir();
  const first = await download(dir, '--url', server.url, '--mode', 'all');
  assert.equal(first.code, 4);
  assert.match(first.stderr, /failed: expe\/from_url\/big\.bin/);
  assert.ok(!existsSync(join(folder, dir, 'expe/from_url/big.bin')));
  const second = await download(dir, '--url', server.url, '--mode', 'all', '--json');
  assert.equal(second.code, 0, second.stderr);
  assert.equal(readFileSync(join(folder, dir, 'expe/from_url/big.bin'), 'utf8'), big);
  const [line = ''] = second.stdout.split('\n');
  assert.equal((JSON.parse(line) as { resumed_at: number }).resumed_at, 250_000);
  assert.ok(server.requests.includes('GET /big.bin bytes=250000-'), server.requests.join());
});

test('a file that has changed since is downloaded from the start', async () => {
  let content = 'old'.repeat(10_000);
  let isBreaking = true;
  const server = await serve((request, response) => {
    if (request.url === '/') return serveFiles({ f: 'x' })(request, response);
    if (!isBreaking) return sendFile(content, request, response);
    if (request.headers.range !== undefined) return void response.writeHead(500).end();
    response.writeHead(200, { etag: '"1"', 'content-length': content.length });
    response.write(content.slice(0, 9_000), () => setTimeout(() => response.destroy(), 200));
  });
  const dir = newDir();
  assert.equal((await download(dir, '--url', server.url, '--mode', 'all')).code, 4);
  isBreaking = false;
  content = 'new'.repeat(2_000);
  assert.equal((await download(dir, '--url', server.url, '--mode', 'all')).code, 0);
  assert.equal(readFileSync(join(folder, dir, 'expe/from_url/f'), 'utf8'), content);
});

test('a server that says when it has time again is believed, with the growing pauses as the least', async () => {
  const waits: number[] = [];
  const patient = { ...systemClock, sleep: async (ms: number) => void waits.push(ms) };
  const answers = ['7', 'nonsense', '3600'];
  const { url } = await serve((request, response) => {
    if (request.url === '/') return serveFiles({ f: 'x' })(request, response);
    const after = answers.shift();
    if (after === undefined) return sendFile('x', request, response);
    response.writeHead(429, { 'retry-after': after }).end();
  });
  const argv = ['matrix', 'download', newDir(), '--url', url, '--mode', 'all'];
  assert.equal((await runInProcess(argv, { cwd: folder, clock: patient })).code, 0);
  assert.deepEqual(waits, [7_000, 1_000, 120_000]);
});

test('files whose names begin with a dot are asked for, also where a listing hides them', async () => {
  const tree: Record<string, string> = { 'one/exit_code': '0', 'one/.uuid': 'u', 'two/exit_code': '0' };
  const listed = serveFiles({ 'one/exit_code': '0', 'two/exit_code': '0' });
  const { url, requests } = await serve((request, response) => {
    if (request.url?.endsWith('/')) return listed(request, response);
    const content = tree[(request.url ?? '').slice(1)];
    if (content === undefined) return void response.writeHead(404).end();
    sendFile(content, request, response);
  });
  const dir = newDir();
  const planned = await download(dir, '--url', url, '-w', WORKLOAD, '--dry-run');
  assert.match(planned.stdout, /^3 files would be downloaded\.$/m);
  const { code, stdout, stderr } = await download(dir, '--url', url, '-w', WORKLOAD);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^3 files downloaded \(3 B\)\.$/m);
  assert.equal(readFileSync(join(folder, dir, 'expe/from_url/one/.uuid'), 'utf8'), 'u');
  assert.ok(requests.includes('GET /two/.uuid'), requests.join());
});

test('names that could do harm are refused and reported, the others are downloaded', async () => {
  const names = [
    '..',
    '../../out',
    '/abs',
    'a/b',
    'n\0l',
    'c\u001bx',
    '.nightmark',
    'b\\c',
    'x'.repeat(300),
    'Same',
    'same',
    '',
    'good',
  ];
  const listing = names.map((name) => ({ name, type: 'file', size: 4 }));
  const { url } = await serve((request, response) => {
    if (request.url !== '/') return void response.end('evil');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(listing));
  });
  const dir = newDir();
  const { code, stdout, stderr } = await download(dir, '--url', url, '--mode', 'all');
  assert.equal(code, 4);
  assert.deepEqual(
    filesIn(dir),
    ['Same', 'good', 'source_url'].map((name) => `expe/from_url/${name}`).sort(),
  );
  assert.match(stdout, /^2 files downloaded \(8 B\), 11 refused\.$/m);
  assert.match(stderr, /^refused: expe\/from_url\/\.\.: it means another folder$/m);
  assert.ok(!stderr.includes('\u001b'));
  assert.ok(!existsSync(join(folder, 'out')));
});

test('links and files in the way are not written through', async () => {
  const { url } = await serve({ 'one/f': '1', two: '2', 'three/f': '3', four: '4' });
  const dir = newDir();
  const target = join(folder, dir, 'expe/from_url');
  mkdirSync(target, { recursive: true });
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'precious'), 'mine');
  symlinkSync(join(folder, 'outside'), join(target, 'one'));
  symlinkSync(join(folder, 'precious'), join(target, 'two'));
  writeFileSync(join(target, 'three'), 'a file');
  const { code, stdout } = await download(dir, '--url', url, '--mode', 'all');
  assert.equal(code, 4);
  assert.match(stdout, /1 files downloaded \(1 B\), 3 refused/);
  assert.deepEqual(readdirSync(join(folder, 'outside')), []);
  assert.equal(readFileSync(join(folder, 'precious'), 'utf8'), 'mine');
});

test('another host is asked only when it is allowed', async () => {
  const other = await serve({ f: 'from there' });
  const { url } = await serve((request, response) => {
    if (request.url === '/') return serveFiles({ f: '' })(request, response);
    response.writeHead(302, { location: `${other.url}/f` }).end();
  });
  const dir = newDir();
  const refused = await download(dir, '--url', url, '--mode', 'all');
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /redirects to another host/);
  assert.deepEqual(other.requests, []);
  const allowed = await download(dir, '--url', url, '--mode', 'all', '--allow-host', new URL(other.url).host);
  assert.equal(allowed.code, 0, allowed.stderr);
  assert.equal(readFileSync(join(folder, dir, 'expe/from_url/f'), 'utf8'), 'from there');
});

test('no more than --max-size is downloaded', async () => {
  const { url } = await serve({ a: 'x'.repeat(600), b: 'y'.repeat(600) });
  const dir = newDir();
  const { code, stderr } = await download(
    dir,
    '--url',
    url,
    '--mode',
    'all',
    '--max-size',
    '1K',
    '--jobs',
    '1',
  );
  assert.equal(code, 1);
  assert.match(stderr, /b exceeds the size limit of the download/);
  assert.deepEqual(filesIn(dir), ['expe/from_url/a', 'expe/from_url/source_url']);
});

test('a server that is not there, a missing folder and a page that is not a listing are errors', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/page/')
      return void response.setHeader('content-type', 'text/html').end('<p>Hello</p>');
    response.writeHead(404).end();
  });
  for (const [address, message] of [
    ['http://127.0.0.1:1/', /ECONNREFUSED|bad port/],
    [`${url}/gone`, /the server answered 404/],
    [`${url}/page`, /is not a listing of a folder \(text\/html\)/],
  ] as const) {
    const { code, stderr } = await download(newDir(), '--url', address, '--mode', 'all');
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});

test('a bucket with more keys than a page has, and keys that could do harm', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 2500 }, (_, index) => [`runs/one/logs/${index}`, 'x']),
  );
  const files = {
    ...many,
    'runs/one/exit_code': '0',
    'runs/one/../../up': 'evil',
    'runs//double': 'evil',
    'runs/one/': '',
  };
  const keys = { id: 'AKID', secret: 'hidden' };
  const server = await serve(serveS3({ bucket: 'bucket', files, keys }));
  const dir = newDir();
  const env = { AWS_ACCESS_KEY_ID: keys.id, AWS_SECRET_ACCESS_KEY: keys.secret };
  const run = (...options: string[]) => {
    const argv = ['matrix', 'download', dir, '--url', 's3://bucket/runs', '--s3-endpoint', server.url];
    return runInProcess([...argv, ...options], { cwd: folder, clock, env });
  };
  const planned = await run('--mode', 'all', '--dry-run');
  assert.equal(planned.code, 4);
  assert.match(planned.stdout, /^2501 files would be downloaded, 2 refused\.$/m);
  assert.equal(server.requests.length, 5);
  const { code, stdout, stderr } = await run('--mode', 'cache_only');
  assert.equal(code, 4, stderr);
  assert.match(stdout, /^1 files downloaded \(1 B\), 2 refused\.$/m);
  assert.ok(!stderr.includes('hidden'));
});

test('an interruption keeps what was downloaded, and the exit code shows it', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/') return serveFiles({ f: 'x' })(request, response);
    response.writeHead(200, { etag: '"1"', 'content-length': 10 });
    // The rest never comes.
    response.write('begin', () => setTimeout(() => child.kill('SIGINT'), 300));
  });
  const dir = newDir();
  const argv = [
    'dist/src/cli/nightmark.cjs',
    'matrix',
    'download',
    join(folder, dir),
    '--url',
    server.url,
    '--mode',
    'all',
  ];
  const child = spawn(process.execPath, argv, { stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 130);
  const part =
    readdirSync(join(folder, dir, '.nightmark/parts')).find((name) => name.endsWith('.part')) ?? '';
  assert.equal(readFileSync(join(folder, dir, '.nightmark/parts', part), 'utf8'), 'begin');
});

test("Python's http.server, and the tree can be parsed", async () => {
  cpSync('test/golden/matrix/results', join(folder, 'golden'), { recursive: true });
  const server = spawn(
    'python3',
    ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', join(folder, 'golden')],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  try {
    const port = await portOf(server.stdout);
    const dir = newDir();
    const { code, stderr } = await download(dir, '--url', `http://127.0.0.1:${port}/`, '-w', WORKLOAD);
    assert.equal(code, 0, stderr);
    const parsed = async (tree: string) => {
      const { stdout } = await runInProcess(['matrix', 'parse', tree, '-w', WORKLOAD, '--json'], {
        cwd: folder,
      });
      return (JSON.parse(stdout) as { results: unknown; processed_key: string }[]).map(
        ({ results, processed_key }) => [processed_key, results],
      );
    };
    const fetched = await parsed(dir);
    assert.ok(fetched.length >= 4);
    assert.deepEqual(fetched, await parsed('golden'));
  } finally {
    server.kill();
  }
});

function portOf(output: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  // The stream stays open: a server that cannot write its first line to the end goes away.
  return new Promise((resolve, reject) => {
    output.on('data', (part: Buffer) => {
      text += part;
      const [, port] = /port (\d+)[^\n]*\n/.exec(text) ?? [];
      if (port !== undefined) resolve(port);
    });
    output.on('end', () => reject(new Error(`No port in "${text}".`)));
  });
}
