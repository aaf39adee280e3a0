import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { frozenClock } from '../support/in-process.ts';
import { type ReceivedNotice, startReceiver } from '../support/notice-receiver.ts';
import { copyOldScripts, oldPython } from '../support/old-scripts.ts';
import { noPython, PYTHON } from '../support/python-job.ts';
import { KIT_DIR, removeFolders } from '../support/python-kit.ts';
import { RelayCase } from '../support/relay-case.ts';
import { recordedMessages, slackMessages, sortAlerts } from '../support/relay-slack.ts';

const skip = noPython;
const BUILT_IN = ['deadline', 'exp_results', 'stat_alert', 'subsys_reporter', 'website'];
/** One of them has numpy on most machines. */
const PYTHONS = [PYTHON, '/usr/bin/python3'].filter((python) => fs.existsSync(python));
const receiver = await startReceiver();
after(() => receiver.stop());
after(removeFolders);

/** A recorded case whose subsystems are scripts on the kit instead of those built in. */
function caseWith(name: string, now: string): RelayCase {
  const python = oldPython({ isBare: true, now });
  const relay = new RelayCase(name, { SLACK_API_URL: `${receiver.url}/api/`, ...python });
  copyOldScripts('subsystem', join(relay.work, 'subsys-all'), BUILT_IN);
  receiver.got.length = 0;
  return relay;
}

/** One subsystem of a case by itself, as a night calls it. */
function runAlone(relay: RelayCase, name: string, env: Record<string, string>): Promise<number | null> {
  const folders = [join(relay.home, 'config/subsystem', name), relay.home, join(relay.dir, OUTPUT, name)];
  const cwd = join(relay.work, 'subsys-all', name);
  const child = spawn(join(cwd, 'run.sh'), folders, {
    cwd,
    env: { ...process.env, ...relay.env, BENCHMARK_DEPS: KIT_DIR, ...env },
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
}

/** The kit's client shares files with `channels`, and escapes nothing, as the original. */
function posted(got: readonly ReceivedNotice[], relay: RelayCase): readonly string[] {
  const alike = got.map((it) => ({ ...it, json: { ...it.json, channel_id: it.json?.channels } }));
  return slackMessages(alike, (text) => relay.normalise(text).replaceAll('<b>', '&lt;b&gt;'));
}

const OUTPUT = 'home/results/subsystem/output';

test('case 01: the scripts of the fourth night do what was recorded', { skip }, async () => {
  const relay = caseWith('01-basic', '2026-01-08T03:07:00');
  const data = 'results/experiments/data';
  for (const path of relay.expectedJson('3').filter((path) => path.startsWith(data))) {
    fs.mkdirSync(join(relay.home, path, '..'), { recursive: true });
    fs.writeFileSync(join(relay.home, path), relay.expected('3', `home/${path}`));
  }
  const ran = await relay.night(frozenClock('2026-01-08T03:07:00Z'), relay.inputs('values', '4'));
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(posted(receiver.got, relay), recordedMessages(relay.expected('4', 'slack.jsonl')));
  const paths = relay.expectedJson('4').filter((path) => path.startsWith('results/subsystem'));
  assert.ok(paths.length > 15);
  for (const path of paths) {
    const [mine, theirs] = [relay.read('home', path), relay.expected('4', `home/${path}`)];
    assert.equal(sortAlerts(mine), sortAlerts(theirs), path);
  }
  const page = relay.read(`${OUTPUT}/website/index.html`).replaceAll('</h1>', '</h2>');
  const facts = relay.expected('4', `${OUTPUT}/website/website-facts.txt`).replaceAll('</h1>', '</h2>');
  for (const fact of facts.split('\n')) assert.ok(page.includes(fact), fact);

  const report = `${OUTPUT}/stat_alert/report.json`;
  const withoutNumpy = relay.read(report);
  for (const python of PYTHONS) {
    fs.rmSync(join(relay.dir, report));
    assert.equal(await runAlone(relay, 'stat_alert', oldPython({ python })), 0);
    assert.equal(relay.read(report), withoutNumpy, `${python}, with what is installed for it`);
  }
  relay.dispose();
});

test('case 02: the scripts report everything that can fail as recorded', { skip }, async () => {
  const relay = caseWith('02-failures', '2026-01-05T03:00:00');
  const config = (path: string) => join(relay.home, 'config', path);
  fs.mkdirSync(config('experiments/no_config'), { recursive: true });
  for (const path of ['subsystem/sub_noimpl', 'experiments/no_impl', 'experiments/no_impl_inactive']) {
    fs.mkdirSync(config(path), { recursive: true });
    fs.writeFileSync(config(`${path}/config.json`), relay.expected('1', `home/config/${path}/config.json`));
  }
  fs.mkdirSync(join(relay.work, 'subsys-all/sub_norun'));
  const ran = await relay.night(frozenClock('2026-01-05T03:00:00Z'));
  assert.equal(ran.code, 4, ran.stderr);
  assert.deepEqual(posted(receiver.got, relay), recordedMessages(relay.expected('1', 'slack.jsonl')));
  for (const name of BUILT_IN.filter((name) => fs.existsSync(config(`subsystem/${name}`)))) {
    const path = `home/results/subsystem/status/${name}/run.json`;
    assert.equal(relay.read(path), relay.expected('1', path));
  }
  relay.dispose();
});

test('case 15: eight kinds of deadlines', { skip }, async () => {
  const folder = join(process.cwd(), 'test/golden/relay/expected/15-deadline-variants');
  for (const variant of fs.readdirSync(folder)) {
    const relay = caseWith('15-deadline-variants', '2026-01-05T03:00:00');
    fs.cpSync(join(folder, variant, 'home/config'), join(relay.home, 'config'), { recursive: true });
    const code = await runAlone(relay, 'deadline', {});
    const status = relay.read(`${OUTPUT}/deadline/status.json`);
    assert.equal(code, status.includes('true') ? 0 : 1);
    if (variant === 'b-no-token')
      assert.match(
        status,
        /^\{"success": false, "message": "Exception encountered: Traceback [^\n]*KeyError: 'slack_client_token'"\}$/,
      );
    else
      assert.equal(
        status,
        relay.expected(variant, 'home/results/subsystem/status/deadline/run.json'),
        variant,
      );
    const recorded = join(folder, variant, 'slack.jsonl');
    const messages = fs.existsSync(recorded) ? recordedMessages(fs.readFileSync(recorded, 'utf8')) : [];
    assert.deepEqual(posted(receiver.got, relay), messages, variant);
    relay.dispose();
  }
});
