import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAIN, runBinary } from '../../../test/support/binary.ts';
import { runInProcess } from '../../../test/support/in-process.ts';
import { openSqliteStore as openStore } from '../../home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Run } from '../../home/core/run.ts';
import { fileLocks as locks } from '../../platform/adapters/file-locks.ts';

const newHome = () => mkdtempSync(join(tmpdir(), 'nightmark home-'));
const run: Run = {
  id: '20260105-030700-a',
  kind: 'night',
  project: 'p',
  label: '01-05-2026-0307',
  state: 'finished',
  startedAt: 1_000_000,
  endedAt: 1_000_000 + 72 * 60_000,
  order: [],
  origin: 'measured',
  warnings: ['the disk is nearly full'],
};

async function homeWithNight(more: Partial<Run> = {}) {
  const home = newHome();
  const store = await openStore(homeLayout(home).index);
  await store.saveRun({ ...run, ...more });
  const base = { runId: run.id, kind: 'experiment', message: '', commits: {} } as const;
  await store.saveTrials([
    { ...base, task: 'good', state: 'succeeded', durationMs: 3_210 },
    { ...base, task: 'bad\u001b[31m', state: 'failed', failedStage: 'analyze', message: 'line 1\nline 2' },
    { ...base, task: 'off', state: 'inactive' },
    { ...base, task: 'site', kind: 'subsystem', state: 'failed', failedStage: 'run', message: 'no' },
  ]);
  await store.saveStages(run.id, [
    {
      task: 'bad\u001b[31m',
      kind: 'experiment',
      stage: 'analyze',
      success: false,
      message: '',
      extra: {},
      startedAt: 1,
      durationMs: 1,
      attempts: 1,
      log: '.nightmark/runs/x/analyze.log',
    },
  ]);
  store.close();
  return home;
}

function addData(home: string, experiment: string, label: string, text: string) {
  const dir = join(home, 'results/experiments/data', experiment);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `data_${label}.json`), text);
}

test('status says the outcome first, then failures with stage, message and log', async () => {
  const { code, stdout, stderr } = await runBinary(['status', await homeWithNight()]);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.equal(
    stdout,
    `Last night 01-05-2026-0307: 1 of 2 experiments succeeded, 1 failed, 1 subsystem failed, 1 h 12 min

  ✗ bad␛[31m at analyze: line 1␊line 2
      .nightmark/runs/x/analyze.log
  ✗ site (subsystem) at run: no
  ! the disk is nearly full

  ✗ bad␛[31m          failed
  ✓ good              succeeded  3.2 s
  - off               inactive
  ✗ site (subsystem)  failed

Last 1 night of 1
  ✗ 01-05-2026-0307          1/2    1 h 12 min
`,
  );
});

test('status --json has everything, and the current folder is the default home', async () => {
  const { stdout } = await runInProcess(['status', '--json'], { cwd: await homeWithNight() });
  const status = JSON.parse(stdout) as { runs: number; last: { tasks: { message: string }[] } };
  assert.equal(status.runs, 1);
  assert.equal(status.last.tasks[0]?.message, 'line 1\nline 2');
});

test('a night is running while its lock is held, and interrupted after its process died', async () => {
  const home = await homeWithNight({ state: 'running' });
  const lock = await locks.acquire(homeLayout(home).lock, { command: 'run' });
  assert.match(
    (await runInProcess(['status', home])).stdout,
    /^A night is running, 01-05-2026-0307: 2 of 2 experiments done/,
  );
  const refused = await runInProcess(['reindex', home]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /is in use: {"command":"run"}[\s\S]*REINDEX_HOME_BUSY/);
  if (lock.state === 'acquired') lock.release();
  assert.match(
    (await runInProcess(['status', home])).stdout,
    /was interrupted: [^\n]*\n {2}Finish it: nightmark run --resume\n/,
  );
});

test('a home with data but without an index gets one, and says so on stderr', async () => {
  const home = newHome();
  addData(home, 'alpha', '01-05-2026-0307', '{"cpu": 1}');
  addData(home, 'alpha', 'wrong', '{"cpu": 1}');
  const { code, stdout, stderr } = await runInProcess(['status', home]);
  assert.equal(code, 0);
  assert.match(stdout, /^Last night 01-05-2026-0307: 1 of 1 experiment succeeded \(imported data\)\n/);
  assert.equal(
    stderr,
    'This home has no index yet: building it from its files ...\n1 files could not be used: nightmark reindex names them.\n',
  );
  assert.equal((await runInProcess(['status', home])).stderr, '');
});

test('an empty home is left as it is, a missing one is an error', async () => {
  const home = newHome();
  const { code, stdout, stderr } = await runInProcess(['status', home]);
  assert.deepEqual([code, stdout], [0, `No night has run in ${home} yet.\n`]);
  assert.match(stderr, /nightmark run/);
  assert.deepEqual(readdirSync(home), []);
  const missing = await runInProcess(['status', join(home, 'nope')]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /There is no folder .*nope\.\n[\s\S]*CLI_NO_HOME/);
});

test('--nights must be a number', async () => {
  for (const nights of ['x', '-1', '1.5', '']) {
    const { code, stderr } = await runInProcess(['status', newHome(), `--nights=${nights}`]);
    assert.equal(code, 1, nights);
    assert.match(stderr, /CLI_NIGHTS/);
  }
});

test('a damaged index is rebuilt from files, by itself or by reindex, and the damaged one kept', async () => {
  const home = newHome();
  addData(home, 'alpha', '01-05-2026-0307', '{"cpu": 1}');
  const { index } = homeLayout(home);
  mkdirSync(join(index, '..'));
  const damage = () => {
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(`${index}${suffix}`, 'garbage '.repeat(1000));
  };
  damage();
  const mended = await runInProcess(['status', home]);
  assert.equal(mended.code, 0);
  assert.match(mended.stderr, /The index of this home is damaged: building it from its files/);
  assert.match(mended.stdout, /^Last night 01-05-2026-0307/);
  damage();
  const { code, stdout } = await runInProcess(['reindex', home]);
  assert.deepEqual(
    [code, stdout],
    [0, 'Indexed 1 runs from 0 journals, 1 data files with 1 values, 0 sample files, 0 telemetry files.\n'],
  );
  assert.match((await runInProcess(['status', home])).stdout, /^Last night 01-05-2026-0307/);
  assert.match(readFileSync(`${index}.damaged`, 'utf8'), /^garbage/);
  assert.equal(existsSync(`${index}.new`), false);
});

test('a reindex that is killed leaves the old index, and the next one succeeds', async () => {
  const home = await homeWithNight();
  for (let hour = 0; hour < 24; hour++) {
    for (let minute = 0; minute < 60; minute += 2) {
      const label = `01-07-2026-${String(hour).padStart(2, '0')}${String(minute).padStart(2, '0')}`;
      addData(home, 'alpha', label, JSON.stringify({ cpu: Array(90).fill(minute) }));
    }
  }
  const child = spawn(process.execPath, [MAIN, 'reindex', home], { stdio: 'ignore' });
  // The write-ahead log grows only after the old content was cleared inside of the transaction.
  const log = `${homeLayout(home).index}-wal`;
  while (child.exitCode === null && !(existsSync(log) && readFileSync(log).length > 0)) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  assert.equal(child.signalCode, 'SIGKILL', 'the reindex was done before it could be killed');
  assert.match((await runInProcess(['status', home])).stdout, /^Last night 01-05-2026-0307: 1 of 2/);
  const again = await runInProcess(['reindex', home, '--json']);
  assert.equal((JSON.parse(again.stdout) as { runs: number }).runs, 720);
  assert.match((await runInProcess(['status', home])).stdout, /^Last night 01-07-2026-2358: 1 of 1/);
});
