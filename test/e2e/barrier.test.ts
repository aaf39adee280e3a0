import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MAIN, runBinary } from '../support/binary.ts';

const dir = fs.mkdtempSync(join(tmpdir(), 'nightmark-barrier-'));
const env = { NIGHTMARK_BARRIER_DIR: join(dir, 'barriers') };
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  fs.rmSync(dir, { recursive: true, force: true });
});

function stay(name: string): ChildProcess {
  const child = spawn(process.execPath, [MAIN, 'barrier', name, '--parties', '2', '--stdio'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer];
  return chunk.toString();
}

test('commands start when all have come, and their exit codes are ours', async () => {
  const script = (word: string, code: number) => [
    'bash',
    '-c',
    `echo "${word} $1"; exit ${code}`,
    'bash',
    'a  b',
  ];
  const call = (word: string, code: number) =>
    runBinary(['barrier', 'start', '--parties', '2', '--', ...script(word, code)], env);
  const [one, two] = await Promise.all([call('one', 0), call('two', 7)]);
  assert.deepEqual(one, { code: 0, stdout: 'one a  b\n', stderr: '' });
  assert.deepEqual(two, { code: 7, stdout: 'two a  b\n', stderr: '' });
});

test('one that waits alone is reported when its time is over, and starts nothing', async () => {
  const file = join(dir, 'never');
  const args = ['barrier', 'alone', '--parties', '3', '--timeout', '1', '--', 'touch', file];
  const ran = await runBinary(args, env);
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /Not all 3 parties have come to the barrier "alone" within 1 s\./);
  assert.equal(fs.existsSync(file), false);
  for (const wrong of [
    ['--parties', '1'],
    ['--parties', 'x'],
    ['--parties', '2', '--timeout', '-1'],
  ])
    assert.match((await runBinary(['barrier', 'x', ...wrong], env)).stderr, /\[CLI_INVALID_OPTION\]/);
});

test('a harness that stays pays a line a round; the death of the other ends it with a reason', async () => {
  const [a, b] = [stay('rounds'), stay('rounds')];
  let talk = '';
  b.stderr?.on('data', (chunk) => (talk += chunk));
  for (let round = 0; round < 5; round++) {
    a.stdin?.write('\n');
    b.stdin?.write('\n');
    assert.deepEqual(await Promise.all([nextLine(a), nextLine(b)]), [`go ${round}\n`, `go ${round}\n`]);
  }
  const ended = once(b, 'close');
  a.kill('SIGKILL');
  b.stdin?.write('\n');
  assert.deepEqual(await ended, [1, null]);
  assert.match(talk, /The barrier "rounds" is broken: a party (left|is gone) after 5 rounds\./);
});

test('the end of stdin ends it, and so does Ctrl-C', async () => {
  const [a, b] = [stay('ends'), stay('ends')];
  a.stdin?.write('\n');
  b.stdin?.write('\n');
  await Promise.all([nextLine(a), nextLine(b)]);
  const [first, second] = [once(a, 'close'), once(b, 'close')];
  a.stdin?.end();
  assert.deepEqual(await first, [0, null]);
  b.kill('SIGINT');
  assert.deepEqual(await second, [130, null]);
});
