import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary, startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';
import { findPodman } from '../support/podman.ts';

const root = mkdtempSync(join(tmpdir(), 'nightmark-places-'));
after(() => rmSync(root, { recursive: true, force: true }));
const podman = findPodman();
if (podman.skip !== false) console.log(`tests of containers are left out: ${podman.skip}`);

function folder(matrix: string): { readonly dir: string; readonly file: string } {
  const dir = mkdtempSync(join(root, 'case-'));
  writeFileSync(join(dir, 'm.yml'), matrix);
  return { dir, file: join(dir, 'm.yml') };
}
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');

describe('matrix run in containers', { skip: podman.skip }, () => {
  const start = (file: string, ...more: readonly string[]) =>
    runBinary(['matrix', 'run', file, ...more], podman.env);

  test('each test has a container of the image, sees its folder and can read those of the file', async () => {
    const { dir, file } = folder(`matrix: {level: [1, 9]}
run: 'cat ../../../neighbour; ls -d /duet; echo {level} $NIGHTMARK_EXPERIMENT > out; touch ../../../x || true'
image: duet-bash
engine: podman
`);
    writeFileSync(join(dir, 'neighbour'), 'beside the file\n');
    const ran = await start(file);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(read(dir, 'results/m/001__level=9/out'), '9 m\n');
    const log = read(dir, 'results/m/000__level=1/run.log');
    assert.ok(log.startsWith('beside the file\n/duet\n'), log);
    assert.match(log, /Read-only file system/);
    assert.equal(existsSync(join(dir, 'x')), false);
    const [journal = ''] = ran.stdout.match(/total: 2, executed: 2/) ?? [];
    assert.equal(journal, 'total: 2, executed: 2');
  });

  test('an image that is not there stops the run before its first test, with the reason', async () => {
    const { dir, file } = folder('matrix: {level: [1]}\nrun: "true"\n');
    const ran = await start(file, '--image', 'localhost/nightmark-no-such:1', '--engine', 'podman');
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, /podman could not get the image localhost\/nightmark-no-such:1/);
    assert.match(ran.stderr, /RUN_ENGINE_FAILED/);
    assert.equal(existsSync(join(dir, 'results/m')), false);
    const none = await start(file, '--image', 'duet-bash', '--engine', 'no-such-engine');
    assert.match(none.stderr, /The engine "no-such-engine" is not installed\./);
  });

  test('a container that a killed run left behind is removed by the next one', async () => {
    const { dir, file } = folder(`matrix: {level: [1]}
run: 'echo begun > begun; sleep 300'
image: duet-bash
engine: podman
path: one
`);
    const child = startBinary(['matrix', 'run', file], podman.env);
    const begun = join(dir, 'results/m/000__one/begun');
    while (!existsSync(begun) && child.exitCode === null) await sleep(50);
    child.kill('SIGKILL');
    await new Promise((done) => child.once('exit', done));
    writeFileSync(file, read(dir, 'm.yml').replace('sleep 300', 'true'));
    const ran = await start(file);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stderr, /that the interrupted run \S+ left behind/);
  });
});

test('what is measured of each command is in its folder, where a workload reads it', {
  skip: process.platform !== 'linux' && 'CPU time of commands is that of Linux',
}, async () => {
  const busy = "awk 'BEGIN { for (i = 0; i < {rounds}; i++) s += i }'";
  const { dir, file } = folder(
    `matrix: {rounds: [1000, 3000000]}\nrun: ${busy}; sleep 0.2\nmeasure: [wall, cpu]\n`,
  );
  const ran = await runInProcess(['matrix', 'run', file, '--json']);
  assert.equal(ran.code, 0, ran.stderr);
  const folders = readdirSync(join(dir, 'results/m')).sort();
  const measured = folders.map((name) => JSON.parse(read(dir, 'results/m', name, 'measures.json')));
  const [small, large] = measured as [Record<string, number>, Record<string, number>];
  assert.deepEqual(Object.keys(small), ['wall', 'cpu']);
  assert.ok((small['wall'] ?? 0) >= 0.2 && (small['cpu'] ?? 1) < 0.2, JSON.stringify(small));
  assert.ok((large['cpu'] ?? 0) > 3 * (small['cpu'] ?? 0), JSON.stringify(measured));
  assert.deepEqual(
    JSON.parse(ran.stdout).tests.map(({ measures }: { measures: unknown }) => measures),
    measured,
  );
  assert.deepEqual(
    readdirSync(join(dir, 'results/m', folders[0] ?? '')).filter((name) => name.includes('nightmark')),
    [],
  );
  const workload = join(dir, 'm.workload.yml');
  writeFileSync(
    workload,
    'name: m\nfields:\n  cpu: {file: measures.json, json: $.cpu}\nkpis:\n  cpu: {help: CPU time of the command, unit: s, better: lower}\n',
  );
  const kpis = await runInProcess(['matrix', 'kpi', join(dir, 'results'), '-w', workload, '--json']);
  assert.equal(kpis.code, 0, kpis.stderr);
  assert.ok(kpis.stdout.includes(String(large['cpu'])), kpis.stdout);
  const wrong = await runInProcess(['matrix', 'run', file, '--measure', 'speed']);
  assert.match(wrong.stderr, /--measure cannot be "speed"/);
});

test('telemetry is beside the results of each test, where a workload can read it', async () => {
  const { dir, file } = folder(`matrix: {level: [1, 9]}\nrun: sleep 0.5\ntelemetry: {every: 100ms}\n`);
  const ran = await runInProcess(['matrix', 'run', file]);
  assert.equal(ran.code, 0, ran.stderr);
  const folders = ['results/m/000__level=1', 'results/m/001__level=9'];
  for (const path of folders) {
    const recorded = JSON.parse(read(dir, path, 'telemetry/cpu.json')) as {
      timestamp: string;
      'proc-memory': { total: [number, number][] };
    };
    assert.ok(recorded['proc-memory'].total.length >= 2);
    assert.match(read(dir, path, 'telemetry/cpu/proc-memory'), /^0\.\d+ total \d+$/m);
  }
  writeFileSync(
    join(dir, 'w.yml'),
    'name: machine\nfields:\n  memory: {file: telemetry/cpu.json, json: "$[\'proc-memory\'].total[0][1]"}\n',
  );
  const parsed = await runInProcess([
    'matrix',
    'parse',
    join(dir, 'results'),
    '--workload',
    join(dir, 'w.yml'),
    '--json',
  ]);
  assert.equal(parsed.code, 0, parsed.stderr + parsed.stdout);
  assert.match(parsed.stdout, /"memory":\s*\d{8,}/);
});

test('options that contradict each other are refused', async () => {
  const { file } = folder('matrix: {level: [1]}\nrun: "true"\n');
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--executor', 'container'], /needs an image/],
    [['--executor', 'process', '--image', 'x'], /--image needs --executor container or kubernetes/],
    [['--partition', 'main'], /--partition needs --executor slurm/],
    [['--executor', 'slurm', '--memory', 'much'], /"much" is not a size of memory/],
    [['--executor', 'kubernetes'], /needs an image/],
    [['--executor', 'cow'], /Unknown executor: "cow"\.\n {2}One of: process, container, slurm, kubernetes/],
    [['--telemetry', 'cpu,cow'], /not "cpu,cow"/],
  ];
  for (const [args, message] of cases) {
    const ran = await runInProcess(['matrix', 'run', file, ...args]);
    assert.equal(ran.code, 1);
    assert.match(ran.stderr, message);
  }
  const both = folder('matrix: {level: [1]}\nrun: "true"\nexecutor: container\n');
  assert.match(
    (await runInProcess(['matrix', 'run', both.file])).stderr,
    /m\.yml:3:\d+: .*executor: container needs an image/,
  );
});
