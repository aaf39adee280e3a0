import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NightmarkError } from '../../platform/core/errors.ts';
import { type MaintainedEngine, maintainPoints } from './maintain-points.ts';

const HOUR = 3_600_000;
const RETENTION = { rawMs: HOUR };

/** Looks for so many hours of a clock that runs as fast as it is asked; gives what was done and told. */
async function tend(hours: number, engine: Partial<MaintainedEngine>, retention?: typeof RETENTION) {
  const done: string[] = [];
  const told: string[] = [];
  const controller = new AbortController();
  let now = 0;
  const clock = {
    now: () => now,
    async sleep(ms: number) {
      now += ms;
      if (now > hours * HOUR) controller.abort();
    },
  };
  const usual: MaintainedEngine = {
    databases: () => ['a', 'b'],
    async flushOld() {
      done.push('flush');
    },
    async retain(database) {
      done.push(`retain ${database} at ${now / HOUR}h`);
    },
  };
  await maintainPoints({ ...usual, ...engine }, retention ? { retention } : {}, {
    clock,
    report: (line) => told.push(line),
    signal: controller.signal,
  });
  return { done, told };
}

test('flushes every minute, and summarizes at the start and every hour', async () => {
  const { done, told } = await tend(2, {}, RETENTION);
  assert.equal(done.filter((what) => what === 'flush').length, 121);
  assert.deepEqual(
    done.filter((what) => what !== 'flush'),
    [0, 1, 2].flatMap((hour) => [`retain a at ${hour}h`, `retain b at ${hour}h`]),
  );
  assert.deepEqual(told, []);
});

test('keeps everything when nothing is said about it', async () => {
  assert.ok((await tend(2, {})).done.every((what) => what === 'flush'));
});

test('reports the first failure of a row, and its end', async () => {
  let looks = 0;
  const full = new NightmarkError('POINTS_FULL', 'The disk is full');
  const flushOld = async () => {
    looks++;
    if (looks < 5 || looks > 9) throw full;
  };
  const { told } = await tend(0.2, { flushOld });
  const what = 'Points could not be flushed; they are safe in the log';
  const failure = `${what}: The disk is full [POINTS_FULL]. It is retried.`;
  assert.deepEqual(told, [failure, `${what}: recovered.`, failure]);
});

test('a failure of one thing does not keep the other from being done', async () => {
  const flushOld = async () => assert.fail('flushing');
  const { done } = await tend(0.5, { flushOld }, RETENTION);
  assert.deepEqual(done, ['retain a at 0h', 'retain b at 0h']);
});
