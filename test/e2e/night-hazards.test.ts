import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary, startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { addExperiment, makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const homes: string[] = [];
after(() => {
  for (const home of homes) fs.rmSync(home, { recursive: true, force: true });
});

function home(names: readonly string[] = ['fine'], config: Record<string, unknown> = {}): string {
  const dir = makeScriptHome(names, SCRIPTS, config);
  homes.push(dir);
  return dir;
}

function status(dir: string, name: string, stage: string): { success: boolean; message: string } {
  const path = join(dir, 'results/experiments/status', name, `${stage}.json`);
  return JSON.parse(fs.readFileSync(path, 'utf8')) as { success: boolean; message: string };
}

/** Processes "sleep N" of these lengths that are still there. */
function sleepers(seconds: readonly string[]): readonly string[] {
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      const [program, length = ''] = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return program === 'sleep' && seconds.includes(length);
    } catch {
      return false;
    }
  });
}

const script = (text: string) => `#!/bin/bash\n${text}\n`;
const OK = `echo '{"success": true, "message": ""}'`;

test('two nights at once on one home are refused with who holds it, and a dead holder is no obstacle', async () => {
  const dir = home(['fine', 'slow']);
  fs.writeFileSync(
    join(dir, 'experiments/slow/run.sh'),
    script(`touch "$NIGHTMARK_HOME/started"; sleep 30`),
    { mode: 0o755 },
  );
  const first = startBinary(['run', dir, '--only', 'slow']);
  const exit = new Promise((resolve) => first.on('close', resolve));
  while (!fs.existsSync(join(dir, 'started'))) await sleep(20);

  const second = await runBinary(['run', dir]);
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    new RegExp(`A night is running on .*: \\d{8}-\\d{6}-\\w{4} by process ${first.pid} on `),
  );
  first.kill('SIGKILL');
  await exit;

  const third = await runBinary(['run', dir, '--only', 'fine']);
  assert.equal(third.code, 0, third.stderr);
  assert.match(third.stderr, /was interrupted and is closed/);
  assert.deepEqual(
    execFileSync('bash', ['-c', `grep -lz "NIGHTMARK_HOME=${dir}" /proc/*/environ 2>/dev/null | wc -l`], {
      encoding: 'utf8',
    }).trim(),
    '0',
  );
  const archives = fs.readdirSync(join(dir, '.nightmark/tmp'));
  assert.equal(archives.length, 2, 'the raw data of the interrupted night are archived too');
});

test('an interrupt ends the stage with its tree, exits with 130, and the night can be resumed', async () => {
  const dir = home(['a', 'b']);
  const slow = script(
    `if [ ! -e "$NIGHTMARK_HOME/again" ]; then touch "$NIGHTMARK_HOME/again"; sleep 30; fi; ${OK} > "$2/status.json"`,
  );
  for (const name of ['a', 'b'])
    fs.writeFileSync(join(dir, 'experiments', name, 'run.sh'), slow, { mode: 0o755 });
  const night = startBinary(['run', dir]);
  let stderr = '';
  night.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const exit = new Promise((resolve) => night.on('close', resolve));
  while (!fs.existsSync(join(dir, 'again'))) await sleep(20);
  night.kill('SIGTERM');
  assert.equal(await exit, 130, stderr);
  const resumed = await runBinary(['run', dir, '--resume']);
  assert.equal(resumed.code, 0, resumed.stderr);
  assert.match(resumed.stderr, /Resuming night/);
  assert.equal(fs.readdirSync(join(dir, '.nightmark/runs')).length, 1);
});

test('a stage that hangs is ended after its timeout, and tried again where retries are left', async () => {
  const dir = home();
  addExperiment(
    dir,
    'hangs',
    { ...SCRIPTS, 'run.sh': script('(setsid sleep 61 &) ; sleep 62') },
    { timeout: { run: 0.5 }, retries: 1 },
  );
  const flaky = script(
    `if mkdir "$NIGHTMARK_HOME/tried" 2>/dev/null; then exit 1; fi; ${OK} > "$2/status.json"`,
  );
  addExperiment(dir, 'flaky', { ...SCRIPTS, 'run.sh': flaky }, { retries: 2 });
  const ran = await runBinary(['run', dir, '--json']);
  assert.equal(ran.code, 4, ran.stderr);
  assert.match(
    status(dir, 'hangs', 'run').message,
    /did not end within 0.5 s and was ended with all its processes/,
  );
  assert.equal(status(dir, 'flaky', 'run').success, true);
  assert.equal(status(dir, 'fine', 'summary').success, true);
  const { trials } = JSON.parse(ran.stdout) as { trials: { task: string; state: string }[] };
  assert.deepEqual(
    trials.map(({ task, state }) => [task, state]),
    [
      ['fine', 'succeeded'],
      ['flaky', 'succeeded'],
      ['hangs', 'failed'],
    ],
  );
  assert.deepEqual(sleepers(['61', '62']), []);
});

test('hostile names, results and logs fail their own experiment with a clear message', async () => {
  // What is huge here would be packed into a backup.
  const dir = home(['fine'], { backups: { before: false, after: false } });
  const names = ['two words', `quo"te's`, 'new\nline', 'naïve ☃', '-rf', '$(touch pwned)', '...'];
  for (const name of names) addExperiment(dir, name);
  addExperiment(dir, 'escapes', {
    ...SCRIPTS,
    'analyze.sh': script(`ln -s /etc/hostname "$3/data.json"; ${OK} > "$3/status.json"`),
  });
  addExperiment(dir, 'huge', {
    ...SCRIPTS,
    'analyze.sh': script(`truncate -s 300M "$3/data.json"; ${OK} > "$3/status.json"`),
  });
  addExperiment(dir, 'chatty', {
    ...SCRIPTS,
    'run.sh': script(`head -c 60000000 /dev/zero | tr '\\0' 'x'; ${OK} > "$2/status.json"`),
  });
  addExperiment(dir, 'garbage', {
    ...SCRIPTS,
    'analyze.sh': script(`echo '{"a": ' > "$3/data.json"; ${OK} > "$3/status.json"`),
  });
  addExperiment(dir, 'blocked');
  fs.mkdirSync(join(dir, 'results/experiments/data'), { recursive: true });
  fs.writeFileSync(join(dir, 'results/experiments/data/blocked'), 'a file where a folder should be');
  const ran = await runBinary(['run', dir]);
  assert.equal(ran.code, 4, ran.stderr);
  for (const name of [...names, 'fine', 'chatty'])
    assert.equal(status(dir, name, 'analysis').success, true, name);
  assert.match(
    status(dir, 'escapes', 'analysis').message,
    /a link that leaves its folder: it leads to \/etc\/hostname/,
  );
  assert.match(status(dir, 'huge', 'analysis').message, /has 300 MiB; at most 256 MiB are read/);
  assert.match(
    status(dir, 'garbage', 'analysis').message,
    /fails to parse: expected a value but found the end/,
  );
  assert.match(status(dir, 'blocked', 'analysis').message, /results\/experiments\/data\/blocked/);
  assert.equal(fs.existsSync(join(dir, 'pwned')), false);
  assert.doesNotMatch(ran.stderr, /new\nline/);
  const [run = ''] = fs.readdirSync(join(dir, '.nightmark/runs'));
  const log = fs.statSync(join(dir, '.nightmark/runs', run, 'logs/experiments/chatty/run.log'));
  assert.ok(log.size < 20_000_000);
});

test('--only and --skip refuse names that do not exist or come twice, before anything starts', async () => {
  const dir = home(['a', 'b']);
  for (const [args, message] of [
    [['--only', 'a,nope'], /--only names what is not in .*: nope\.\n {2}There are: a, b\./],
    [['--skip', 'a,a'], /--skip names a twice/],
    [['--only', 'a,,b'], /has an empty name/],
    [['--seed', '-1'], /invalid --seed "-1": expected a whole number/],
  ] as const) {
    const ran = await runInProcess(['run', dir, ...args]);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, message);
  }
  assert.equal(fs.existsSync(join(dir, 'results')), false);
  const ran = await runBinary(['run', dir, '--only', 'b']);
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(fs.readdirSync(join(dir, 'results/experiments/status')), ['b']);
});

test('--dry-run prints the plan, the same for the same seed, and touches nothing', async () => {
  const dir = home(['a', 'b', 'c', 'd']);
  const plans = await Promise.all(
    ['7', '7', '8'].map((seed) => runInProcess(['run', dir, '--dry-run', '--seed', seed, '--json'])),
  );
  const order = plans.map(({ stdout }) =>
    (JSON.parse(stdout) as { experiments: { name: string }[] }).experiments.map(({ name }) => name),
  );
  assert.deepEqual(order[0], order[1]);
  assert.notDeepEqual(order[0], order[2]);
  assert.deepEqual(fs.readdirSync(dir).sort(), ['config', 'config.json', 'experiments']);
  const ran = await runBinary(['run', dir, '--seed', '7', '--json']);
  assert.deepEqual(
    (JSON.parse(ran.stdout) as { run: { order: string[]; seed: number } }).run.order,
    order[0],
  );
});

test('a disk that is full is said, nothing finished is lost, and the night is resumed later', async (context) => {
  const dir = home(['a', 'b', 'filler']);
  const disk = fs.mkdtempSync(`${dir}-disk-`);
  homes.push(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    return context.skip('mounting a small disk needs root with CAP_SYS_ADMIN');
  }
  try {
    execFileSync('cp', ['-a', `${dir}/.`, disk]);
    const fill = script(
      `[ -e "$NIGHTMARK_HOME/../enough" ] || dd if=/dev/zero of="$2/fill" bs=1k 2>/dev/null; ${OK} > "$2/status.json"`,
    );
    fs.writeFileSync(join(disk, 'experiments/filler/run.sh'), fill, { mode: 0o755 });
    const ran = await runBinary(['run', disk, '--seed', '3']);
    assert.equal(ran.code, 1, ran.stderr);
    assert.match(ran.stderr, /No space left for /);
    assert.match(ran.stderr, /--resume/);
    execFileSync('mount', ['-o', 'remount,size=64m', disk]);
    fs.writeFileSync(join(disk, '../enough'), '');
    const resumed = await runBinary(['run', disk, '--resume']);
    // The experiment that filled the disk could not even write its own status; the others are complete.
    assert.equal(resumed.code, 4, resumed.stderr);
    assert.equal(status(disk, 'filler', 'run').success, false);
    for (const name of ['a', 'b']) assert.equal(status(disk, name, 'summary').success, true);
  } finally {
    fs.rmSync(join(disk, '../enough'), { force: true });
    execFileSync('umount', [disk]);
  }
});

test('status reports how far a running night is, and what is at work', async () => {
  const dir = home(['a', 'z'], { randomize: false });
  const wait = script(
    `touch "$NIGHTMARK_HOME/started"; while [ ! -e "$NIGHTMARK_HOME/go" ]; do sleep 0.02; done; ${OK} > "$2/status.json"`,
  );
  fs.writeFileSync(join(dir, 'experiments/z/run.sh'), wait, { mode: 0o755 });
  const night = startBinary(['run', dir]);
  const exit = new Promise((resolve) => night.on('close', resolve));
  while (!fs.existsSync(join(dir, 'started'))) await sleep(20);
  let during = await runInProcess(['status', dir]);
  // The index follows within a moment.
  for (let looks = 0; looks < 500 && !/… z +running/.test(during.stdout); looks++) {
    await sleep(20);
    during = await runInProcess(['status', dir]);
  }
  fs.writeFileSync(join(dir, 'go'), '');
  assert.equal(await exit, 0);
  assert.match(during.stdout, /^A night is running, \S+: 1 of 2 experiments done/);
  assert.match(during.stdout, /✓ a +succeeded/);
  assert.match(during.stdout, /… z +running/);
  assert.match((await runInProcess(['status', dir])).stdout, /2 of 2 experiments succeeded/);
});
