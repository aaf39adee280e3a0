import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { frozenClock } from '../support/in-process.ts';
import { RelayCase } from '../support/relay-case.ts';

/** Where the original dies or errs: one bad thing never stops the rest of the night. */
const clock = frozenClock('2026-01-05T03:00:00Z');

/** Case 01's home with alpha and the given experiments instead of its own. */
function homeWith(configs: Record<string, string>, top: Record<string, unknown> = {}): RelayCase {
  const relay = new RelayCase('01-basic');
  fs.rmSync(join(relay.home, 'config'), { recursive: true });
  const file = join(relay.home, 'config.json');
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), ...top }));
  for (const [name, config] of Object.entries({ alpha: '{"active": true}', ...configs })) {
    const folder = join(relay.home, 'config', name.includes('/') ? name : `experiments/${name}`);
    fs.mkdirSync(folder, { recursive: true });
    if (config !== '') fs.writeFileSync(join(folder, 'config.json'), config);
  }
  return relay;
}

function status(relay: RelayCase, path: string): { success: boolean; message: string } {
  return JSON.parse(relay.read('home/results', path)) as { success: boolean; message: string };
}

test('[04] a config without "active" fails its own precheck, alpha completes', async () => {
  const relay = homeWith({ no_active: '{"title": "x"}' });
  const { code, stderr } = await relay.night(clock);
  assert.equal(code, 4, stderr);
  const precheck = status(relay, 'experiments/status/no_active/precheck.json');
  assert.equal(precheck.success, false);
  assert.match(precheck.message, /active/);
  assert.equal(status(relay, 'experiments/status/alpha/summary.json').success, true);
  relay.dispose();
});

test('[05] a garbage status.json fails that stage, alpha completes', async () => {
  const relay = homeWith({ status_garbage: '{"active": true}' });
  assert.equal((await relay.night(clock)).code, 4);
  const run = status(relay, 'experiments/status/status_garbage/run.json');
  assert.equal(run.success, false);
  assert.match(run.message, /^Failed to parse status.json in @WORK@.*status_garbage$/);
  assert.equal(status(relay, 'experiments/status/alpha/summary.json').success, true);
  relay.dispose();
});

test('[06] a script without an interpreter line fails that stage, alpha completes', async () => {
  const relay = homeWith({ no_shebang: '{"active": true}' });
  assert.equal((await relay.night(clock)).code, 4);
  assert.equal(status(relay, 'experiments/status/no_shebang/run.json').success, false);
  assert.equal(status(relay, 'experiments/status/alpha/summary.json').success, true);
  relay.dispose();
});

test('[07] missing folders in the top configuration are named, all at once', async () => {
  const relay = homeWith({});
  fs.writeFileSync(join(relay.home, 'config.json'), '{"backup_dir": "b"}');
  const { code, stderr } = await relay.night(clock);
  assert.equal(code, 1);
  assert.match(stderr, /tmp_data_dir/);
  assert.match(stderr, /setup_dir/);
  relay.dispose();
});

test('[09] a nested folder is no experiment', async () => {
  const relay = homeWith({ 'experiments/alpha/beta': '{"active": true}' });
  assert.equal((await relay.night(clock)).code, 0);
  assert.deepEqual(fs.readdirSync(join(relay.home, 'results/experiments/status')), ['alpha']);
  relay.dispose();
});

test('[20] the folder of subsystems is honoured', async () => {
  const relay = homeWith({ 'subsystem/sub_ok': '{"active": true}' });
  assert.equal((await relay.night(clock)).code, 0);
  assert.equal(status(relay, 'subsystem/status/sub_ok/run.json').success, true);
  relay.dispose();
});

test('a home with config/config.json calls subsystems as documented: config, output, home', async () => {
  const relay = homeWith({ 'subsystem/sub_ok': '{"active": true}' });
  fs.renameSync(join(relay.home, 'config.json'), join(relay.home, 'config/config.json'));
  const script = join(relay.work, 'subsys-all/sub_ok/run.sh');
  fs.writeFileSync(
    script,
    '#!/bin/bash\necho "$1|$2|$3|$NIGHTMARK_OUTPUT_DIR|$NIGHTMARK_HOME" > "$2/seen"\necho \'{"success": true, "message": ""}\' > "$2/status.json"\n',
  );
  const { code, stderr } = await relay.night(clock);
  assert.equal(code, 0, stderr);
  const home = '@WORK@/cases/01-basic/home';
  const output = `${home}/results/subsystem/output/sub_ok`;
  assert.equal(
    relay.read('home/results/subsystem/output/sub_ok/seen'),
    `${home}/config/subsystem/sub_ok|${output}|${home}|${output}|${home}\n`,
  );
  relay.dispose();
});

test('subsystem_arguments overrides the order', async () => {
  const relay = homeWith(
    { 'subsystem/sub_ok': '{"active": true}' },
    { subsystem_arguments: 'config output home' },
  );
  const script = join(relay.work, 'subsys-all/sub_ok/run.sh');
  fs.writeFileSync(script, '#!/bin/bash\necho \'{"success": true, "message": ""}\' > "$2/status.json"\n');
  assert.equal((await relay.night(clock)).code, 0);
  relay.dispose();
});

test('`after`: what needs a failed task fails with its name, and a cycle is named', async () => {
  const relay = homeWith({
    run_fail: '{"active": true, "priority": -5}',
    beta: '{"active": true, "priority": 9, "after": ["run_fail"]}',
    gamma: '{"active": true, "after": ["setup_ok"]}',
    setup_ok: '{"active": true, "after": ["gamma"]}',
  });
  assert.equal((await relay.night(clock)).code, 4);
  assert.equal(
    status(relay, 'experiments/status/beta/run.json').message,
    'Needs run_fail, which failed at stage run',
  );
  assert.match(status(relay, 'experiments/status/gamma/precheck.json').message, /gamma -> setup_ok -> gamma/);
  assert.equal(status(relay, 'experiments/status/alpha/summary.json').success, true);
  relay.dispose();
});
