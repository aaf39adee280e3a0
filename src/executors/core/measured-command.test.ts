import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { measuredArgv, readCommandMeasures } from './measured-command.ts';
import type { Measure } from './measures.ts';

function run(
  t: TestContext,
  argv: readonly [string, ...string[]],
  { measures = ['wall', 'cpu'], path }: { measures?: readonly Measure[]; path?: string } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-measured-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'm.txt');
  const [program, ...args] = measuredArgv(argv, file, measures);
  const env = { ...process.env, ...(path !== undefined && { PATH: path }) };
  const { status, signal, stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
  const read = (name: string) => (existsSync(name) ? readFileSync(name, 'utf8') : undefined);
  return { status, signal, stdout, ...readCommandMeasures(measures, read(file), read(`${file}.perf`)) };
}

test('a command runs as it is, with its wall time and the CPU time of all its children', (t) => {
  const busy = 'BEGIN { for (i = 0; i < 1500000; i++) s += i }';
  const odd = 'two words $HOME "quoted"';
  const found = run(t, [
    'sh',
    '-c',
    `awk '${busy}' & awk '${busy}'; wait; printf %s "$1"; exit 3`,
    'sh',
    odd,
  ]);
  assert.deepEqual([found.status, found.signal, found.stdout], [3, null, odd]);
  const { wall = 0, cpu = 0 } = found.measures;
  assert.ok(wall > 0.01 && wall < 60, `${wall}`);
  assert.ok(cpu > 0.02 && cpu < 60, `${cpu}`);
  assert.deepEqual(found.absent, []);
});

test('a command that sleeps has wall time without CPU time', (t) => {
  const { wall = 0, cpu = 0 } = run(t, ['sleep', '0.3']).measures;
  assert.ok(wall >= 0.3 && cpu < 0.15, `${wall} ${cpu}`);
});

test('a program is measured, not the builtin of a shell with its name', (t) => {
  const { status, measures } = run(t, ['false']);
  assert.equal(status, 1);
  assert.ok((measures.wall ?? 0) > 0.0003, `${measures.wall}`);
});

test('one that a signal ended ends the shell in the same way, and was measured', (t) => {
  const found = run(t, ['sh', '-c', 'kill -KILL $$']);
  assert.deepEqual([found.status, found.signal], [null, 'SIGKILL']);
  assert.ok((found.measures.wall ?? 0) > 0);
});

/** A folder in which only the named programs are found. */
function onlyPrograms(t: TestContext, ...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-path-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) {
    const real = spawnSync('bash', ['-c', `type -P ${name}`], { encoding: 'utf8' }).stdout.trim();
    symlinkSync(real, join(folder, name));
  }
  return folder;
}

test('without bash the command runs, and what is missing is named', (t) => {
  const { stdout, status, measures, absent } = run(t, ['echo', 'hello'], {
    path: onlyPrograms(t, 'sh', 'echo'),
  });
  assert.deepEqual([stdout, status, measures], ['hello\n', 0, {}]);
  assert.deepEqual(
    absent.map(({ measure, reason }) => [measure, reason]),
    [
      ['wall', 'the command was not measured: that needs bash where it runs'],
      ['cpu', 'the command was not measured: that needs bash where it runs'],
    ],
  );
});

test('without perf the times are there, and the counters are named', (t) => {
  const path = onlyPrograms(t, 'sh', 'bash', 'echo', 'true');
  const { stdout, measures, absent } = run(t, ['echo', 'hello'], { measures: ['cpu', 'cycles'], path });
  assert.equal(stdout, 'hello\n');
  assert.deepEqual(Object.keys(measures), ['cpu']);
  assert.deepEqual(absent, [{ measure: 'cycles', reason: 'perf is not installed' }]);
});

test('with perf the command is counted, and its exit is its own, also by a signal', (t) => {
  const path = onlyPrograms(t, 'sh', 'bash', 'true');
  // A stand-in: machines that run tests seldom have counters.
  const script =
    'file=$4; shift 7; printf "1200,,instructions:u,1,100.00,,\\n800,,cycles:u,1,100.00,,\\n" >"$file"; "$@"; exit $?';
  writeFileSync(join(path, 'perf'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(path, 'perf'), 0o755);
  const measures = ['wall', 'instructions', 'cycles'] as const;
  const found = run(t, ['sh', '-c', 'exit 7'], { measures, path });
  assert.equal(found.status, 7);
  assert.deepEqual([found.measures.instructions, found.measures.cycles], [1200, 800]);
  const killed = run(t, ['sh', '-c', 'kill -KILL $$'], { measures, path });
  assert.equal(killed.status ?? killed.signal, 'SIGKILL');
});

test('a comma in place of the point is read, a clock that was set back is not', () => {
  const text = (began: string, ended: string) =>
    `0m0,001s 0m0,000s\n0m0,500s 0m0,000s\n0m0,001s 0m0,001s\n1m2,500s 0m0,250s\n${began} ${ended}\n`;
  assert.deepEqual(
    readCommandMeasures(['wall', 'cpu'], text('100,000000', '101,500000'), undefined).measures,
    {
      wall: 1.5,
      cpu: 62.25,
    },
  );
  assert.deepEqual(readCommandMeasures(['wall'], text('100,0', '99,0'), undefined), {
    measures: {},
    absent: [{ measure: 'wall', reason: 'bash did not report it' }],
  });
});
