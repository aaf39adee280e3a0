import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { runCli } from '../../../cli/run-cli.ts';
import localDisk from '../../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../../platform/adapters/system-clock.ts';
import type { CliContext, Output } from '../../../platform/cli/command.ts';

let base: string;
let home: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'nightmark schedule-'));
  home = join(base, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'nightmark.yml'), HOME_DEFINITION);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const HOME_DEFINITION = `
project: example
schedule: "30 2 * * *"
timezone: Europe/Berlin
experiments:
  sorting:
    run: echo 1
`;

interface Session {
  now: number;
  stdout: string;
  stderr: string;
  readonly abort: AbortController;
  call(...argv: string[]): Promise<number>;
}

/** The real command with real processes; only clock and terminal are ours, and the night is a small script. */
function session(now: string, night = 'process.exit(4)'): Session {
  const main = join(base, 'package/dist/src/cli/nightmark.cjs');
  mkdirSync(join(main, '..'), { recursive: true });
  writeFileSync(join(base, 'package/package.json'), '{"type":"module"}');
  writeFileSync(main, night);
  const abort = new AbortController();
  const it: Session = {
    now: Date.parse(now),
    stdout: '',
    stderr: '',
    abort,
    call: (...argv) => runCli(['schedule', ...argv], context),
  };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    write: (text) => {
      it[name] += text;
    },
    isTerminal: false,
    columns: 100,
    hasColor: false,
  });
  const context: CliContext = {
    cwd: base,
    env: { PATH: process.env['PATH'] ?? '', BASE: base },
    userHome: base,
    hostName: 'here',
    processId: process.pid,
    packageDir: join(base, 'package'),
    version: '0.0.0',
    stdout: output('stdout'),
    stderr: output('stderr'),
    clock: {
      ...systemClock,
      now: () => it.now,
      sleep: async (ms) => {
        it.now += ms;
      },
    },
    disk: localDisk,
    signal: abort.signal,
    randomSeed: () => 1,
  };
  return it;
}

test('--next prints the next nights on the clock of the zone, in UTC and in how long', async () => {
  const it = session('2026-10-24T12:00:00Z');
  assert.equal(await it.call(home, '--next', '2'), 0);
  assert.equal(
    it.stdout,
    [
      'Sun 2026-10-25 02:30 CEST   2026-10-25 00:30 UTC   in 12 h 30 min',
      'Mon 2026-10-26 02:30 CET   2026-10-26 01:30 UTC   in 1 d 13 h',
      '',
    ].join('\n'),
  );
});

test('--next in front of the home, and options that win over the definition', async () => {
  const it = session('2026-11-15T12:00:00Z');
  assert.equal(await it.call('--cron', '@daily', '--timezone', 'UTC', '--json', '--next', home), 0);
  assert.deepEqual(JSON.parse(it.stdout), {
    cron: '@daily',
    timezone: 'UTC',
    next: [{ at: '2026-11-16T00:00:00.000Z', local: 'Mon 2026-11-16 00:00 UTC', inSeconds: 43_200 }],
  });
});

test('what cannot be understood is an error with a hint', async () => {
  for (const [code, ...argv] of [
    ['SCHEDULE_INVALID', home, '--cron', 'tonight', '--next'],
    ['SCHEDULE_INVALID', home, '--cron', '0 2 30 2 *', '--next'],
    ['SCHEDULE_INVALID', home, '--timezone', 'Mars/Olympus', '--once'],
    ['CLI_INVALID_OPTION', home, '--next', '0'],
    ['CLI_INVALID_OPTION', home, '--next', '99999999999'],
  ] as const) {
    const it = session('2026-11-15T12:00:00Z');
    assert.equal(await it.call(...argv), 1);
    assert.ok(it.stderr.includes(`[${code}]`), it.stderr);
  }
  writeFileSync(join(home, 'nightmark.yml'), HOME_DEFINITION.replace(/schedule.*\ntimezone.*\n/, ''));
  const it = session('2026-11-15T12:00:00Z');
  assert.equal(await it.call(home), 1);
  assert.match(it.stderr, /has no schedule\.\n {2}Add schedule: "0 2 \* \* \*"/);
});

test('--once reports when the first time, then runs the night as a process and has its exit code', async () => {
  const it = session('2026-11-15T12:00:00Z', `console.log(process.argv.slice(2).join('|')); process.exit(4)`);
  assert.equal(await it.call(home, '--once'), 0);
  assert.match(it.stdout, /^No night is due\. The next one: Mon 2026-11-16 02:30 .*, in 13 h 30 min\.\n$/);
  it.now = Date.parse('2026-11-18T12:00:00Z');
  assert.equal(await it.call(home, '--once'), 4);
  assert.match(it.stderr, /3 were missed, one is run for all of them/);
  assert.match(it.stderr, /some experiments failed\. See /);
  const [log = ''] = readdirSync(join(home, '.nightmark/schedule'));
  assert.equal(
    readFileSync(join(home, '.nightmark/schedule', log), 'utf8'),
    `run|${home}|--fail-on-regression|--allow-unknown\n`,
  );
  assert.equal(await it.call(home, '--once'), 0);
});

test('in the foreground it goes on from night to night until it is interrupted', async () => {
  const it = session(
    '2026-11-15T12:00:00Z',
    `
    const { appendFileSync, readFileSync } = require('node:fs');
    const file = process.env.BASE + '/nights';
    appendFileSync(file, 'x');
    process.exit(readFileSync(file, 'utf8').length === 1 ? 1 : 0);`,
  );
  const waiting = it.call(home, '--json');
  const lines = () =>
    it.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string });
  while (lines().filter(({ type }) => type === 'night-ended').length < 2) await pause();
  it.abort.abort();
  assert.equal(await waiting, 130);
  assert.deepEqual(
    lines()
      .slice(0, 6)
      .map(({ type }) => type),
    ['waiting', 'night-started', 'night-ended', 'waiting', 'night-started', 'night-ended'],
  );
});

test('a second schedule is refused, and an interruption ends the night that runs', async () => {
  const it = session(
    '2026-11-15T12:00:00Z',
    `
    const { writeFileSync } = require('node:fs');
    writeFileSync(process.env.BASE + '/pid', String(process.pid));
    setInterval(() => {}, 1000);`,
  );
  const waiting = it.call(home);
  const pidFile = join(base, 'pid');
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await pause();

  const second = session('2026-11-15T12:00:00Z');
  assert.equal(await second.call(home), 1);
  assert.match(
    second.stderr,
    new RegExp(`scheduled already, by process ${process.pid} on here[^]*SCHEDULE_HELD`),
  );
  assert.equal(await second.call(home, '--once'), 0);

  it.abort.abort();
  assert.equal(await waiting, 130);
  assert.throws(() => process.kill(Number(readFileSync(pidFile, 'utf8')), 0), { code: 'ESRCH' });
});

test('--pull brings the repository of the home up to date before the night', async () => {
  const upstream = join(base, 'upstream');
  const clone = join(base, 'clone');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@example.org', ...args], {
      stdio: 'pipe',
    });
  git('init', '--quiet', upstream);
  writeFileSync(join(upstream, 'nightmark.yml'), HOME_DEFINITION);
  git('-C', upstream, 'add', '-A');
  git('-C', upstream, 'commit', '--quiet', '-m', 'home');
  git('clone', '--quiet', upstream, clone);
  writeFileSync(join(upstream, 'new'), 'new');
  git('-C', upstream, 'add', '-A');
  git('-C', upstream, 'commit', '--quiet', '-m', 'new');

  const it = session('2026-11-15T12:00:00Z', `console.log('warning: ' + process.env.NIGHTMARK_PULL_WARNING)`);
  await it.call(clone, '--once', '--pull');
  it.now += 24 * 3600_000;
  assert.equal(await it.call(clone, '--once', '--pull'), 0);
  assert.equal(readFileSync(join(clone, 'new'), 'utf8'), 'new');

  rmSync(upstream, { recursive: true });
  it.now += 24 * 3600_000;
  assert.equal(await it.call(clone, '--once', '--pull'), 0);
  assert.equal(it.stderr.match(/trying again in 30 s/g)?.length, 3);
  const logs = readdirSync(join(clone, '.nightmark/schedule')).filter((name) => name.startsWith('night-'));
  const texts = logs.map((name) => readFileSync(join(clone, '.nightmark/schedule', name), 'utf8'));
  assert.equal(texts[0], 'warning: undefined\n');
  assert.match(texts[1] ?? '', /^warning: Not pulled, so this night measures what was there before\./);
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
