import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runBinary } from '../support/binary.ts';
import { type Slurm, startSlurm, whyNoSlurm } from '../support/slurm.ts';

const skip = whyNoSlurm();
if (skip !== false) console.log(`workers on Slurm are left out: ${skip}`);

describe('job dispatch on Slurm', { skip }, () => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark dispatch-'));
  let slurm: Slurm;
  let env: Record<string, string>;
  before(async () => {
    slurm = await startSlurm();
    env = { SLURM_CONF: slurm.conf, USER: 'Ana María' };
  });
  after(async () => {
    await slurm.stop();
    rmSync(home, { recursive: true, force: true });
  });
  const job = (...words: string[]) =>
    runBinary(['job', words[0] ?? '', '--home', home, ...words.slice(1)], env);
  const dispatch = (...words: string[]) => job('dispatch', '--executor', 'slurm', ...words);

  test('workers of one array run all that waits, and end', async () => {
    const submitted = await job(
      ...['submit', '--code', 'none', '--sweep', 'seed=1..6', '--'],
      ...['bash', '-c', 'test -n "$SLURM_ARRAY_JOB_ID" && sleep 0.2'],
    );
    assert.equal(submitted.code, 0, submitted.stderr);
    await job('submit', '--code', 'none', '--project', 'bad', '--', 'bash', '-c', 'exit 3');

    const dry = await dispatch('--parallel', '3', '--cpus', '2', '--dry-run');
    assert.match(dry.stdout, /^mkdir -p '.*nightmark dispatch-\w+\/.nightmark\/workers'\nsbatch /);
    assert.match(dry.stdout, / --job-name=Ana-Mar-a-queue-\w{6} --array=0-2 /);
    assert.match(dry.stdout, / --cpus-per-task=2 <<'END'\n#!\/bin\/bash\nexec .* job work --once .*\nEND\n$/);
    assert.equal(slurm.run('squeue', '-h').trim(), '');

    const sent = await dispatch('--parallel', '3', '--json');
    assert.equal(sent.code, 0, sent.stderr);
    const { ref, ...counts } = JSON.parse(sent.stdout) as { ref: string };
    assert.deepEqual(counts, { workers: 3, waiting: 7 });
    assert.match(sent.stderr, /Slurm starts 3 workers for 7 waiting jobs: squeue --job \d+\n$/);
    while (slurm.run('squeue', '-h', '-t', 'all', '-o', '%T').match(/PENDING|RUNNING|COMPLETING/))
      await sleep(100);
    // A job that failed is no failure of the worker.
    assert.deepEqual(states(slurm.run('squeue', '-h', '-r', '-t', 'all', '-o', '%T')), ['COMPLETED']);
    const listed = JSON.parse((await job('list', '--json')).stdout) as { status: string; host: string }[];
    assert.deepEqual(listed.map(({ status }) => status).sort(), ['FAILED', ...Array(6).fill('FINISHED')]);
    const logs = readdirSync(join(home, '.nightmark/workers')).sort();
    assert.deepEqual(
      logs,
      [0, 1, 2].map((task) => `${ref}_${task}.txt`),
    );
  });

  test('nothing that waits starts nothing, and what cannot be is refused', async () => {
    const none = await dispatch();
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /none was started/);
    await job('submit', '--code', 'none', '--workers', '4', '--', 'true');
    assert.match(
      (await dispatch('--parallel', '2')).stderr,
      /needs 4 workers at the same time.*--parallel is 2/,
    );
    assert.match((await dispatch('--partition', 'no-such')).stderr, /\[RUN_SLURM_REFUSED\]/);
    const nowhere = await runBinary(['job', 'dispatch', '--home', home, '--executor', 'slurm'], {
      PATH: '/none',
    });
    assert.match(nowhere.stderr, /\[RUN_NO_SLURM\]/);
    const pods = await job('dispatch', '--executor', 'kubernetes', '--image', 'x');
    assert.match(pods.stderr, /\[JOBS_NOT_SHARED\]/);
  });
});

function states(text: string): readonly string[] {
  return [...new Set(text.trim().split('\n'))];
}
