import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { frozenClock, runInProcess } from '../support/in-process.ts';
import { startReceiver } from '../support/notice-receiver.ts';
import { lines, RelayCase } from '../support/relay-case.ts';
import { pageFacts, recordedMessages, slackMessages, sortAlerts } from '../support/relay-slack.ts';

/** What we add to the layout of the original. */
const ours = /\/\.nightmark(\/|$)|_after\.tar\.gz$|\/output\/website\/(style\.css|countdown\.js)$/;
const isCompared = (path: string) => !ours.test(path);

/** Nights of different cases run at once: each has a Slack of its own. */
async function withSlack(name: string) {
  const receiver = await startReceiver();
  return { receiver, relay: new RelayCase(name, { SLACK_API_URL: `${receiver.url}/api/` }) };
}

/** Lines of archives.txt that belong to one archive. */
function membersOf(text: string, archive: string): readonly string[] {
  const [, rest = ''] = text.split(`== ${archive}\n`);
  return [...lines(rest.split('== ')[0] ?? '')].sort();
}

const byScript = (calls: readonly string[], ...scripts: string[]) =>
  calls.filter((call) => scripts.includes(call.split(' ')[0] ?? ''));

describe('case 01: four nights of three experiments', async () => {
  const { relay, receiver } = await withSlack('01-basic');
  after(() => relay.dispose());
  after(() => receiver.stop());
  for (const [night, date] of [
    ['1', '2026-01-05'],
    ['2', '2026-01-06'],
    ['3', '2026-01-07'],
    ['4', '2026-01-08'],
  ] as const) {
    const label = `${date.slice(5)}-2026-0307`;
    receiver.got.length = 0;
    const ran = await relay.night(frozenClock(`${date}T03:07:00Z`), relay.inputs('values', night));
    const calls = relay.calls();
    const messages = slackMessages(receiver.got);
    const page = relay.read('home/results/subsystem/output/website/index.html');

    test(`night ${night}: all succeeds`, () => assert.equal(ran.code, 0, ran.stderr));
    test(`night ${night}: posts the same messages and pictures`, () =>
      assert.deepEqual(messages, recordedMessages(relay.expected(night, 'slack.jsonl'))));
    test(`night ${night}: the page has the same headings, links and pictures`, () => {
      const facts = relay.expected(night, 'home/results/subsystem/output/website/website-facts.txt');
      for (const fact of pageFacts(facts)) assert.ok(page.includes(fact), fact);
    });
    test(`night ${night}: says what the original says`, () =>
      assert.equal(relay.normalise(ran.stdout), relay.expected(night, 'stdout.txt')));
    test(`night ${night}: calls the scripts in the same order with the same arguments and folders`, () => {
      const expected = lines(relay.expected(night, 'calls.log'));
      assert.deepEqual(byScript(calls, 'run', 'sub'), byScript(expected, 'run', 'sub'));
      // The original follows the order of the directory from here on.
      assert.deepEqual([...calls].sort(), [...expected].sort());
      const phases = [...new Set(calls.map((call) => call.split(' ')[0]))];
      assert.deepEqual(phases, ['run', 'analyze', 'visualize', 'summarize', 'sub']);
    });
    const seen = fs.existsSync(relay.home)
      ? relay.expectedJson(night).filter((path) => isCompared(path))
      : [];
    const found = new Map(seen.map((path) => [path, relay.read('home', path)]));
    test(`night ${night}: leaves the same JSON files, byte by byte`, () => {
      assert.ok(seen.length > 20);
      for (const [path, text] of found) {
        const [mine, theirs] = [text, relay.expected(night, `home/${path}`)];
        if (path.endsWith('/report.json')) assert.equal(sortAlerts(mine), sortAlerts(theirs), path);
        else assert.equal(mine, theirs, path);
      }
    });
    const tree = relay.tree();
    test(`night ${night}: leaves the same tree`, () =>
      assert.deepEqual(
        tree.filter(isCompared),
        lines(relay.expected(night, 'tree.txt')).filter(isCompared).sort(),
      ));
    const raw = await relay.members('tmp', `benchmarks_${label}_data.tar.gz`);
    const backup = await relay.members('backup', `dashboard_${label}.tar.gz`);
    test(`night ${night}: packs the same archives`, () => {
      const expected = relay.expected(night, 'archives.txt');
      assert.deepEqual(raw, membersOf(expected, `benchmarks_${label}_data.tar.gz`));
      const [mine, theirs] = [backup, membersOf(expected, `dashboard_${label}.tar.gz`)];
      assert.deepEqual(mine.filter(isCompared), theirs.filter(isCompared));
    });
  }
  test('the output of a subsystem is kept: four nights, four lines', () =>
    assert.equal(relay.read('home/results/subsystem/output/sub_ok/keep.txt'), 'x\n'.repeat(4)));
});

describe('case 02: everything that can fail', async () => {
  const { relay, receiver } = await withSlack('02-failures');
  after(() => relay.dispose());
  after(() => receiver.stop());
  // Git keeps no empty folders; these are part of the recorded input.
  fs.mkdirSync(join(relay.home, 'config/experiments/no_config'), { recursive: true });
  fs.mkdirSync(join(relay.home, 'config/subsystem/sub_noimpl'), { recursive: true });
  fs.writeFileSync(
    join(relay.home, 'config/subsystem/sub_noimpl/config.json'),
    relay.expected('1', 'home/config/subsystem/sub_noimpl/config.json'),
  );
  for (const name of ['no_impl', 'no_impl_inactive']) {
    fs.mkdirSync(join(relay.home, 'config/experiments', name), { recursive: true });
    const config = relay.expected('1', `home/config/experiments/${name}/config.json`);
    fs.writeFileSync(join(relay.home, `config/experiments/${name}/config.json`), config);
  }
  fs.mkdirSync(join(relay.work, 'subsys-all/sub_norun'));
  const clock = frozenClock('2026-01-05T03:00:00Z');
  receiver.got.length = 0;
  const ran = await relay.night(clock);
  const calls = relay.calls();
  const messages = slackMessages(receiver.got, (text) => relay.normalise(text));
  const found = new Map(
    relay
      .expectedJson('1')
      .filter(isCompared)
      .map((path) => [path, relay.read('home', path)]),
  );
  const tree = relay.tree();

  test('the night ends with exit code 4', () => assert.equal(ran.code, 4, ran.stderr));
  test('says what the original says', () => {
    // The width of a frame follows the length of the paths in it, which differs from the recorded one.
    const sorted = (text: string) => text.replace(/^\*+$/gm, '****').split('****\n').sort();
    assert.deepEqual(sorted(relay.normalise(ran.stdout)), sorted(relay.expected('1', 'stdout.txt')));
  });
  test('posts the same messages: failures cut at 280 characters, who is reported, reports and errors', () =>
    assert.deepEqual(messages, recordedMessages(relay.expected('1', 'slack.jsonl'))));
  test('calls the same scripts', () =>
    assert.deepEqual([...calls].sort(), [...lines(relay.expected('1', 'calls.log'))].sort()));
  for (const [path, text] of found)
    test(`leaves the same ${path}`, () => assert.equal(text, relay.expected('1', `home/${path}`)));
  test('leaves the same tree', () =>
    assert.deepEqual(
      tree.filter(isCompared),
      lines(relay.expected('1', 'tree.txt')).filter(isCompared).sort(),
    ));

  const data = join(relay.home, 'results/experiments/data/setup_nox');
  const before = fs.readFileSync(join(data, 'data_01-05-2026-0300.json'), 'utf8');
  const second = await relay.night(clock);
  test('a second night in the same minute overwrites nothing', () => {
    assert.equal(second.code, 4, second.stderr);
    assert.equal(fs.readFileSync(join(data, 'data_01-05-2026-0300.json'), 'utf8'), before);
    assert.deepEqual(fs.readdirSync(data), ['data_01-05-2026-0300-2.json', 'data_01-05-2026-0300.json']);
    assert.match(
      fs.readFileSync(join(data, 'data_01-05-2026-0300-2.json'), 'utf8'),
      /^\{"timestamp": "01-05-2026-0300", /,
    );
    assert.deepEqual(fs.readdirSync(join(relay.dir, 'tmp')), [
      'benchmarks_01-05-2026-0300-2_data.tar.gz',
      'benchmarks_01-05-2026-0300_data.tar.gz',
    ]);
    assert.equal(fs.readdirSync(join(relay.dir, 'backup')).length, 4);
  });
});

test('case 08: a home without configuration is an error with the words of the original', async () => {
  const relay = new RelayCase('15-deadline-variants');
  fs.rmSync(join(relay.home, 'config.json'));
  const ran = await runInProcess(['run', relay.home]);
  assert.equal(ran.code, 1);
  assert.match(
    ran.stderr,
    new RegExp(`error: Dashboard config \\(config.json\\) is missing in ${relay.home}\n`),
  );
  assert.deepEqual(fs.readdirSync(relay.home), []);
  relay.dispose();
});

describe('case 11: setup is cached by content', async () => {
  const relay = new RelayCase('11-setup');
  after(() => relay.dispose());
  const clock = frozenClock('2026-11-15T19:06:00Z');
  const script = join(relay.work, 'impl/experiments/setup_ok/setup.sh');
  const config = join(relay.home, 'config/experiments/setup_ok/config.json');
  const nightCalls = async () => {
    const { code, stderr } = await relay.night(clock);
    assert.equal(code, 0, stderr);
    return relay.calls().map((call) => call.split(' ')[0]);
  };
  const rest = ['run', 'analyze', 'visualize', 'summarize'];
  const steps: readonly [string, () => void, readonly string[]][] = [
    ['the first night sets up', () => {}, ['setup', ...rest]],
    ['nothing changed: the setup holds', () => {}, rest],
    ['a newer date of the script alone changes nothing', () => fs.utimesSync(script, 4e9, 4e9), rest],
    [
      'rerun_setup asks for it',
      () => fs.writeFileSync(config, '{"active": true, "notify": [], "rerun_setup": true}'),
      ['setup', ...rest],
    ],
    [
      'a changed config sets up anew',
      () => fs.writeFileSync(config, '{"active": true, "notify": []}'),
      ['setup', ...rest],
    ],
    ['an uncommitted edit sets up anew', () => fs.appendFileSync(script, '# edited\n'), ['setup', ...rest]],
    ['and holds again', () => {}, rest],
  ];
  for (const [name, change, expected] of steps) {
    change();
    const calls = await nightCalls();
    const tree = relay.tree();
    const copy = fs.readdirSync(join(relay.work, 'impl/experiments/setup_ok/setup')).sort();
    test(name, () => {
      assert.deepEqual(calls, expected);
      assert.deepEqual(copy, ['.last_setup', 'payload.txt', 'status.json']);
      assert.equal(
        tree.includes('f ./home/results/experiments/status/setup_ok/setup.json'),
        expected[0] === 'setup',
      );
    });
  }
});

test('case 13: run.sh is pinned, and only run.sh', async () => {
  const relay = new RelayCase('13-pinning');
  const ran = await relay.night(frozenClock('2026-01-05T03:00:00Z'));
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(relay.calls(), lines(relay.expected('1', 'calls.log')));
  relay.dispose();
});

test('case 15: eight kinds of deadlines, each with its status and message', async () => {
  const folder = join(process.cwd(), 'test/golden/relay/expected/15-deadline-variants');
  for (const variant of fs.readdirSync(folder)) {
    const { relay, receiver } = await withSlack('15-deadline-variants');
    fs.cpSync(join(folder, variant, 'home/config'), join(relay.home, 'config'), { recursive: true });
    const ran = await relay.night(frozenClock('2026-01-05T03:00:00Z'));
    const status = relay.read('home/results/subsystem/status/deadline/run.json');
    // Of the original, a stack of Python is recorded.
    const expected =
      variant === 'b-no-token'
        ? '{"success": false, "message": "No client token given"}'
        : relay.expected(variant, 'home/results/subsystem/status/deadline/run.json');
    assert.equal(status, expected, variant);
    assert.equal(relay.read('home/results/subsystem/output/deadline/status.json'), expected, variant);
    assert.equal(ran.code, status.includes('true') ? 0 : 4, `${variant}: ${ran.stderr}`);
    const recorded = join(folder, variant, 'slack.jsonl');
    const messages = fs.existsSync(recorded) ? recordedMessages(fs.readFileSync(recorded, 'utf8')) : [];
    assert.deepEqual(slackMessages(receiver.got), messages, variant);
    const tree = lines(relay.expected(variant, 'tree.txt')).filter(isCompared);
    assert.deepEqual(relay.tree().filter(isCompared), [...tree].sort(), variant);
    relay.dispose();
    await receiver.stop();
  }
});
