import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../test/support/duet-folder.ts';
import { UdpReceiver, withoutTime } from '../../test/support/udp-receiver.ts';
import { tagsFrom } from '../metrics/client/destination.ts';
import { int, Metrics, metricId } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-metrics-'));
const receiver = new UdpReceiver();
const port = await receiver.listen();
after(() => {
  receiver.close();
  rmSync(folder, { recursive: true });
});
const env = { NIGHTMARK_METRICS_URL: `udp://127.0.0.1:${port}`, NIGHTMARK_METRICS_TAGS: 'job_id=7,user=me' };

test('logs values, parameters, progress, texts and images with the tags of the environment', async () => {
  receiver.datagrams.length = 0;
  const metrics = new Metrics({ env, tags: { seed: 3 }, outputDir: folder });
  metrics.log('loss', 0.46, { step: 10, tags: { split: 'train' } });
  metrics.log(
    'eval',
    { accuracy: 1, count: int(3), big: 2n ** 60n, ok: true },
    { at: 1_500_000_000_000_000_001n },
  );
  metrics.parameters({ lr: 0.1, model: 'a "b"', shuffle: false });
  metrics.progress(0.25);
  metrics.text('note', 'two\nlines');
  await metrics.image('a/../b c', Uint8Array.of(0x89, 0x50, 1), { step: 4 });
  await metrics.close();
  await receiver.untilLines(9);
  const text = receiver.datagrams
    .join('')
    .replace(/ \d{19}(?=\n)/g, (time) => (time.startsWith(' 15') ? time : ''));
  const tags = 'job_id=7';
  assert.equal(
    text,
    `loss,${tags},seed=3,split=train,user=me step=10i,value=0.46
eval,${tags},seed=3,user=me accuracy=1.0,big=1152921504606846976i,count=3i,ok=True 1500000000000000001
parameter,${tags},name=lr,seed=3,user=me number=0.1
parameter,${tags},name=model,seed=3,user=me text="a \\"b\\""
parameter,${tags},name=shuffle,seed=3,user=me text="false"
progress,${tags},seed=3,user=me value=0.25
text,${tags},name=note,seed=3,user=me value="two
lines"
image,${tags},name=a/../b\\ c,seed=3,user=me path="images/a_.._b_c-4.png",step=4i
`,
  );
  assert.deepEqual([...readFileSync(join(folder, 'images/a_.._b_c-4.png'))], [0x89, 0x50, 1]);
  assert.deepEqual(metrics.counts, { sent: 8, waiting: 0, invalid: 0, dropped: 0 });
});

test('gathers lines into datagrams below 1,400 bytes, each with a moment of its own', async () => {
  receiver.datagrams.length = 0;
  const metrics = new Metrics({ env });
  for (let i = 0; i < 2_000; i++) metrics.log('loss', i);
  await metrics.close();
  const lines = await receiver.untilLines(2_000);
  assert.ok(receiver.datagrams.every((datagram) => Buffer.byteLength(datagram) <= 1_400));
  assert.ok(receiver.datagrams.length < 120, String(receiver.datagrams.length));
  assert.equal(new Set(lines.map((line) => line.split(' ').at(-1))).size, 2_000);
  assert.deepEqual(
    lines.map(withoutTime),
    Array.from({ length: 2_000 }, (_, i) => `loss,job_id=7,user=me value=${i}.0`),
  );
});

test('hostile calls are counted and harm nobody', async () => {
  receiver.datagrams.length = 0;
  const metrics = new Metrics({ env: { ...env, NIGHTMARK_METRICS_TAGS: '' } });
  metrics.log('', 1);
  metrics.log('m', {});
  metrics.log('m', null as unknown as number);
  metrics.log('m', 1, { step: Number.NaN });
  metrics.log('m', Symbol('x') as unknown as number);
  metrics.parameters(null as unknown as Record<string, number>);
  metrics.log('huge', 'x'.repeat(70_000));
  await metrics.image('gone', join(folder, '../there/is/none.png'));
  metrics.log('good', true);
  await metrics.close();
  assert.deepEqual((await receiver.untilLines(1)).map(withoutTime), ['good value=True']);
  const { sent, invalid, dropped } = metrics.counts;
  assert.deepEqual({ sent, invalid, dropped }, { sent: 1, invalid: 7, dropped: 1 });
});

for (const to of [
  'udp://127.0.0.1:9',
  'http://127.0.0.1:9',
  'no address',
  'udp://no.such.host.invalid:8092',
]) {
  test(`a program ends by itself when nobody is at ${to}, and learns it`, async () => {
    const ran = await runModule(
      `const metrics = new Metrics({ to: ${JSON.stringify(to)} });
       for (let i = 0; i < 100; i++) metrics.log('loss', i);
       process.on('exit', () => console.log('ended'));`,
    );
    assert.deepEqual(ran, { code: 0, text: 'ended\n' });
  });
}

test('what was logged last arrives, whichever way a program ends', async () => {
  for (const end of ['', 'setTimeout(() => process.exit(0), 50);']) {
    receiver.datagrams.length = 0;
    await runModule(`const metrics = new Metrics(); metrics.log('last', 1n); ${end}`, env);
    assert.deepEqual((await receiver.untilLines(1)).map(withoutTime), ['last,job_id=7,user=me value=1i']);
  }
});

test('over HTTP it waits for a server that comes later, and gives up what that refuses', async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    bodies.push(`${request.url} ${request.headers.authorization} ${withoutTime(body.trim())}`);
    response
      .writeHead(body.startsWith('bad') ? 400 : 204)
      .end(body.startsWith('bad') ? '{"error":"no"}' : undefined);
  });
  const found = createServer().listen(0, '127.0.0.1');
  await until(() => found.listening);
  const { port: free } = found.address() as AddressInfo;
  await new Promise((resolve) => found.close(resolve));

  const metrics = new Metrics({ to: `http://127.0.0.1:${free}?db=tests`, token: 'secret', env: {} });
  metrics.log('early', 1n);
  await metrics.flush();
  assert.equal(metrics.counts.waiting, 1);
  server.listen(free, '127.0.0.1');
  await until(() => server.listening);
  await metrics.flush();
  metrics.log('bad', 2n);
  await metrics.close();
  server.closeAllConnections();
  server.close();
  const path = '/write?db=tests&precision=ns Bearer secret';
  assert.deepEqual(bodies, [`${path} early value=1i`, `${path} bad value=2i`]);
  assert.deepEqual(metrics.counts, { sent: 1, waiting: 0, invalid: 0, dropped: 1, lastError: '400 no' });
});

const PARTIAL: readonly (readonly [error: string, headers: Record<string, string>, dropped: number])[] = [
  ['partial write: field type conflict: input field "v" is type float dropped=2', {}, 2],
  [
    "partial write: unable to parse 'a': missing fields\nunable to parse 'b': missing fields dropped=0",
    {},
    2,
  ],
  ["unable to parse 'a': missing fields", {}, 5],
  ['partial write: of two kinds dropped=1', { 'x-nightmark-refused-lines': '3' }, 3],
];

for (const [error, headers, dropped] of PARTIAL) {
  test(`each line counts once when a server says "${error.slice(0, 40)}..."`, async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(400, headers).end(JSON.stringify({ error })));
    }).listen(0, '127.0.0.1');
    await until(() => server.listening);
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const metrics = new Metrics({ to, env: {} });
    for (let i = 0; i < 4; i++) metrics.log('m', i);
    metrics.log('text', 'with\na line feed');
    await metrics.close();
    server.close();
    const { sent, waiting, dropped: lost } = metrics.counts;
    assert.deepEqual({ sent, waiting, lost }, { sent: 5 - dropped, waiting: 0, lost: dropped });
  });
}

test('reads tags with escapes, and names runs and experiments', () => {
  const given = {
    NIGHTMARK_METRICS_TAGS: 'a=1\\,2, b\\=c=d=e,broken,=x,y=',
    NIGHTMARK_RUN_ID: 'r1',
    NIGHTMARK_EXPERIMENT: 'sort',
  };
  assert.deepEqual(tagsFrom(given), { run: 'r1', experiment: 'sort', a: '1,2', 'b=c': 'd=e' });
});

test('the id of a metric is that of Job Monitor', () => {
  // hashlib.md5(json.dumps({'measurement': 'loss', 'split': 'Zürich', 'epoch': 3, 'ok': True, 'worker': 1}, sort_keys=True).encode())
  assert.equal(
    metricId('loss', { split: 'Zürich', epoch: 3, ok: true }, 1),
    'dba88be7e447c018e21cb830ff85398f',
  );
});

async function runModule(
  body: string,
  given: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  const file = join(folder, 'program.mjs');
  const kit = new URL('./index.js', import.meta.url).href;
  writeFileSync(file, `import { Metrics } from ${JSON.stringify(kit)};\n${body}\n`);
  assert.ok(existsSync(file));
  const child = spawn(process.execPath, [file], { env: { PATH: process.env['PATH'], ...given } });
  let text = '';
  child.stdout.on('data', (piece) => (text += piece));
  child.stderr.on('data', (piece) => (text += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, text })));
}
