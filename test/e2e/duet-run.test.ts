import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { after, test } from 'node:test';
import type { DuetRunRecord } from '../../src/duet/core/duet-journal.ts';
import { MAIN, runBinary, startBinary } from '../support/binary.ts';
import { type DuetFolder, duetFolder, isRunning, until } from '../support/duet-folder.ts';
import { runInProcess } from '../support/in-process.ts';

const folders: DuetFolder[] = [];
after(() => {
  for (const { dir } of folders) fs.rmSync(dir, { recursive: true, force: true });
});

function newFolder(): DuetFolder {
  const folder = duetFolder();
  folders.push(folder);
  return folder;
}

const LOCAL = `duetbench:
  name: local
  suite: debug
  seed: 7
  results: [out.txt]
  artifacts: { host: hostname, odd: bash -c 'echo "two  blanks"; exit 3', }
  duets: [plain]
plain:
  duet_repetitions: 2
  sequential_repetitions: 1
  A: { run: 'echo "$NIGHTMARK_SIDE $(cat "$NIGHTMARK_DUET_DIR/word")" > out.txt; ls | wc -l >> out.txt; echo says A' }
  B: { run: 'echo "$NIGHTMARK_SIDE" > out.txt; ls | wc -l >> out.txt' }
`;

function records(folder: DuetFolder, results = 'res'): readonly DuetRunRecord[] {
  return folder.journal(results).flatMap((event) => (event.type === 'run-ended' ? [event.record] : []));
}

test('without an image both sides run as processes in folders of their own', async () => {
  const folder = newFolder();
  folder.write('word', 'spoken');
  const file = folder.write('a.yml', LOCAL);
  const ran = await runBinary(['duet', 'run', file, '-o', folder.path('res'), '--json']);
  assert.equal(ran.code, 0, ran.stderr);
  assert.deepEqual(JSON.parse(ran.stdout), {
    results: folder.path('res'),
    files: [{ file, name: 'local', seed: 7, runs: 4, ended: 4, failed: [], timeouts: [] }],
    refused: [],
    interrupted: false,
  });
  const plan = folder.journal('res').flatMap((event) => (event.type === 'file' ? [event] : []))[0]?.plan;
  const orders = (plan ?? []).flatMap((run) => (run.type === 'duet' ? [run.order] : []));
  assert.equal(orders.length, 2);
  assert.deepEqual(
    folder.list('res'),
    [
      'artifacts',
      ...orders.flatMap((order, runid) =>
        ['A', 'B'].map((side) => `debug.plain.${runid}.duet.${order}.${side}.out.txt`),
      ),
      'debug.plain.0.seqn.None.A.out.txt',
      'debug.plain.0.seqn.None.B.out.txt',
    ].sort(),
  );
  assert.equal(folder.read(`res/debug.plain.1.duet.${orders[1]}.A.out.txt`), 'A spoken\n1\n');
  assert.equal(folder.read('res/debug.plain.0.seqn.None.B.out.txt'), 'B\n1\n');
  assert.equal(
    folder.read('res/artifacts/odd'),
    'two  blanks\n',
    'quotes are honoured, a failing one is kept',
  );
  assert.match(ran.stderr, /W {2}The artifact odd failed: .* ended with exit code 3\./);
  for (const line of [
    'START DUET ',
    'Seed: 7',
    'PLAN: [duet.plain.0 ',
    'PROGRESS 0/4',
    'SUMMARY:',
    'RESULTS: ',
  ])
    assert.ok(ran.stderr.includes(`I  ${line}`), line);
  assert.equal(folder.read(`res/.nightmark/logs/debug.plain.0.duet.${orders[0]}.A.log`), 'says A\n');
  const telemetry = folder.read(`res/.nightmark/telemetry/debug.plain.0.duet.${orders[0]}.A.json`);
  assert.ok((JSON.parse(telemetry) as { series: unknown[] }).series.length > 0);
  assert.ok(folder.read('res/.nightmark/machine.json').includes('"cpu"'));
  const [first] = folder.journal('res').flatMap((event) => (event.type === 'file' ? [event] : []));
  assert.equal(first?.text, LOCAL);
  assert.deepEqual(fs.readdirSync(folder.path('res/.nightmark/work')), [], 'no folder is left');
});

test('a folder with results is refused without -f; with it artifacts stay and results are replaced', async () => {
  const folder = newFolder();
  folder.write('word', 'one');
  const file = folder.write('a.yml', LOCAL);
  const args = ['duet', 'run', file, '-o', folder.path('res')];
  fs.mkdirSync(folder.path('res'));
  assert.equal((await runInProcess(args)).code, 0, 'an existing folder without artifacts is fine');
  const refused = await runInProcess(args);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /already holds the results of a run\.\n.*\n {2}\[DUET_FOLDER_USED\]/);
  folder.write('word', 'two');
  folder.write('res/artifacts/host', 'kept');
  const before = folder.list('res');
  const again = await runInProcess([...args, '-f', '--seed', '1']);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(folder.read('res/artifacts/host'), 'kept');
  assert.equal(
    folder.list('res').length,
    before.length,
    'a run of the same number is there once, whatever its order',
  );
  assert.equal(folder.read('res/debug.plain.0.seqn.None.A.out.txt'), 'A two\n1\n');
  assert.equal(
    fs.readdirSync(folder.path('res/.nightmark')).filter((name) => name.startsWith('journal')).length,
    2,
  );
});

test('artifacts are gathered once for a folder, and files go on into one folder after a bad one', async () => {
  const folder = newFolder();
  const config = (name: string, word: string) =>
    folder.write(
      `${name}.yml`,
      `duetbench: {suite: debug, results: [r], artifacts: {who: echo ${word}}, duets: [${name}]}\n${name}: {A: {run: echo > r}}\n`,
    );
  const bad = folder.write('bad.yml', 'duetbench:\n  suite: debug\n  colour: red\n  duets: [x]\n');
  const ran = await runInProcess([
    'duet',
    'run',
    bad,
    config('one', 'first'),
    config('two', 'second'),
    '-o',
    folder.path('res'),
    '--json',
  ]);
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /bad\.yml:3:3: error: .*colour/);
  assert.equal(folder.read('res/artifacts/who'), 'first\n');
  assert.equal(folder.list('res').length, 5);
  assert.deepEqual((JSON.parse(ran.stdout) as { refused: string[] }).refused, [bad]);
  const same = await runInProcess([
    'duet',
    'run',
    folder.path('one.yml'),
    folder.path('one.yml'),
    '-o',
    folder.path('same'),
    '--json',
  ]);
  assert.equal(same.code, 1, 'a second file with the same results is refused');
  assert.match(same.stderr, /debug\.one is also written by/);
  assert.equal(folder.list('same').length, 3);
});

test('A failing never loses the results of B; a timeout stops both and keeps what a harness writes at its end', async () => {
  const folder = newFolder();
  const file = folder.write(
    'a.yml',
    `duetbench: {suite: debug, seed: 1, results: [r], duets: [fails, none, slow]}
fails: {A: {run: 'exit 3'}, B: {run: 'sleep 0.3; echo b > r'}}
none: {A: {run: 'echo a > r'}, B: {run: 'true'}}
slow:
  timeout: 1
  A: {run: 'trap "echo a > r; exit 0" TERM; while :; do sleep 0.05; done'}
  B: {run: 'trap "" TERM; (trap "echo b > r; exit 0" TERM; while :; do sleep 0.05; done) & wait'}
`,
  );
  const ran = await runInProcess(['duet', 'run', file, '-o', folder.path('res'), '--json']);
  assert.equal(ran.code, 4, ran.stderr);
  const [fails, none, slow] = records(folder);
  assert.equal(fails?.outcome, 'failed');
  assert.deepEqual(fails?.sides.A?.exit, { type: 'code', code: 3 });
  assert.deepEqual(fails?.sides.A?.missing, ['r']);
  assert.equal(fails?.sides.B?.fetched.length, 1);
  assert.equal(none?.sides.A?.fetched.length, 1);
  assert.deepEqual(
    none?.problems.map(({ kind }) => kind),
    ['RESULTS'],
  );
  assert.equal(slow?.outcome, 'timeout');
  assert.deepEqual(slow?.sides.B?.exit, { type: 'timeout', afterMs: 1000 });
  const [a = '', b = ''] = [slow?.sides.A?.fetched[0], slow?.sides.B?.fetched[0]];
  assert.deepEqual([folder.read(`res/${a}`), folder.read(`res/${b}`)], ['a\n', 'b\n']);
  const { files } = JSON.parse(ran.stdout) as {
    files: { failed: { run: string }[]; timeouts: { run: string }[] }[];
  };
  assert.deepEqual(
    files[0]?.failed.map(({ run }) => run),
    ['duet.fails.0', 'duet.none.0'],
  );
  assert.deepEqual(
    files[0]?.timeouts.map(({ run }) => run),
    ['duet.slow.0'],
  );
  assert.match(ran.stderr, /1 warnings: \[TIMEOUT:duet\.slow\.0\]/);
  assert.match(ran.stderr, /3 errors: \[RUN:duet\.fails\.0, RESULTS:duet\.fails\.0, RESULTS:duet\.none\.0\]/);
});

/** From the third run on both sides of an x hang, and say so by their process, until there is a file "calls.fast". */
const NOTING = (calls: string) => `duetbench: {suite: debug, results: [r], duet_repetitions: 4, duets: [x, y]}
x:
  A:
    run: |
      echo "x $NIGHTMARK_SIDE" >> ${calls}; echo fast > r
      [ $(wc -l < ${calls}) -le 4 ] || test -f ${calls}.fast || { echo $$ > r; exec sleep 60; }
y: {A: {run: 'echo "y $NIGHTMARK_SIDE" >> ${calls}; echo fast > r'}}
`;

/** The folder of a run that has ended is removed meanwhile. */
function readIfThere(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

for (const signal of ['SIGINT', 'SIGKILL'] as const) {
  test(`a run ended by ${signal} leaves no process, and --resume does what is missing and nothing twice`, async () => {
    const folder = newFolder();
    const calls = folder.path('calls');
    const file = folder.write('a.yml', NOTING(calls));
    const args = ['duet', 'run', file, '-o', folder.path('res'), '--json'];
    const child = startBinary(args);
    const exit = once(child, 'close');
    const work = folder.path('res/.nightmark/work');
    const pids = () =>
      (fs.existsSync(work) ? fs.readdirSync(work) : [])
        .map((name) => Number(readIfThere(`${work}/${name}/files/r`)))
        .filter((pid) => pid > 0);
    await until(() => pids().length === 2);
    const hanging = pids();
    assert.ok(hanging.every(isRunning));
    const second = await runInProcess([...args, '-f']);
    assert.equal(second.code, 1, 'a second run into the folder is refused');
    assert.match(second.stderr, /\[DUET_LOCKED\]/);
    child.kill(signal);
    const [code] = (await exit) as [number | null];
    await until(() => hanging.every((pid) => !isRunning(pid)));
    if (signal === 'SIGINT') {
      assert.equal(code, 130);
      const interrupted = records(folder).at(-1);
      assert.equal(interrupted?.outcome, 'interrupted');
      assert.equal(interrupted?.sides.A?.fetched.length, 1, 'what was there is fetched');
    }
    const before = fs.readFileSync(calls, 'utf8').trim().split('\n').length;
    const done = records(folder).filter(({ outcome }) => outcome === 'done').length;
    folder.write('calls.fast', '');

    const resumed = await runInProcess([...args, '--resume']);
    assert.equal(resumed.code, 0, resumed.stderr);
    const all = fs.readFileSync(calls, 'utf8').trim().split('\n').length;
    assert.equal(all - before, 2 * (8 - done), 'two sides for each run that was missing');
    assert.equal(folder.list('res').length, 1 + 16);
    assert.deepEqual(fs.readdirSync(work), []);

    const third = await runInProcess(['duet', 'run', file, '-o', folder.path('res'), '--resume']);
    assert.equal(third.code, 0);
    assert.match(third.stdout, /8 of 8 runs fine, nothing was left to run/);
    folder.write('a.yml', `${NOTING(calls)}# changed\n`);
    const changed = await runInProcess([...args, '--resume']);
    assert.match(changed.stderr, /has changed since.*\n.*\n {2}\[DUET_RESUME_DIFFERS\]/);
  });
}

test('an absolute path of both sides is warned of, and what was there before is no result', async () => {
  const folder = newFolder();
  const shared = folder.write('shared', 'old');
  const file = folder.write(
    'a.yml',
    `duetbench: {suite: debug, results: [${shared}], duets: [x]}\nx: {A: {run: 'true'}, B: {run: 'true'}}\n`,
  );
  const ran = await runInProcess(['duet', 'run', file, '-o', folder.path('res')]);
  assert.equal(ran.code, 4);
  assert.match(ran.stderr, /W {2}x: A and B both write .*shared on this machine/);
  assert.match(ran.stderr, /was there before the run, and the run did not change it/);
  assert.deepEqual(folder.list('res'), ['artifacts']);
});

test('synchronised local sides meet at a barrier, and one that fails does not hold the other for ever', async () => {
  const folder = newFolder();
  // A round, then a note of the time; B is slow, so that A has to wait for it.
  const script = folder.write(
    'harness.sh',
    `coproc BARRIER { node ${MAIN} barrier "$1" --parties 2 --stdio; }
for i in 1 2 3; do
  [ "$NIGHTMARK_SIDE" = B ] && sleep 0.3
  date +%s%N >> arrived
  echo >&"\${BARRIER[1]}"; read -r word <&"\${BARRIER[0]}"
  echo "$word $(date +%s%N)" >> r
  [ "$2" = fail ] && [ "$NIGHTMARK_SIDE" = A ] && exit 5
done
exit 0
`,
  );
  const file = folder.write(
    'a.yml',
    `duetbench: {suite: debug, results: [r, arrived], duet_repetitions: 0, syncduet_repetitions: 1, duets: [fine, alone]}
fine: {syncduet_run_base: 'bash ${script} $$', A: {run: go}}
alone: {syncduet_run_base: 'bash ${script} $$', A: {run: 'fail; [ $NIGHTMARK_SIDE = A ] && exit 5; sleep 60'}}
`,
  );
  const ran = await runBinary(['duet', 'run', file, '-o', folder.path('res')], {
    NIGHTMARK_BARRIER_DIR: folder.path('barriers'),
  });
  assert.equal(ran.code, 4, ran.stderr);
  const [fine, alone] = records(folder);
  assert.equal(fine?.outcome, 'done', ran.stderr);
  const read = (name: 'r' | 'arrived', side: 'A' | 'B') =>
    folder
      .read(`res/${fine?.sides[side]?.fetched.find((file) => file.endsWith(`.${name}`))}`)
      .trim()
      .split('\n');
  for (const side of ['A', 'B'] as const) {
    assert.deepEqual(
      read('r', side).map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['go 0', 'go 1', 'go 2'],
    );
  }
  for (const round of [0, 1, 2]) {
    const left = BigInt(read('r', 'A')[round]?.split(' ')[2] ?? 0);
    assert.ok(
      left >= BigInt(read('arrived', 'B')[round] ?? 0),
      `A went on in round ${round} before B had come`,
    );
  }
  assert.equal(alone?.outcome, 'failed');
  assert.deepEqual(alone?.sides.A?.exit, { type: 'code', code: 5 });
  assert.match(ran.stderr, /RUN: syncduet\.alone\.0: B was stopped, as the other side had failed\./);
  assert.equal(alone?.sides.B?.fetched.length, 2);
});

test('the CPU time of whole runs stands beside the verdict of their iterations', {
  skip: process.platform !== 'linux' && 'CPU time of commands is that of Linux',
}, async () => {
  const folder = newFolder();
  const side = (rounds: number) =>
    `awk 'BEGIN { for (i = 0; i < ${rounds}; i++) s += i }'; printf 'time_ms\\n10\\n11\\n10\\n11\\n' > t.csv`;
  const definition = {
    duetbench: { name: 'cpu', suite: 'debug', seed: 7, results: ['t.csv'], duets: ['count'] },
    count: { duet_repetitions: 6, A: { run: side(1_000_000) }, B: { run: side(3_000_000) } },
  };
  const file = folder.write('a.yml', JSON.stringify(definition));
  const ran = await runInProcess(['duet', 'run', file, '-o', folder.path('res')]);
  assert.equal(ran.code, 0, ran.stderr);
  for (const { sides } of records(folder)) {
    const { wall = 0, cpu = 0 } = sides.A?.measures ?? {};
    assert.ok(wall > 0.005 && cpu > 0.005 && cpu < 60, `${wall} ${cpu}`);
  }
  const json = await runInProcess(['duet', 'analyze', folder.path('res'), '--json']);
  const [group] = JSON.parse(json.stdout).groups;
  assert.equal(group.judgement.verdict, 'same');
  assert.deepEqual([group.cpu.verdict, group.cpu.runs], ['slower', 6]);
  assert.ok(group.cpu.effect.ratio > 1.5 && group.cpu.effect.ratio < 4.5, `${group.cpu.effect.ratio}`);
  assert.match(group.judgement.notes.join('\n'), /^B uses .* % more CPU time than A in whole runs, /m);
  const text = await runInProcess(['duet', 'analyze', folder.path('res'), '--html', folder.path('a.html')]);
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /CPU time, B \/ A/);
  assert.match(folder.read('a.html'), /CPU time B \/ A<\/th><td>\d\.\d+, 95 % interval .*; of whole runs/);
});
