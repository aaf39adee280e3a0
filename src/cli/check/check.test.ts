import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../platform/adapters/system-clock.ts';
import type { CliContext, Output } from '../../platform/cli/command.ts';
import { runCli } from '../run-cli.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'nightmark-check-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, content: string, mode = 0o644): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, mode);
}

async function check(...args: readonly string[]) {
  const [out, err] = [collector(), collector()];
  const context: CliContext = {
    cwd: home,
    env: {},
    userHome: '/users/me',
    hostName: 'host',
    processId: 1,
    packageDir: process.cwd(),
    version: '0.0.0',
    stdout: out.output,
    stderr: err.output,
    clock: systemClock,
    disk: localDisk,
    signal: new AbortController().signal,
    randomSeed: () => 1,
  };
  const exit = await runCli(['check', ...args], context);
  return { exit, out: out.text(), err: err.text() };
}

function collector(): { output: Output; text(): string } {
  const parts: string[] = [];
  const write = (text: string) => void parts.push(text);
  return { output: { write, isTerminal: false, columns: 80, hasColor: false }, text: () => parts.join('') };
}

describe('nightmark check', () => {
  test('a home without problems is fine', async () => {
    write('nightmark.yml', 'experiments: {sort: echo}\n');
    assert.deepEqual(await check(), {
      exit: 0,
      out: '0 errors, 0 warnings; 1 experiment, 0 subsystems\n',
      err: '',
    });
  });

  test('shows every problem of a native home at once, with place and hint', async () => {
    write('nightmark.yml', 'schedul: x\nexperiments:\n  a: {run: x, retris: 1}\n  b: {run: x, after: [c]}\n');
    const { exit, out } = await check();
    assert.equal(exit, 1);
    assert.equal(
      out,
      [
        'nightmark.yml:1:1: error: schedul is not a known key',
        '    Did you mean "schedule"?',
        'nightmark.yml:3:15: error: experiments.a.retris is not a known key',
        '    Did you mean "retries"?',
        'nightmark.yml:4:22: error: b: after: there is no task "c"',
        '3 errors, 0 warnings\n',
      ].join('\n'),
    );
  });

  test('shows what the prechecks of a dashboard home would say, and probable typing mistakes', async () => {
    write('config.json', '{"tmp_data_dir": "t", "backup_dir": "b", "setup_dir": "s", "randomise": false}');
    write(
      'config/experiments/a/config.json',
      '{"active": true,\n "prioritty": 1, "devices": [], "anything": 1}',
    );
    for (const script of ['run.sh', 'analyze.sh', 'visualize.sh'])
      write(`experiments/a/${script}`, '', 0o755);
    write('experiments/a/summarize.sh', '');
    write('experiments/a/setup.sh', '');
    write('config/experiments/b/config.json', '{"active": true}');
    write('config/experiments/c/config.json', '{"active": false}');
    write('config/experiments/d/config.json', '{"active": true,');
    const { exit, out } = await check();
    assert.equal(exit, 1);
    const lines = out.split('\n').filter((line) => !line.startsWith('    '));
    assert.deepEqual(lines, [
      'config.json:1:60: warning: "randomise" looks like a typing mistake',
      'config/experiments/a/config.json:2:2: warning: "prioritty" looks like a typing mistake',
      'config/experiments/b/config.json:1:1: error: Script subdirectory for b missing',
      'config/experiments/d/config.json:1:17: error: config.json for d is missing or fails to parse: expected a string but found the end',
      `experiments/a: error: Necessary files are missing from ${home}/experiments/a or not executable: summarize.sh`,
      'experiments/a/setup.sh: warning: setup.sh is not executable and will not run',
      '3 errors, 3 warnings; 4 experiments, 0 subsystems',
      '',
    ]);
  });

  test('looks for implementations in the given folders', async () => {
    write('config.json', '{"tmp_data_dir": "t", "backup_dir": "b", "setup_dir": "s"}');
    write('config/experiments/a/config.json', '{"active": true}');
    write('config/subsystem/s/config.json', '{"active": true}');
    for (const script of ['run.sh', 'analyze.sh', 'visualize.sh', 'summarize.sh'])
      write(`e/a/${script}`, '', 0o755);
    write('u/s/run.sh', '', 0o755);
    assert.equal((await check('.', '--experiments', 'e', '--subsystems', 'u')).exit, 0);
    assert.equal((await check('.', '--experiments', 'e')).exit, 1);
  });

  test('finds the failures of the recorded home', async () => {
    cpSync('test/golden/relay/inputs/02-failures/home', join(home, 'home'), { recursive: true });
    const { exit, out } = await check(
      'home',
      '--experiments',
      join(process.cwd(), 'test/golden/relay/inputs/impl/experiments'),
    );
    assert.equal(exit, 1);
    assert.match(
      out,
      /bad_json\/config\.json:2:1: error: config\.json for bad_json is missing or fails to parse/,
    );
    assert.match(out, /error: Script subdirectory for no_impl missing/);
    assert.match(out, /or not executable: analyze\.sh, summarize\.sh/);
    assert.doesNotMatch(out, /no_impl_inactive/);
  });

  test('a folder that is not a home is an error', async () => {
    const { exit, out } = await check();
    assert.equal(exit, 1);
    assert.ok(out.startsWith(`${home}: error: Dashboard config (config.json) is missing in ${home}\n`), out);
  });

  test('a home without experiments gets a warning, and warnings alone are fine', async () => {
    write('nightmark.yml', '{}\n');
    assert.deepEqual(await check(), {
      exit: 0,
      out: 'nightmark.yml: warning: the home has no experiments\n    Add "experiments:" with a name and a command.\n0 errors, 1 warning; 0 experiments, 0 subsystems\n',
      err: '',
    });
  });

  test('--json has the same as values', async () => {
    write('nightmark.yml', 'experiments: {x: {}}\n');
    const { exit, out } = await check('--json');
    assert.equal(exit, 1);
    assert.deepEqual(JSON.parse(out), {
      home,
      isUsable: true,
      errors: 1,
      warnings: 0,
      problems: [
        {
          severity: 'error',
          file: join(home, 'nightmark.yml'),
          line: 1,
          column: 15,
          message: 'experiments.x: expected one of run, folder, found none of them',
        },
      ],
    });
  });

  test('names with newlines and escape sequences stay on their line', async () => {
    write('nightmark.yml', 'experiments:\n  "a\\nb\\e[31m": {}\n');
    const { out } = await check();
    assert.equal(out.split('\n').length, 3);
    assert.doesNotMatch(out.replaceAll('\n', ''), /\p{Cc}/u);
  });
});

describe('nightmark check --explain', () => {
  test('says what a key means, without a home', async () => {
    const { exit, out } = await check('--explain', 'tvm_branch');
    assert.equal(exit, 0);
    assert.equal(
      out,
      'tvm_branch  (config/experiments/*/config.json)\n  Branch of TVM to build for this experiment.\n  type: text or number; default: master\n',
    );
  });

  test('says with a home what the value is and where it came from', async () => {
    write('nightmark.yml', 'defaults: {retries: 2}\nexperiments:\n  a: echo\n  b: {run: x, retries: 0}\n');
    const { out } = await check('.', '--explain', 'experiments.*.retries');
    assert.match(out, /a: 2 {2}\(from the values for all tasks at .*nightmark\.yml:1:21\)/);
    assert.match(out, /b: 0 {2}\(written at .*nightmark\.yml:4:24\)/);
    const { out: one } = await check('.', '--explain', 'experiments.a.timeout');
    assert.match(one, /a: 24h {2}\(by default\)/);
    assert.doesNotMatch(one, /b: /);
  });

  test('reads the files of dashboard homes too', async () => {
    write('config.json', '{"tmp_data_dir": "t", "backup_dir": "b", "setup_dir": "s", "telemetry_rate": 3}');
    write('config/experiments/a/config.json', '{"active": 1}');
    const { out } = await check('.', '--explain', 'experiments.a.telemetry_rate', '--json');
    const { explanations } = JSON.parse(out) as { explanations: { values: unknown[] }[] };
    assert.deepEqual(explanations[0]?.values, [
      { task: 'a', value: 3, origin: 'common', file: join(home, 'config.json'), line: 1, column: 78 },
    ]);
  });

  test('an unknown key is an error with the nearest one', async () => {
    const { exit, err } = await check('--explain', 'timeot');
    assert.equal(exit, 1);
    assert.equal(err, 'error: There is no key "timeot".\n  Did you mean "timeout"?\n  [CLI_UNKNOWN_KEY]\n');
  });
});
