import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary, startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-duet-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const place = (name: string) => join(folder, name);
const duet = (...words: string[]) => runInProcess(['duet', ...words], { cwd: folder });

describe('nightmark duet "A" "B"', () => {
  test('a clear difference is found, in every mode, and the exit code says so', async () => {
    for (const mode of ['--together', '--alternate', '--one-after-another']) {
      const slower = await duet('sleep 0.02', 'sleep 0.12', '-r', '6', mode);
      assert.equal(slower.code, 3, slower.stderr);
      assert.match(slower.stdout, /^B takes \d\.\d times as long as A {2}\(ratio \d\.\d+, 95 % interval /);
      assert.match(slower.stdout, / {2}A: sleep 0\.02\n {5}\d\d\.\d ms ± .* … .* {3}user .*, system /);
      const faster = await duet('sleep 0.12', 'sleep 0.02', '-r', '6', mode);
      assert.equal(faster.code, 0);
      assert.match(faster.stdout, /^A takes \d\.\d times as long as B/);
    }
  });

  test('what is allowed is no failure, and --no-fail never is', async () => {
    const words = ['sleep 0.02', 'sleep 0.06', '-r', '6', '-q'];
    assert.equal((await duet(...words, '--allow', '900%')).code, 0);
    assert.equal((await duet(...words, '--no-fail')).code, 0);
  });

  test('the JSON has all that is known, and talk is elsewhere', async () => {
    const { stdout, stderr, code } = await duet(
      ...[
        'sleep 0.01',
        'sleep 0.05',
        '-r',
        '5',
        '--json',
        '--seed',
        '9',
        '-n',
        'old',
        '-n',
        'new',
        '--together',
      ],
    );
    assert.deepEqual([code, stderr], [3, '']);
    const { version, comparisons } = JSON.parse(stdout);
    assert.match(version, /^\d/);
    const [one] = comparisons;
    assert.equal(one.verdict, 'slower');
    assert.equal(one.sentence.startsWith('new takes'), true);
    assert.deepEqual([one.pairs, one.planned, one.state, one.seed], [5, 5, 'complete', 9]);
    assert.ok(one.interval.low > 1 && one.interval.low <= one.ratio && one.ratio <= one.interval.high);
    assert.deepEqual([one.sides.A.name, one.sides.B.command], ['old', 'sleep 0.05']);
    assert.equal(one.sides.A.times.length, 5);
    assert.ok(one.sides.A.times.every((time: number) => time >= 0.01 && time < 5));
    assert.ok(one.skew >= 0 && one.aloneShare > 0 && one.aloneShare < 1);
    assert.match(one.notes.join('\n'), /ran alone for \d+ % of its time.*--alternate/);
  });

  test('the same seed gives the same order of starts', async () => {
    const orders = async (seed: string) => {
      const { stdout } = await duet('true', 'true', '-r', '12', '--json', '--seed', seed);
      return JSON.parse(stdout).comparisons[0].orders;
    };
    const first = await orders('3');
    assert.deepEqual(await orders('3'), first);
    assert.notDeepEqual(await orders('4'), first);
    const log = place('starts.log');
    await duet(
      ...[`sh -c 'echo A >> ${log}'`, `sh -c 'echo B >> ${log}'`],
      ...['-r', '12', '-w', '1', '--alternate', '--seed', '3', '-q'],
    );
    const starts = readFileSync(log, 'utf8').replaceAll('\n', '').slice(2);
    assert.equal(starts, first.join(''));
  });

  test('one command is compared with itself', async () => {
    const { stdout } = await duet('sleep 0.01', '-r', '3', '-q');
    assert.match(stdout, /note: One command was given: it is compared with itself\./);
    for (const side of ['A', 'B']) assert.ok(stdout.includes(`  ${side}: sleep 0.01\n`));
  });

  test('commands with quotes, with and without a shell', async () => {
    const quoted = `node -e "process.exit(process.argv[1] === 'a  b' ? 0 : 1)" -- 'a  b'`;
    assert.notEqual((await duet('-N', quoted, quoted, '-r', '2', '-q')).code, 1);
    assert.notEqual((await duet(quoted, 'test "$HOME" && echo `true`', '-r', '2', '-q')).code, 1);
    const open = await duet('-N', "echo 'oops", 'true', '-r', '2');
    assert.match(open.stderr, /has a ' that is never closed: echo 'oops/);
    assert.equal(open.code, 1);
  });

  test('a program that prints a megabyte is no trouble, whatever is kept of it', async () => {
    const noisy = 'yes 0123456789abcde | head -c 1000000 | tee /dev/stderr';
    for (const output of ['errors', 'null', 'tail']) {
      const { code, stderr } = await duet(noisy, noisy, '-r', '2', '-q', '--output', output);
      assert.notEqual(code, 1, stderr);
    }
  });

  test('each combination of parameters is one comparison, and all are exported', async () => {
    const files = ['json', 'csv', 'markdown'].flatMap((kind) => [`--export-${kind}`, place(`out.${kind}`)]);
    const { stdout, stderr } = await duet(
      ...['-L', 'a', '1,5', '-L', 'unit', '0.0', 'sleep {unit}{a}', 'sleep {unit}{a}5', '-r', '4', ...files],
    );
    assert.match(stdout, /^a = 1, unit = 0\.0: /m);
    assert.match(stdout, /^a = 5, unit = 0\.0: /m);
    assert.match(stderr, /^1\/2 a = 1, unit = 0\.0: sleep 0\.01 \| sleep 0\.015 \(/m);
    const { results, nightmark } = JSON.parse(readFileSync(place('out.json'), 'utf8'));
    assert.deepEqual(
      results.map(({ command }: { command: string }) => command),
      ['sleep 0.01', 'sleep 0.015', 'sleep 0.05', 'sleep 0.055'],
    );
    assert.ok(nightmark.comparisons[0].adjustedP >= nightmark.comparisons[0].p);
    assert.equal(readFileSync(place('out.csv'), 'utf8').trim().split('\n').length, 5);
    assert.equal(readFileSync(place('out.markdown'), 'utf8').trim().split('\n').length, 6);
  });

  test('prepare runs before each run, setup and cleanup once, each side its own where given twice', async () => {
    const log = place('aside.log');
    const note = (word: string) => `echo ${word} >> ${log}`;
    await duet(
      ...['true', 'true', '-r', '1', '-w', '1', '--alternate', '-q', '--seed', '1'],
      ...['-s', note('setup'), '-p', note('prepare-A'), '-p', note('prepare-B'), '-c', note('cleanup')],
    );
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    assert.deepEqual([lines[0], lines.at(-1), lines.length], ['setup', 'cleanup', 6]);
    assert.deepEqual(lines.slice(1, -1).sort(), ['prepare-A', 'prepare-A', 'prepare-B', 'prepare-B']);
  });

  test('pins each side to its half, and swaps the halves from pair to pair', {
    skip: coreCount() < 2 && 'there is one core; pinning two sides needs two',
  }, async () => {
    const log = (side: string) => place(`cores-${side}`);
    const ask = (side: string) => `grep Cpus_allowed_list /proc/self/status >> ${log(side)}`;
    const { code, stderr } = await duet(ask('A'), ask('B'), '--pin', '-r', '2', '-w', '0', '-q');
    assert.notEqual(code, 1, stderr);
    const [a, b] = ['A', 'B'].map((side) => readFileSync(log(side), 'utf8').trim().split('\n'));
    assert.deepEqual([a?.length, b?.length], [2, 2]);
    assert.deepEqual([a?.[0], a?.[1]], [b?.[1], b?.[0]]);
    assert.notEqual(a?.[0], a?.[1]);
  });

  test('ends early when decided, and says at which look', async () => {
    const { stdout } = await duet('sleep 0.01', 'sleep 0.05', '-r', '40', '--stop', 'when-decided', '--json');
    const [one] = JSON.parse(stdout).comparisons;
    assert.deepEqual([one.state, one.verdict, one.planned], ['decided', 'slower', 40]);
    assert.ok(one.pairs < 40 && one.look.of > 1 && one.look.number < one.look.of);
    assert.ok(one.interval.level > 0.95);
  });
});

describe('nightmark duet, when something goes wrong', () => {
  test('a failing command is an error with its exit code and last words', async () => {
    const { code, stdout, stderr } = await duet('true', "sh -c 'echo boom >&2; exit 7'", '-q');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /Command B ended with exit code 7: sh -c .*\nIts last output:\nboom\n/);
    assert.match(stderr, /\[DUET_COMMAND_FAILED\]/);
  });

  test('unless failures are to be ignored', async () => {
    const { code, stdout } = await duet('true', 'false', '-i', '-r', '3', '-q');
    assert.notEqual(code, 1);
    assert.match(stdout, /note: B failed in 3 of 3 runs; their times are included\./);
  });

  test('a missing program is named', async () => {
    const { code, stderr } = await duet('-N', 'no-such-program --now', 'true');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /Command A cannot be started: no-such-program --now\nno-such-program: not found in PATH/,
    );
    assert.match((await duet('no-such-program', 'true')).stderr, /exit code 127 \(no such program\)/);
  });

  test('a comparison that fails does not take the earlier ones with it', async () => {
    const out = place('partial.json');
    const { code, stdout, stderr } = await duet(
      '-L',
      'n',
      '0,7',
      'exit {n}',
      'true',
      '-r',
      '2',
      '--export-json',
      out,
    );
    assert.equal(code, 1);
    assert.match(stdout, /^n = 0: /);
    assert.match(stderr, /exit code 7/);
    assert.equal(JSON.parse(readFileSync(out, 'utf8')).results.length, 2);
  });

  test('a timeout ends both sides and all they started', async () => {
    const token = 'sleep 97.25';
    const { code, stderr } = await duet(`${token} & ${token}`, 'sleep 96.25', '--timeout', '300ms', '-q');
    assert.equal(code, 1);
    assert.match(stderr, /took longer than 300 ms/);
    assert.deepEqual(running(/^sleep (97|96)\.25/), []);
  });

  test('pairs that run into the timeout can be left out; with none left there is nothing to compare', async () => {
    const { code, stdout } = await duet(
      'sleep 95.25',
      'true',
      '-i',
      '--timeout',
      '200ms',
      '-r',
      '2',
      '-w',
      '0',
      '-q',
    );
    assert.equal(code, 2);
    assert.match(stdout, /2 pairs left out: a side ran into the timeout/);
  });

  test('Ctrl-C says what is known, writes the exports, cleans up and leaves nothing behind', async () => {
    const [log, out, cleaned] = [place('sigint.log'), place('sigint.json'), place('sigint.cleaned')];
    const child = startBinary([
      ...['duet', `echo x >> ${log}; sleep 0.0525 & wait`, 'sleep 0.0625', '-r', '5000', '--alternate'],
      ...['--export-json', out, '-c', `touch ${cleaned}`],
    ]);
    await until(() => existsSync(log) && readFileSync(log, 'utf8').length > 12);
    child.kill('SIGINT');
    const { code, stdout } = await ended(child);
    assert.equal(code, 130);
    assert.match(stdout, /; \d+ of 5000 pairs, two of them a run, alternate, interrupted\)/);
    const [one] = JSON.parse(readFileSync(out, 'utf8')).nightmark.comparisons;
    assert.ok(one.state === 'interrupted' && one.pairs >= 2 && one.pairs < 5000);
    assert.ok(existsSync(cleaned));
    assert.deepEqual(running(/^sleep 0\.0[56]25|nightmark-worker.*sigint/), []);
  });

  test('kill -9 of ours ends the commands at once, also what left its group', async () => {
    const script = place('daemon.sh');
    writeFileSync(script, 'setsid sleep 93.25 &\nsleep 93.25 &\nexec sleep 93.25\n');
    const child = startBinary(['duet', '-N', `bash ${script}`, `bash ${script}`, '-r', '2']);
    await until(() => running(/^sleep 93\.25/).length === 6);
    child.kill('SIGKILL');
    await ended(child);
    await until(() => running(/^sleep 93\.25|nightmark-worker.*daemon\.sh/).length === 0);
  });

  test('success leaves nothing running', async () => {
    const { code, stderr } = await runBinary([
      'duet',
      'sleep 92.25 & sleep 0.01',
      'true',
      '-r',
      '3',
      '-q',
      '--no-fail',
    ]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(running(/^sleep 92\.25/), []);
  });
});

function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly stdout: string }> {
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout })));
}

/** Pids of processes whose command line matches; zombies have none. */
function running(pattern: RegExp): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && pattern.test(commandLine(name));
    } catch {
      return false;
    }
  });
}

function commandLine(pid: string): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    assert.ok(tries < 1500, 'it did not become so within 30 seconds');
    await sleep(20);
  }
}

function coreCount(): number {
  const [, list = '0'] =
    /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return list.split(',').reduce((sum, part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return sum + to - from + 1;
  }, 0);
}
