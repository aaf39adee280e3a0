import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateExit } from './job-exit.ts';
import { type JobState, readStates } from './job-states.ts';

/** In the form of squeue -h -r -t all -o '%i|%T|%r'. */
const PRINTED = `7|TIMEOUT|TimeLimit
8_0|OUT_OF_MEMORY|OutOfMemory
9|NODE_FAIL|NodeDown
10|PREEMPTED|None
11|CANCELLED|DependencyNeverSatisfied
12|CANCELLED|None
13|COMPLETED|None
14|BOOT_FAIL|BootFail
15|FAILED|NonZeroExitCode
`;

test('each state in which Slurm ends a job is reported in words', () => {
  const states = readStates({ code: 0, stdout: PRINTED, stderr: '' });
  const exitOf = (ref: string, resources = {}) =>
    stateExit(
      {
        ref,
        command: { argv: ['true'], cwd: '/', env: {}, logFile: '/log', resources },
        ...{ ending: undefined, isCancelled: false },
      },
      states?.get(ref) as JobState,
    );
  const byForce = (reason: string) => ({ type: 'signal', signal: 'SIGKILL', reason });
  assert.deepEqual(exitOf('7'), byForce('Slurm ended job 7 at its time limit'));
  assert.deepEqual(exitOf('7', { timeMs: 60_000 }), { type: 'timeout', afterMs: 60_000 });
  assert.deepEqual(exitOf('8_0'), byForce('job 8_0 needed more memory than Slurm gave it'));
  const memoryBytes = 64 * 2 ** 20;
  assert.deepEqual(exitOf('8_0', { memoryBytes }), byForce('job 8_0 needed more memory than its 64 MiB'));
  assert.deepEqual(exitOf('9'), byForce('the node of job 9 failed'));
  assert.deepEqual(exitOf('10'), byForce('job 10 was preempted by another one'));
  assert.deepEqual(exitOf('11'), {
    type: 'not-started',
    reason: 'a job that job 11 depends on failed',
  });
  assert.deepEqual(exitOf('12'), { type: 'cancelled', reason: 'job 12 was cancelled in Slurm' });
  assert.deepEqual(exitOf('13'), { type: 'code', code: 0 });
  assert.deepEqual(exitOf('14'), { type: 'not-started', reason: 'the node of job 14 did not start' });
  assert.equal(exitOf('15'), undefined);
});
