import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { notify, toRoutes } from '../../src/home/config/notify-block.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { deliver } from '../../src/publish/app/notify/deliver.ts';
import { DeliveryLog } from '../../src/publish/app/notify/delivery-log.ts';
import { openDestinations } from '../../src/publish/cli/notify/send-notices.ts';
import type { Notice } from '../../src/publish/core/notices/notice.ts';
import { startReceiver } from '../support/notice-receiver.ts';

const receiver = await startReceiver();
after(() => receiver.stop());
let home = '';
const slept: number[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nightmark-delivery-'));
  receiver.got.length = 0;
  receiver.surprises.length = 0;
  slept.length = 0;
});

const notice = (more: Partial<Notice> = {}): Notice => ({
  topic: 'change:a',
  event: 'regression',
  state: 'found',
  severity: 'warning',
  at: 0,
  project: 'p',
  title: 'title',
  text: 'text',
  facts: [],
  mentions: [],
  charts: ['a'],
  strength: 1,
  ...more,
});
const picture = { name: 'a.png', title: 'a', png: Buffer.from('png') };
const SLACK = { to: 'slack', channel: '#perf', 'token-env': 'T' };

/** Everything real but the pauses, which are only seen. Each round reads the memory anew, as another process would. */
async function round(notices: readonly Notice[], routes: readonly object[] = [SLACK]) {
  const env = { T: 'xoxb', SLACK_API_URL: `${receiver.url}/api/` };
  const destinations = await openDestinations(toRoutes(notify.parse(routes)), { env });
  const { log } = await DeliveryLog.open(home, localDisk);
  receiver.got.length = 0;
  let now = 0;
  const clock = {
    now: () => now,
    wall: systemClock.wall,
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
    },
  };
  const signal = new AbortController().signal;
  const effects = { disk: localDisk, clock, signal, random: () => 0.5, draw: async () => picture };
  return deliver(notices, { destinations, log }, effects);
}
const methods = () => receiver.got.map(({ path }) => path.replace(/^\/api\/|\/\d+$/g, ''));
const fails = (error: string) => ({ body: JSON.stringify({ ok: false, error }) });

test('a message that somebody deleted is said anew, with its chart', async () => {
  await round([notice()]);
  receiver.surprises.push(fails('message_not_found'));
  const [report] = await round([notice({ state: 'confirmed' })]);
  assert.deepEqual(methods(), [
    'chat.update',
    'chat.postMessage',
    'files.getUploadURLExternal',
    '/store',
    'files.completeUploadExternal',
  ]);
  assert.equal(report?.messages, 1);
  assert.equal(receiver.got[1]?.json.thread_ts, undefined);
});

test('what is refused is not sent again; what is blocked waits until it is mended', async () => {
  receiver.surprises.push(fails('msg_too_long'));
  const [refused] = await round([notice()]);
  assert.deepEqual([refused?.messages, refused?.waiting, refused?.problems.length], [0, 0, 1]);
  assert.deepEqual([(await round([notice()]))[0]?.messages, methods()], [0, []]);

  receiver.surprises.push(fails('not_in_channel'));
  const [blocked] = await round([notice({ topic: 'b' }), notice({ topic: 'c' })]);
  assert.deepEqual(
    [blocked?.waiting, methods()],
    [2, ['chat.postMessage']],
    'the second would meet the same',
  );
  assert.deepEqual(slept, [], 'nothing passes by itself');
  assert.match(blocked?.problems[0] ?? '', /not_in_channel/);
  assert.deepEqual((await round([]))[0]?.messages, 2);
});

test('a chart that does not arrive is reported, and the message stands', async () => {
  receiver.surprises.push({ body: '{"ok":true,"channel":"C1","ts":"1"}' }, fails('missing_scope'));
  const [report] = await round([notice()]);
  assert.deepEqual(
    [report?.messages, report?.waiting, report?.problems],
    [1, 0, ['A chart did not arrive: Slack (files.getUploadURLExternal) replied: missing_scope']],
  );
});

test('one that is unavailable does not stop the others, and pauses grow within a bounded time', async () => {
  const away = { to: 'webhook', name: 'away', url: 'http://127.0.0.1:1/', tries: 10 };
  const [first, second] = await round([notice()], [away, SLACK]);
  assert.deepEqual([first?.waiting, second?.messages], [1, 1]);
  assert.deepEqual(slept, [1000, 2000, 4000, 8000, 16_000, 32_000]);
  slept.length = 0;
  receiver.surprises.push({ status: 429, headers: { 'retry-after': '9999' } });
  const [patient] = await round([notice()], [{ to: 'webhook', url: receiver.url }]);
  assert.deepEqual([patient?.messages, slept], [1, [120_000]], 'at most as long as all of it may take');
});

test('a destination that is named no more is forgotten', async () => {
  await round([notice()], [{ to: 'webhook', name: 'old', url: 'http://127.0.0.1:1/', tries: 1 }]);
  await round([], [SLACK]);
  const { log } = await DeliveryLog.open(home, localDisk);
  assert.deepEqual([log.isComplete, log.problems[0]?.destination], [true, 'old']);
});
