import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import openQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { runBinary, startBinary } from '../support/binary.ts';
import { type Slurm, startSlurm, whyNoSlurm } from '../support/slurm.ts';

const skip = whyNoSlurm();
if (skip !== false) console.log(`jobs on Slurm are left out: ${skip}`);

describe('jobs on Slurm', { skip }, () => {
  const home = mkdtempSync(join(tmpdir(), 'nightmark-slurm-home-'));
  let slurm: Slurm;
  let env: Record<string, string>;
  before(async () => {
    mkdirSync(join(home, '.nightmark'));
    slurm = await startSlurm();
    env = { SLURM_CONF: slurm.conf };
  });
  after(async () => {
    await slurm.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const submit = async (...words: string[]) => {
    const args = ['job', 'submit', '--home', home, '--code', 'none', '--executor', 'slurm', ...words];
    const ran = await runBinary(args, env);
    assert.equal(ran.code, 0, ran.stderr);
    return ran.stdout.trim().split('\n');
  };
  const WORK = ['job', 'work', '--home', home, '--executor', 'slurm', '--once'];
  const jobsOf = async (ids: readonly string[]) => {
    const queue = await openQueue({ place: join(home, '.nightmark/jobs.db') });
    try {
      return await Promise.all(ids.map(async (id) => (await queue.job(id)) ?? assert.fail(id)));
    } finally {
      await queue.close();
    }
  };
  const folderOf = (outputDir: string | undefined) => join(home, 'results/jobs', outputDir ?? '');

  test('a sweep goes out as arrays, and outlives the worker that sent it', async () => {
    const script = `echo "began $NIGHTMARK_RANK"; while [ ! -e ${home}/go ]; do sleep 0.1; done; echo done`;
    const ids = await submit('--sweep', 'seed=1..8', '--', 'bash', '-c', script);
    assert.equal(ids.length, 8);
    const first = startBinary(WORK, env);
    for (;;) {
      const jobs = await jobsOf(ids);
      if (jobs.every(({ ranks }) => ranks[0]?.ref !== undefined)) break;
      await sleep(200);
    }
    first.kill('SIGKILL');
    await once(first, 'exit');
    const refs = (await jobsOf(ids)).map(({ ranks }) => `${ranks[0]?.ref}`);
    assert.equal(new Set(refs).size, 8);
    assert.ok(new Set(refs.map((ref) => ref.split('_')[0])).size < 8, refs.join(' '));

    writeFileSync(join(home, 'go'), '');
    const second = await runBinary(WORK, env);
    assert.equal(second.code, 0, second.stderr);
    for (const { status, attempt, outputDir } of await jobsOf(ids)) {
      assert.deepEqual([status, attempt], ['FINISHED', 1]);
      assert.equal(readFileSync(join(folderOf(outputDir), 'output.txt'), 'utf8'), 'began 0\ndone\n');
      assert.deepEqual(
        readdirSync(folderOf(outputDir)).filter((name) => name.startsWith('.')),
        [],
      );
    }
    assert.equal(slurm.run('squeue', '-h').trim(), '');
  });

  test('ranks are in one allocation with --mpi, and what Slurm refuses is reported', async () => {
    const [id = ''] = await submit(
      '--workers',
      '2',
      '--mpi',
      '--',
      'bash',
      '-c',
      'echo "rank $NIGHTMARK_RANK"',
    );
    const [refused = ''] = await submit('--partition', 'nope', '--', 'true');
    assert.equal((await runBinary(WORK, env)).code, 4);
    const [mpi, wrong] = await jobsOf([id, refused]);
    assert.equal(mpi?.status, 'FINISHED');
    const lines = readFileSync(join(folderOf(mpi?.outputDir), 'output.txt'), 'utf8')
      .trim()
      .split('\n');
    assert.deepEqual(lines.sort(), ['rank 0', 'rank 1']);
    assert.equal(wrong?.status, 'FAILED');
    assert.match(`${wrong?.reason}`, /Invalid partition name specified/);
  });
});
