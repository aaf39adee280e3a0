import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { metricId } from '../../src/kit/metrics.ts';
import { UdpReceiver } from '../support/udp-receiver.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const skip = hasPython ? false : 'there is no python3 on the PATH: install Python 3.8 or newer';
const folder = mkdtempSync(join(tmpdir(), 'nightmark-python-'));
const receiver = new UdpReceiver();
const port = await receiver.listen();
after(() => {
  receiver.close();
  rmSync(folder, { recursive: true });
});

function python(code: string, env: Record<string, string> = {}): string {
  const path = join(process.cwd(), 'kit/python');
  const program = `from nightmark_metrics import *\n${code}`;
  const given = {
    PATH: process.env['PATH'],
    PYTHONPATH: path,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUTF8: '1',
    ...env,
  };
  return execFileSync('python3', ['-W', 'error', '-c', program], {
    env: given,
    encoding: 'utf8',
    timeout: 30_000,
  });
}

/** Calls of pytelegraf with the bytes of its table, or the right ones where its own are not. */
const TABLE: readonly (readonly [call: string, bytes: string])[] = [
  ["'test_metric', 123", 'test_metric value=123i\n'],
  [
    "'test_metric', {'value_a': 100, 'value_b': 100, 'value_c': True}",
    'test_metric value_a=100i,value_b=100i,value_c=True\n',
  ],
  ["'test_metric', 123, tags={'server_name': 'my-server'}", 'test_metric,server_name=my-server value=123i\n'],
  ["'training_loss', 0.46", 'training_loss value=0.46\n'],
  ["'m', float('nan')", 'm value=nan\n'],
  ["'m', float('inf')", 'm value=inf\n'],
  ["'m', 'say \"hi\"'", 'm value="say \\"hi\\""\n'],
  ["'m', 'two\\nlines'", 'm value="two\nlines"\n'],
  ["'m', 1, timestamp=0", 'm value=1i\n'],
  ["'m', 1, timestamp=1500000000000000000", 'm value=1i 1500000000000000000\n'],
  ["'m', 1, tags={'empty': '', 'n': None, 'b': True, 'i': 3}", 'm,b=True,i=3 value=1i\n'],
  ["'m', 1e-07", 'm value=1e-07\n'],
  ["'m', 1e22", 'm value=1e+22\n'],
  ["'m', 10**20", 'm value=1e+20\n'],
  ["'m', -0.0", 'm value=-0.0\n'],
  ["'m', [1, 2]", 'm value="[1, 2]"\n'],
  ["'m', 1, tags={'k': 'v\\\\'}", 'm,k=v value=1i\n'],
  ["'a,b c', {'f=1': 1}, tags={'k ': 'ü,='}", 'a\\,b\\ c,k\\ =ü\\,\\= f\\=1=1i\n'],
];

test('takes the calls of pytelegraf, with its bytes where those are right', { skip }, async () => {
  receiver.datagrams.length = 0;
  const calls = TABLE.map(([call]) => `client.metric(${call})`).join('\n');
  const nothing =
    "client.metric('m', None)\nclient.metric('m', {})\nclient.metric('m', {'a': None})\nclient.metric('m', 'x' * 70000)";
  python(`client = TelegrafClient('127.0.0.1', ${port})\n${nothing}\n${calls}`);
  await receiver.untilLines(TABLE.length + 1);
  assert.deepEqual(
    receiver.datagrams,
    TABLE.map(([, bytes]) => bytes),
  );
});

test('numbers of numpy are what they are', {
  skip: hasPython && spawnSync('python3', ['-c', 'import numpy']).status === 0 ? false : 'there is no numpy',
}, () => {
  const out = python(
    "import numpy as n\nprint(*format_lines('m', {'a': n.float64(.5), 'b': n.float32(.1), 'c': n.int64(3), 'd': n.bool_(True), 'e': n.array([1, 2])}))",
  );
  assert.equal(out, 'm a=0.5,b=0.10000000149011612,c=3i,d=True,e="[1 2]"\n');
});

test('logs values, parameters, progress, texts and images in few datagrams', { skip }, async () => {
  receiver.datagrams.length = 0;
  const out = python(
    `m = Metrics(tags={'seed': 3}, output_dir=${JSON.stringify(folder)})
m.log('loss', 0.46, step=10)
m.log('eval', {'a': 1, 'b': float('nan')}, timestamp=1500000000000000001)
m.parameters({'lr': 1, 'model': 'x', 'on': True})
m.progress(1.5)
m.text('note', 'hi')
m.image('a/b', b'\\x89PNG', step=2)
m.log('', 1); m.log('m', None); m.progress('no'); m.image('x', '/no/such/file'); m.parameters(3)
m.close()
print(m.counts['sent'], m.counts['invalid'], m.counts['dropped'], m.counts['waiting'])`,
    { NIGHTMARK_METRICS_URL: `udp://127.0.0.1:${port}`, NIGHTMARK_METRICS_TAGS: 'job_id=7' },
  );
  assert.equal(out, '9 5 0 0\n');
  await receiver.untilLines(9);
  const tags = (name = '') => `job_id=7${name && `,name=${name}`},seed=3`;
  assert.deepEqual(
    receiver.lines.map((line) => line.replace(/ (?!15)\d{19}$/, '')),
    [
      `loss,${tags()} step=10i,value=0.46`,
      `eval,${tags()} a=1i 1500000000000000001`,
      `eval,${tags()} b=nan 1500000000000000001`,
      `parameter,${tags('lr')} number=1.0`,
      `parameter,${tags('model')} text="x"`,
      `parameter,${tags('on')} text="true"`,
      `progress,${tags()} value=1.0`,
      `text,${tags('note')} value="hi"`,
      `image,${tags('a/b')} path="images/a_b-2.png",step=2i`,
    ],
  );
  assert.equal(receiver.datagrams.length, 1);
  assert.equal(readFileSync(join(folder, 'images/a_b-2.png'), 'latin1'), '\x89PNG');
});

test('what was logged last arrives at the end of a program, also of a child process', { skip }, async () => {
  receiver.datagrams.length = 0;
  python(
    `import os
m = Metrics()
m.log('parent', 1)
child = os.fork()
m.log('child' if child == 0 else 'last', 2)
if child == 0:
    m.flush()
    os._exit(0)
os.waitpid(child, 0)`,
    { JOBMONITOR_TELEGRAF_HOST: '127.0.0.1', JOBMONITOR_TELEGRAF_PORT: String(port) },
  );
  const lines = await receiver.untilLines(3);
  assert.deepEqual(lines.map((line) => line.split(' ')[0]).sort(), ['child', 'last', 'parent']);
});

for (const to of ['udp://127.0.0.1:9', 'http://127.0.0.1:9', 'no address', 'udp://no.such.host.invalid:1']) {
  test(`a program ends by itself when nobody is at ${to}`, { skip }, () => {
    assert.equal(
      python("log_metric('m', 1)\nlog_info({'state.progress': .4, 'x': 1})\nprint('ended')", {
        NIGHTMARK_METRICS_URL: to,
      }),
      'ended\n',
    );
  });
}

test('of a batch that is refused in part each line counts once', { skip }, () => {
  const said = python(
    `import threading, http.server
answers = [
    ('partial write: field type conflict: of v dropped=2', None),
    ("partial write: unable to parse 'a': missing fields\\nunable to parse 'b': missing fields dropped=0", None),
    ("unable to parse 'a': missing fields", None),
    ('partial write: of two kinds dropped=1', '3'),
]
class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers['content-length']))
        error, told = answers.pop(0)
        self.send_response(400)
        if told: self.send_header('x-nightmark-refused-lines', told)
        self.end_headers()
        self.wfile.write(json.dumps({'error': error}).encode())
    def log_message(self, *args): pass
server = http.server.HTTPServer(('127.0.0.1', 0), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()
import nightmark_metrics
for _ in range(4):
    m = Metrics(to='http://127.0.0.1:%d' % server.server_port)
    for i in range(5): m.log('m', i)
    m.close()
    print(m.counts['sent'], m.counts['dropped'], m.counts['waiting'])
server.shutdown()
server.server_close()`.replace('import threading', 'import json, threading'),
  );
  assert.equal(said, '3 2 0\n3 2 0\n0 5 0\n2 3 0\n');
});

test('ids of metrics are the same in both languages', { skip }, () => {
  const tags = { 'split/é😀': 'Zürich\n', '10': 1, '9': true, '\uFF5E': 'x' };
  const text = JSON.stringify(JSON.stringify(tags));
  const ids = python(
    `import json\nt = json.loads(${text})\nprint(metric_id('loss', t), metric_id('loss', t, 0))`,
  );
  assert.equal(ids, `${metricId('loss', tags)} ${metricId('loss', tags, 0)}\n`);
});
