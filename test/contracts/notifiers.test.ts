import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, beforeEach, describe, test } from 'node:test';
import { adapterIds, loadAdapter } from '../../src/platform/cli/adapters.ts';
import type { Notice } from '../../src/publish/core/notices/notice.ts';
import type {
  Notifier,
  NotifierConnection,
  NotifyPlace,
  OutgoingMessage,
} from '../../src/publish/core/notices/notifier.ts';
import { startReceiver } from '../support/notice-receiver.ts';
import { startSmtp } from '../support/smtp-server.ts';

const never = new AbortController().signal;
const receiver = await startReceiver();
const post = await startSmtp();
const silent = await startSmtp({ isSilent: true });
after(() => Promise.all([receiver.stop(), post.stop(), silent.stop()]));
beforeEach(() => {
  receiver.got.length = 0;
  receiver.surprises.length = 0;
  post.mails.length = 0;
  post.surprises.length = 0;
});

const SECRET = 'xoxb-hunter2';
const PLACES: Readonly<Record<string, NotifyPlace>> = {
  slack: { channel: '#perf', url: `${receiver.url}/api/`, secrets: { token: SECRET }, timeoutMs: 500 },
  webhook: { url: `${receiver.url}/hook`, secrets: { secret: SECRET }, timeoutMs: 500 },
  email: {
    addresses: ['a@example.org', 'b@example.org'],
    from: 'nightmark@example.org',
    url: `smtp://127.0.0.1:${post.port}`,
    secrets: {},
    timeoutMs: 500,
  },
};

const notice: Notice = {
  topic: 'change:abc',
  event: 'regression',
  state: 'found',
  severity: 'warning',
  at: 1_700_000_000_000,
  project: 'garage',
  runId: 'r1',
  experiment: 'sort',
  title: 'Regression found: sort/time +10.0 % (+9.1 to +10.9)',
  text: 'Seen in few values yet.',
  facts: [{ name: 'Commits', value: 'garage 1a..2b' }],
  link: 'https://bench.example.org/experiments/sort',
  mentions: ['U0123', '@channel <!here>'],
  charts: [],
  strength: 1,
};
const message = (more: Partial<Notice> = {}, rest: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  notice: { ...notice, ...more },
  kind: 'new',
  pictures: [],
  ...rest,
});
const HOSTILE =
  '<!channel> <@U1> <https://evil.example|x> & "q"\r\nBcc: evil@example.org\r\n\r\n<script>\u202e\u0000é𝄞';

/** What arrived as text, whoever received it. */
const arrived = () => [
  ...receiver.got.map(({ body }) => body.toString()),
  ...post.mails.map(({ text }) => text),
];

for (const id of adapterIds('notifiers')) {
  describe(id, async () => {
    const notifier = await loadAdapter<Notifier>('notifiers', id);
    const place = PLACES[id] ?? assert.fail(`no receiver for ${id}`);
    const connection = notifier.open(place);

    test('1: what is sent has arrived, with a receipt', async () => {
      const sent = await connection.send(message(), never);
      assert.ok(
        sent.state === 'sent' && sent.receipt !== undefined && sent.receipt !== '',
        JSON.stringify(sent),
      );
      assert.equal(arrived().length, 1);
      assert.match(arrived()[0] ?? '', /Regression found: sort\/time/);
      assert.match(arrived()[0] ?? '', /garage 1a\.\.2b/);
    });

    test('2: a receiver that is not there, or silent, is an answer within the timeout', async () => {
      const url = id === 'email' ? 'smtp://127.0.0.1:1' : 'http://127.0.0.1:1/';
      const away = await notifier.open({ ...place, url }).send(message(), never);
      assert.ok(away.state === 'busy' && /127\.0\.0\.1:1/.test(away.message), JSON.stringify(away));
      receiver.surprises.push({ hangs: true });
      const hanging = id === 'email' ? { ...place, url: `smtp://127.0.0.1:${silent.port}` } : place;
      const late = await notifier.open({ ...hanging, timeoutMs: 100 }).send(message(), never);
      assert.equal(late.state, 'busy', JSON.stringify(late));
    });

    test('2: a cancelled message ends at once', async () => {
      const controller = new AbortController();
      receiver.surprises.push({ hangs: true });
      controller.abort();
      const sent = await connection.send(message(), controller.signal);
      assert.equal(sent.state, 'busy');
      // Nothing goes on behind its back: the next message is the next that arrives.
      receiver.surprises.length = 0;
      await connection.send(message({ title: 'The next one' }), never);
      assert.equal(arrived().length, 1);
      assert.match(arrived()[0] ?? '', /The next one/);
    });

    test('2: busy, blocked and refused, with the words of the receiver', async () => {
      const outcomes: string[] = [];
      for (const [status, code] of [
        [503, '451'],
        [403, '550'],
        [400, '554'],
      ] as const) {
        receiver.surprises.push({ status, body: 'some words' });
        post.surprises.push(['DATA', `${code} some words`]);
        const sent = await connection.send(message(), never);
        assert.ok('message' in sent && sent.message.includes('some words'), JSON.stringify(sent));
        assert.ok(!sent.message.includes(SECRET));
        outcomes.push(sent.state);
      }
      assert.deepEqual(outcomes, ['busy', 'blocked', 'refused']);
    });

    test('3: a hostile text can only be read', async () => {
      const more = {
        title: HOSTILE,
        text: HOSTILE,
        project: HOSTILE,
        facts: [{ name: HOSTILE, value: HOSTILE }],
      };
      assert.equal((await connection.send(message(more), never)).state, 'sent');
      assertHarmless(id);
    });

    test('4: a huge notice is cut', async () => {
      const huge = 'xy'.repeat(100_000);
      const facts = Array.from({ length: 500 }, () => ({ name: huge, value: huge }));
      const sent = await connection.send(message({ title: huge, text: huge, facts }), never);
      assert.equal(sent.state, 'sent', JSON.stringify(sent));
      const [text = ''] = arrived();
      assert.ok(text.length < 300_000 && text.includes('[...]'), `${text.length} characters`);
    });

    test('5: a preview sends nothing and shows no secret', () => {
      const { to, body } = connection.preview(message());
      assert.ok(to.length > 0 && body.includes('sort/time'));
      assert.ok(!`${to}${body}`.includes(SECRET));
      assert.deepEqual(arrived(), []);
    });

    test('6: it can do what it declares', async () => {
      await checkAbilities(connection);
    });
  });
}

function assertHarmless(id: string): void {
  const [text = ''] = arrived();
  if (id === 'email') {
    const [head = ''] = text.split('\n\n');
    assert.deepEqual(post.mails[0]?.to, ['a@example.org', 'b@example.org']);
    assert.doesNotMatch(head, /^(?:Bcc|<script>)/im);
    assert.match(head, /^To: a@example\.org, b@example\.org$/m);
    assert.match(head, /^Subject: =\?UTF-8\?/m);
    return;
  }
  const json = receiver.got[0]?.json;
  assert.ok(json, 'JSON');
  if (id !== 'slack') return;
  const strings = JSON.stringify(json);
  assert.deepEqual(strings.match(/<[^>]*>/g), ['<@U0123>'], 'nothing but the one mention that was asked for');
  assert.match(strings, /&lt;!channel&gt;/);
}

async function checkAbilities(connection: NotifierConnection): Promise<void> {
  const { supports } = connection;
  const first = await connection.send(message(), never);
  const earlier = first.state === 'sent' ? first.receipt : undefined;
  assert.ok(earlier !== undefined);
  for (const [kind, can] of [
    ['update', supports.updates],
    ['reply', supports.threads],
  ] as const) {
    if (!can) continue;
    const sent = await connection.send(message({ state: 'confirmed' }, { kind, earlier }), never);
    assert.equal(sent.state, 'sent');
  }
  const picture = { name: 'a.png', title: 'a chart', png: Buffer.from([137, 80, 78, 71]) };
  if (connection.attach) assert.equal((await connection.attach(earlier, picture, never)).state, 'sent');
  else if (supports.images) {
    await connection.send(message({}, { pictures: [picture] }), never);
    assert.match(arrived().at(-1) ?? '', /image\/png[\s\S]*iVBORw==/);
  }
}

describe('slack alone', async () => {
  const { open } = await loadAdapter<Notifier>('notifiers', 'slack');
  const place = PLACES['slack'] as NotifyPlace;
  const connection = open(place);

  test('posts, changes, answers and uploads as its API says', async () => {
    await connection.send(message(), never);
    const earlier = 'C1:1700000000.1';
    await connection.send(message({}, { kind: 'update', earlier }), never);
    await connection.send(message({}, { kind: 'reply', earlier }), never);
    await connection.attach?.(earlier, { name: 'a.png', title: 'T', png: Buffer.from('png') }, never);
    const calls = receiver.got.map(({ path, json, body }) => [path, json ?? body.toString()] as const);
    assert.deepEqual(
      calls.map(([path]) => path.replace(/\d+$/, 'N')),
      [
        '/api/chat.postMessage',
        '/api/chat.update',
        '/api/chat.postMessage',
        '/api/files.getUploadURLExternal',
        '/store/N',
        '/api/files.completeUploadExternal',
      ],
    );
    const [first, update, reply, asked, stored, done] = calls.map(([, body]) => body);
    assert.deepEqual(
      [first.channel, first.thread_ts, first.attachments[0].color],
      ['#perf', undefined, '#e8a317'],
    );
    assert.match(first.text, /\n<@U0123> @channel &lt;!here&gt;$/);
    assert.doesNotMatch(update.text, /<@/, 'a change pings nobody again');
    assert.deepEqual([update.channel, update.ts], ['C1', '1700000000.1']);
    assert.deepEqual([reply.channel, reply.thread_ts], ['C1', '1700000000.1']);
    assert.equal(asked, 'filename=a.png&length=3&alt_txt=T');
    assert.equal(stored, 'png');
    assert.deepEqual([done.channel_id, done.thread_ts, done.files[0].title], ['C1', '1700000000.1', 'T']);
    assert.equal(receiver.got[0]?.headers.authorization, `Bearer ${SECRET}`);
    assert.equal(receiver.got[4]?.headers.authorization, undefined, 'the store needs no token');
  });

  test('`ok: false` is a failure with its word', async () => {
    const states: string[] = [];
    for (const error of ['ratelimited', 'channel_not_found', 'msg_too_long', 'message_not_found']) {
      receiver.surprises.push({ body: JSON.stringify({ ok: false, error }) });
      const sent = await connection.send(message(), never);
      assert.ok('message' in sent && sent.message.includes(error));
      states.push(sent.state);
    }
    assert.deepEqual(states, ['busy', 'blocked', 'refused', 'gone']);
    receiver.surprises.push({ status: 429, headers: { 'retry-after': '7' } });
    const limited = await connection.send(message(), never);
    assert.ok(limited.state === 'busy' && limited.retryAfterMs === 7000);
    receiver.surprises.push({ body: '<html>' });
    assert.equal((await connection.send(message(), never)).state, 'blocked');
  });

  test('a webhook takes the same message, and says that it can no more', async () => {
    const hook = open({ secrets: { webhook: `${receiver.url}/services/T/B/${SECRET}` }, timeoutMs: 500 });
    assert.deepEqual(
      [hook.supports, hook.attach],
      [{ updates: false, threads: false, images: false }, undefined],
    );
    assert.deepEqual(await hook.send(message(), never), { state: 'sent' });
    assert.match(receiver.got[0]?.json.text, /^garage: Regression found/);
    receiver.surprises.push({ status: 404, body: 'no_service' });
    const gone = await hook.send(message(), never);
    assert.ok(
      gone.state === 'blocked' && gone.message === 'Slack answered 404: no_service',
      JSON.stringify(gone),
    );
  });
});

test('a webhook is signed, and the same notice has the same key', async () => {
  const { open } = await loadAdapter<Notifier>('notifiers', 'webhook');
  const connection = open(PLACES['webhook'] as NotifyPlace);
  for (let time = 0; time < 2; time++) await connection.send(message(), never);
  const [first, second] = receiver.got;
  assert.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key']);
  const time = String(first?.headers['x-nightmark-timestamp']);
  const hash = createHmac('sha256', SECRET).update(`${time}.${first?.body}`).digest('hex');
  assert.equal(first?.headers['x-nightmark-signature'], `sha256=${hash}`);
});

test('mail: answers stand below the first, and bad addresses are refused before anything is sent', async () => {
  const { open } = await loadAdapter<Notifier>('notifiers', 'email');
  const place = PLACES['email'] as NotifyPlace;
  const first = await open(place).send(message(), never);
  assert.ok(first.state === 'sent' && first.receipt);
  await open(place).send(message({ state: 'confirmed' }, { kind: 'reply', earlier: first.receipt }), never);
  assert.ok(post.mails[1]?.text.includes(`In-Reply-To: ${first.receipt}`));
  assert.match(post.mails[0]?.text ?? '', /^Auto-Submitted: auto-generated$/m);
  for (const address of ['a@b\r\nBcc: evil@c', 'a@b,c@d', 'Name <a@b>', '', 'a b@c'])
    assert.throws(() => open({ ...place, addresses: [address] }), { code: 'NOTIFY_BAD_ADDRESS' });
  assert.throws(() => open({ ...place, url: 'smtp://me:pw@h' }), { code: 'NOTIFY_BAD_ADDRESS' });
  const secrets = { user: 'me', password: 'hunter2' };
  const plain = await open({ ...place, secrets }).send(message(), never);
  assert.ok(plain.state !== 'sent' && !plain.message.includes('hunter2'), 'no password in the clear');
});
