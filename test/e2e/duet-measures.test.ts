import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-measures-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const duet = async (...words: string[]) => {
  const { stdout, stderr, code } = await runInProcess(['duet', ...words, '--json'], { cwd: folder });
  const [found] = stdout === '' ? [] : JSON.parse(stdout).comparisons;
  return { found, stderr, code };
};

/** Counting, and nothing else. */
const count = (rounds: number) => `awk 'BEGIN { for (i = 0; i < ${rounds}; i++) s += i }'`;
const isLinux = { skip: process.platform !== 'linux' && 'CPU time of commands is that of Linux' };

describe('measures of a duet', isLinux, () => {
  test('twice the work is found by CPU time while other programs take both cores', async () => {
    const spin = 'for (;;);';
    // In sessions of their own: the kernel may share out CPUs by session.
    const load = [1, 2, 3, 4].map(() =>
      spawn(process.execPath, ['-e', spin], { stdio: 'ignore', detached: true }),
    );
    try {
      const words = [count(1_500_000), count(3_000_000), '-r', '6', '--alternate'];
      const { found, code } = await duet(...words, '--measure', 'cpu');
      assert.equal(code, 3);
      assert.deepEqual([found.verdict, found.decidedBy], ['slower', 'cpu']);
      assert.ok(found.ratio > 1.5 && found.ratio < 2.7, `${found.ratio}`);
      assert.equal(found.interval.level, 0.95);
      assert.equal(found.sides.A.measured.cpu.length, 6);
      assert.match(found.sentence, /by CPU time/);
      const both = (await duet(...words)).found;
      assert.deepEqual([both.verdict, both.measures.cpu.verdict], ['slower', 'slower']);
      assert.ok(both.runnable.A > 0.7 && both.runnable.B > 0.7, JSON.stringify(both.runnable));
      assert.deepEqual(both.deciders, ['wall', 'cpu']);
      assert.deepEqual([both.measures.wall.interval.level, both.measures.cpu.interval.level], [0.96, 0.99]);
    } finally {
      for (const child of load) child.kill('SIGKILL');
    }
  });

  test('one that sleeps longer is slower, and the answer says that it waits', async () => {
    const { found, code } = await duet('sleep 0.02', 'sleep 0.3', '-r', '6');
    assert.deepEqual([code, found.verdict, found.decidedBy], [3, 'slower', 'wall']);
    assert.deepEqual(found.deciders, ['wall']);
    assert.match(found.notes.join('\n'), /^B waits more than A: it takes \d+ ms longer, with .* CPU time\./m);
    assert.match(found.absent.cpu, /too short/);
  });

  test('CPU time is that of all threads, and of children that were waited for', async () => {
    const work = 'let s = 0; for (let i = 0; i < 1e8; i++) s += i;';
    const file = join(folder, 'threads.cjs');
    writeFileSync(
      file,
      `const { isMainThread, Worker } = require('node:worker_threads');
       if (isMainThread) for (let i = 0; i < Number(process.argv[2]); i++) new Worker(__filename);
       else { ${work} }`,
    );
    const node = `${process.execPath} ${file}`;
    const threads = (await duet(`${node} 1`, `${node} 3`, '-r', '4', '--alternate', '--measure', 'cpu'))
      .found;
    assert.ok(threads.ratio > 1.5 && threads.ratio < 4, `${threads.ratio}`);
    const child = count(800_000);
    const children = (
      await duet(
        `sh -c "${child} & wait"`,
        `sh -c "${child} & ${child} & wait"`,
        '-r',
        '4',
        '--measure',
        'cpu',
      )
    ).found;
    assert.ok(children.ratio > 1.4 && children.ratio < 2.8, `${children.ratio}`);
  });

  test('what is left running is named: its CPU time is not known', async () => {
    const { found } = await duet("sh -c 'sleep 61 &'", 'true', '-r', '2');
    assert.match(found.notes.join('\n'), /^3 processes that the commands started still ran at the end/m);
  });
});

describe('counters of a duet', isLinux, () => {
  /** A stand-in for perf: machines that run tests seldom have counters. Counts ten instructions for each letter of the command. */
  const standIn = (name: string, script: string) => {
    const dir = join(folder, name);
    mkdirSync(dir);
    writeFileSync(join(dir, 'perf'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(dir, 'perf'), 0o755);
    return async (...words: string[]) => {
      const env = { PATH: `${dir}:${process.env['PATH']}` };
      const { stdout, stderr, code } = await runBinary(['duet', ...words, '--json'], env);
      return { found: stdout === '' ? undefined : JSON.parse(stdout).comparisons[0], stderr, code };
    };
  };
  const counting = standIn(
    'counting',
    `file=$4; shift 7; text="$*"
     printf '# started\\n\\n%s,,instructions:u,1,100.00,,\\n7,,cycles:u,1,100.00,,\\n<not counted>,,cache-misses:u,0,0.00,,\\n' "$(( \${#text} * 10 ))" > "$file"
     exec "$@"`,
  );

  test('--counters compares them by further pairs, and names those that are missing', async () => {
    const { found, stderr } = await counting('sleep 0.01', 'sleep 0.010000000000', '-r', '3', '--counters');
    assert.ok(found, stderr);
    assert.ok(found.measures.instructions.ratio > 1);
    assert.equal(found.measures.cycles.ratio, 1);
    assert.equal(found.sides.A.measured.instructions.length, 3);
    assert.equal(found.decidedBy, 'wall');
    assert.match(found.absent['cache-misses'], /perf counted nothing/);
    assert.match(found.notes.join('\n'), /^Cache misses: not available here: /m);
  });

  test('--measure instructions decides by them', async () => {
    const words = ['sleep 0.02', 'sleep 0.010000000000', '-r', '6', '--measure', 'instructions'];
    const { found, code, stderr } = await counting(...words);
    assert.ok(found, stderr);
    assert.deepEqual([code, found.verdict, found.decidedBy], [3, 'slower', 'instructions']);
    assert.match(found.sentence, /slower than A by instructions/);
  });

  test('without counters they are named once, and cannot decide', async () => {
    const none = standIn(
      'refused',
      'echo "Consider adjusting /proc/sys/kernel/perf_event_paranoid setting" >&2; exit 255',
    );
    const { found } = await none('true', 'true', '-r', '2', '--counters');
    const named = found.notes.filter((note: string) => note.includes('not available here'));
    assert.equal(named.length, 1);
    assert.match(
      named[0],
      /^Instructions, cycles and cache misses: not available here: the kernel does not permit it \(perf_event_paranoid is /,
    );
    const refused = await none('true', 'true', '-r', '2', '--measure', 'cycles');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /--measure cycles: cycles cannot be counted here: the kernel does not permit it/,
    );
    const quiet = await none('true', 'true', '-r', '2');
    assert.ok(!quiet.found.notes.some((note: string) => note.includes('not available here')));
  });
});
