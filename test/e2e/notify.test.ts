import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { nodeContext } from '../../src/cli/node-context.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import { waitingNotices } from '../../src/publish/cli/notify/waiting-notices.ts';
import { noticeSchema } from '../../src/publish/config/notice-schema.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { startReceiver } from '../support/notice-receiver.ts';

const receiver = await startReceiver();
after(() => receiver.stop());
beforeEach(() => {
  receiver.got.length = 0;
  receiver.surprises.length = 0;
});

const env = { SLACK_TOKEN: 'xoxb-hunter2', SLACK_API_URL: `${receiver.url}/api/`, HOOK_SECRET: 'hunter3' };
const slept: number[] = [];
/** Pauses are seen, not waited for. */
const clock = {
  ...systemClock,
  sleep: async (ms: number) => {
    if (ms < 500)
      await systemClock.sleep(ms); // a night waits for itself now and then
    else slept.push(ms);
  },
};

const NOISE = [0, 0.01, -0.01, 0.005, -0.005, 0.002, 0.008];
const SLACK = '{to: slack, channel: "#perf", token-env: SLACK_TOKEN}';

function makeHome(notify: string, experiments = ['sort']): string {
  const home = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-notify-')));
  const blocks = experiments.map(
    (name) =>
      `  ${name}: {run: 'cat ${name}.json', telemetry: false, notify: U0123, results: {format: json, value: time, unit: s, better: lower}}`,
  );
  fs.writeFileSync(
    join(home, 'nightmark.yml'),
    `project: garage\npage: https://bench.example.org/\nbackups: {before: false, after: false}\nnotify:\n${notify}\nexperiments:\n${blocks.join('\n')}\n`,
  );
  for (const name of experiments) {
    const dir = join(home, 'results/experiments/data', name);
    fs.mkdirSync(dir, { recursive: true });
    for (let index = 0; index < 30; index++) {
      const day = String(index + 1).padStart(2, '0');
      const time = 100 * (1 + (NOISE[index % NOISE.length] ?? 0));
      fs.writeFileSync(join(dir, `data_01-${day}-2024-0300.json`), JSON.stringify({ time }));
    }
  }
  return home;
}

async function night(home: string, values: Readonly<Record<string, number | undefined>>) {
  for (const [name, time] of Object.entries(values)) {
    const file = join(home, `${name}.json`);
    if (time === undefined) fs.rmSync(file, { force: true });
    else fs.writeFileSync(file, JSON.stringify({ time }));
  }
  receiver.got.length = 0;
  const ran = await runInProcess(['run', home, '--progress', 'none'], { env, clock });
  assert.doesNotMatch(ran.stdout + ran.stderr, /hunter/);
  return ran;
}
const notify = (home: string, ...words: string[]) => runInProcess(['notify', home, ...words], { env, clock });
const paths = () => receiver.got.map(({ path }) => path.replace(/\d+$/, 'N'));

test('a regression: reported once with its chart, changed and answered when it is confirmed, and when somebody reviews it', async () => {
  const home = makeHome(`  - ${SLACK}`);
  await night(home, { sort: 100.2 });
  assert.deepEqual(paths(), [], 'nothing happened');

  const first = await night(home, { sort: 120 });
  assert.deepEqual(paths(), [
    '/api/chat.postMessage',
    '/api/files.getUploadURLExternal',
    '/store/N',
    '/api/files.completeUploadExternal',
  ]);
  const [message] = receiver.got;
  assert.match(
    message?.json.text,
    /^garage: Regression found: sort\/time \+19\.\d % \(\+\d+\.\d to \+\d+\.\d\)$/,
  );
  assert.equal(message?.json.attachments[0].title_link, 'https://bench.example.org/experiments/sort');
  assert.deepEqual([...(receiver.got[2]?.body.subarray(1, 4) ?? [])], [...Buffer.from('PNG')]);
  assert.match(first.stderr, /Notified slack: 1 message with 1 notice\./);

  assert.match((await notify(home)).stdout, /^Notified slack: nothing new\.\n$/);
  let told: string[] = [];
  for (let again = 0; again < 8 && told.length === 0; again++) {
    await night(home, { sort: 120 * (1 + (NOISE[again] ?? 0)) });
    told = paths();
  }
  assert.deepEqual(told, ['/api/chat.update', '/api/chat.postMessage'], 'edited, and posted below');
  const [update, reply] = receiver.got.map(({ json }) => json);
  assert.match(update.text, /Regression confirmed/);
  assert.deepEqual([update.channel, update.ts], [reply.channel, reply.thread_ts]);
  assert.match(reply.text, /\n<@U0123>$/);

  const { changes } = JSON.parse((await runInProcess(['changes', home, '--json'])).stdout);
  const id = changes[0].id as string;
  const words = ['changes', 'triage', id, '--state', 'expected', '--home', home, '--note', 'a <b>'];
  assert.equal((await runInProcess(words)).code, 0);
  receiver.got.length = 0;
  await notify(home);
  assert.match(receiver.got[0]?.json.text, /Regression expected: sort/);
  assert.match(receiver.got[0]?.json.attachments[0].text, /was intended: a &lt;b&gt;/);
});

test('an experiment that fails is reported once, and when it works again; a night of which nothing is left is critical', async () => {
  const home = makeHome(`  - {to: webhook, url: "${receiver.url}/hook", secret-env: HOOK_SECRET}`, [
    'sort',
    'parse',
  ]);
  await night(home, { sort: undefined, parse: 100 });
  assert.deepEqual(
    receiver.got.map(({ json }) => [json.event, json.state, json.severity, json.experiment, json.version]),
    [['failed', 'failed', 'warning', 'sort', 1]],
  );
  assert.match(receiver.got[0]?.json.text, /^Failed at stage run/);
  assert.match(receiver.got[0]?.json.facts[0].value, /^nightmark run \S+ --only sort$/);
  assert.deepEqual(receiver.got[0]?.json.mentions, ['U0123']);
  noticeSchema.parse(receiver.got[0]?.json);
  await night(home, { parse: 100.1 });
  assert.deepEqual(paths(), [], 'still failing is no news');
  await night(home, { sort: 100 });
  assert.deepEqual(
    receiver.got.map(({ json }) => json.state),
    ['recovered'],
  );
  await night(home, { sort: undefined, parse: undefined });
  assert.deepEqual(receiver.got.map(({ json }) => `${json.event} ${json.severity}`).sort(), [
    'failed warning',
    'failed warning',
    'night-broken critical',
  ]);
});

test('many at once are one message with the strongest and the count', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `e${index}`);
  const home = makeHome(`  - ${SLACK}`, names);
  await night(home, Object.fromEntries(names.map((name) => [name, undefined])));
  assert.deepEqual(paths(), ['/api/chat.postMessage']);
  const { text, attachments } = receiver.got[0]?.json ?? {};
  assert.match(text, /13 notices: 12 failed experiments, 1 broken night/);
  assert.match(
    attachments[0].text,
    /^• Night \S+ is broken\n• Experiment failed: e0\n[\s\S]*\nand 3 more\.$/,
  );
  await night(home, Object.fromEntries(names.map((name) => [name, 100])));
  assert.deepEqual(paths(), ['/api/chat.postMessage']);
  assert.match(receiver.got[0]?.json.text, /12 notices: 12 failed experiments recovered/);
});

test('a receiver that is busy is tried again; one that stays away fails no night, and gets everything later, once', async () => {
  const home = makeHome(
    `  - {to: webhook, url: "${receiver.url}/hook", severity: info, on: [failed, night-finished]}`,
  );
  slept.length = 0;
  receiver.surprises.push({ status: 429, headers: { 'retry-after': '7' } }, { status: 500 });
  assert.equal((await night(home, { sort: 100 })).code, 0);
  assert.deepEqual([paths().length, slept[0]], [3, 7000]);
  assert.ok((slept[1] ?? 0) >= 1000 && (slept[1] ?? 0) <= 3000);

  receiver.surprises.push(...Array.from({ length: 3 }, () => ({ status: 503, body: 'maintenance' })));
  const away = await night(home, { sort: 100.1 });
  assert.equal(away.code, 0);
  assert.match(
    away.stderr,
    /Notified webhook: 1 notice kept for the next time\.\n {2}127\.0\.0\.1:\d+ answered 503: maintenance\n/,
  );
  assert.equal(paths().length, 3);
  const kept = JSON.parse(fs.readFileSync(join(home, '.nightmark/notices.json'), 'utf8'));
  assert.equal(kept.problems[0].message.includes('maintenance'), true);

  receiver.got.length = 0;
  assert.match((await notify(home)).stdout, /1 message with 1 notice/);
  await notify(home);
  assert.deepEqual(
    receiver.got.map(({ json }) => json.event),
    ['night-finished'],
  );
});

test('quiet hours: held back, then one message', async () => {
  const quiet = 'quiet: {hours: "00:00-24:00", timezone: UTC}';
  const route = `  - {to: webhook, url: "${receiver.url}/hook", severity: info, `;
  const home = makeHome(`${route}${quiet}}`);
  for (const time of [100, 100.1, 100.2]) {
    const { stderr } = await night(home, { sort: time });
    assert.match(stderr, /held back until quiet hours are over/);
    assert.deepEqual(paths(), []);
  }
  assert.match((await notify(home, '--dry-run')).stdout, /^webhook: 1 message, held back until quiet hours/);
  const file = join(home, 'nightmark.yml');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(quiet, 'quiet: {weekends: false}'));
  // What a schedule does while it waits.
  const { context, dispose } = nodeContext(process);
  await waitingNotices(home, { ...context, stderr: { ...context.stderr, write: () => {} } })();
  dispose();
  assert.deepEqual(
    receiver.got.map(({ json }) => [json.event, json.title]),
    [['digest', '3 notices: 3 nights']],
  );
});

test('a preview says exactly what would be sent, without secrets, and changes nothing', async () => {
  const home = makeHome(
    `  - ${SLACK}\n  - {to: email, address: a@example.org, from: n@example.org, server: "smtp://127.0.0.1:1", password-env: PW, user-env: PU}`,
  );
  fs.rmSync(join(home, 'results'), { recursive: true });
  const yml = join(home, 'nightmark.yml');
  const text = fs.readFileSync(yml, 'utf8');
  const silent = text.replace(/notify:\n.*\n.*\n/, '');
  fs.writeFileSync(yml, silent);
  await night(home, { sort: undefined });
  fs.writeFileSync(yml, text);
  const { stdout, code } = await notify(home, '--dry-run');
  assert.equal(code, 0);
  assert.match(stdout, /^slack: 2 messages\n {2}to Slack #perf, chat\.postMessage\n {4}\{\n/);
  assert.match(
    stdout,
    /\nemail: 2 messages\n {2}! PW, PU: not set in the environment|\n {2}! PU, PW: not set/,
  );
  assert.match(stdout, /Subject: \[garage\] Experiment failed: sort/);
  assert.doesNotMatch(stdout, /hunter/);
  assert.deepEqual([paths(), fs.existsSync(join(home, '.nightmark/notices.json'))], [[], false]);
  const sent = await notify(home, '--json');
  assert.equal(sent.code, 1, 'the mail could not go');
  const reports = JSON.parse(sent.stdout);
  assert.deepEqual(
    reports.map(({ messages, waiting }: { messages: number; waiting: number }) => [messages, waiting]),
    [
      [2, 0],
      [0, 2],
    ],
  );
  const previewed = [...stdout.matchAll(/^ {4}\{\n(?: {4}.*\n)*? {4}\}\n/gm)].map(([body]) =>
    JSON.parse(body),
  );
  assert.deepEqual(
    receiver.got.map(({ json }) => json),
    previewed,
  );
});

test('the built program: a rehearsal, and what cannot be', async () => {
  const home = makeHome(`  - ${SLACK}`);
  const ran = await runBinary(['notify', home, '--test', 'slack'], env);
  assert.deepEqual([ran.code, ran.stdout, ran.stderr], [0, 'Sent to slack.\n', '']);
  assert.match(receiver.got[0]?.json.text, /This is a test of the route "slack"/);
  const bad = await notify(home, '--test', 'nobody');
  assert.deepEqual(
    [bad.code, /There is no route "nobody"[\s\S]*There are: slack\./.test(bad.stderr)],
    [1, true],
  );
  receiver.surprises.push({ body: '{"ok":false,"error":"invalid_auth"}' });
  assert.match(
    (await notify(home, '--test', 'slack')).stderr,
    /slack: Slack \(chat\.postMessage\) replied: invalid_auth/,
  );
  assert.match((await notify(home, '--run', 'nothing')).stderr, /There is no night "nothing"/);
  fs.mkdirSync(join(home, '.nightmark'), { recursive: true });
  fs.writeFileSync(join(home, '.nightmark/notices.json'), '{"version": 1, "destinations": 5');
  const broken = await notify(home);
  assert.deepEqual([broken.code, broken.stdout], [0, 'Notified slack: nothing new.\n']);
  assert.match(broken.stderr, /notices\.json cannot be read/);
});

test('a night that breaks off is reported; a hostile name rings nobody', async () => {
  const home = makeHome(`  - ${SLACK}`, ['"<!channel> *x*"']);
  await night(home, {});
  const texts = receiver.got.map(({ json }) => JSON.stringify(json));
  assert.equal(texts.length, 2);
  assert.match(texts.join(), /Experiment failed: &lt;!channel&gt; \*x\*/);
  assert.doesNotMatch(texts.join(), /<!/);

  fs.rmSync(join(home, 'results'), { recursive: true });
  fs.writeFileSync(join(home, 'results'), 'no folder');
  const broken = await night(home, {});
  assert.equal(broken.code, 1, broken.stdout);
  assert.match(receiver.got[0]?.json.text, /^garage: Night \S+ is broken$/);
  assert.match(receiver.got[0]?.json.attachments[0].text, /results/);
  assert.equal(receiver.got.length, 1);
});

test('two at the same moment tell it once', async () => {
  const home = makeHome(`  - {to: webhook, url: "${receiver.url}/hook", severity: info}`);
  receiver.surprises.push(...Array.from({ length: 3 }, () => ({ status: 503 })));
  await night(home, { sort: 100 });
  receiver.got.length = 0;
  const both = await Promise.all([1, 2].map(() => runInProcess(['notify', home], { env })));
  assert.deepEqual([both.map(({ code }) => code), paths().length], [[0, 0], 1]);
});
