import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import openStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import { PointFollower } from '../../src/metrics/app/point-follower.ts';
import type { PointReader } from '../../src/metrics/core/points/point-reader.ts';
import clock from '../../src/platform/adapters/system-clock.ts';

/** More of them find more: NIGHTMARK_TEST_KILLS=100. */
const ROUNDS = Number(process.env['NIGHTMARK_TEST_KILLS'] ?? 20);

/** Values by batch of all series, each once. */
async function readAll(reader: PointReader): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const { number } of reader.columns('db')) {
    const { timestamps, numbers } = await reader.read(number, {});
    for (const [index, ms] of timestamps.ms.entries()) {
      assert.equal(numbers?.[index], ms / 1000);
      if (index > 0) assert.ok(ms > (timestamps.ms[index - 1] ?? ms), 'a moment came twice');
      counts.set(ms / 1000, (counts.get(ms / 1000) ?? 0) + 1);
    }
  }
  return counts;
}

test(`a writer is killed ${ROUNDS} times: each acknowledged batch is there, once and whole`, async () => {
  const place = join(mkdtempSync(join(tmpdir(), 'nightmark-kill-')), 'points');
  const acknowledged = new Set<number>();
  let [next, looks] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const writer = spawn(
      process.execPath,
      ['dist/test/points/kill-writer.js', place, String(next), String(100 + 37 * (round % 5))],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(writer.stdout, 'data');
    await sleep((round * 29) % 83);
    if (round % 10 === 0) looks += await lookMeanwhile(place);
    writer.kill('SIGKILL');
    await once(writer, 'close');
    const told = readFileSync(`${place}.acknowledged`, 'utf8');
    for (const line of told.split('\n').slice(0, -1)) acknowledged.add(Number(line));
    // A batch that was not acknowledged may be there, or not; the next process goes on behind it.
    next = Math.max(...acknowledged) + 2;
  }
  const engine = await PointEngine.open(await openStorage(place), { clock });
  const counts = await readAll(engine);
  for (const batch of acknowledged) assert.equal(counts.get(batch), 10, `batch ${batch}`);
  for (const [batch, count] of counts) assert.equal(count, 10, `batch ${batch} is torn`);
  assert.ok(counts.size <= acknowledged.size + ROUNDS);
  assert.ok(acknowledged.size > ROUNDS && looks > 0);
  await engine.close();
  rmSync(join(place, '..'), { recursive: true });
});

/** Another process (this one) reads while the writer writes and settles. */
async function lookMeanwhile(place: string): Promise<number> {
  const reader = await PointFollower.open(await openStorage(place, { readOnly: true }));
  let [looks, newest] = [0, -1];
  for (; looks < 3; looks++) {
    await reader.refresh();
    const columns = reader.columns('db').map(({ number }) => number);
    for (const { timestamps } of await reader.latest(columns)) {
      for (const ms of timestamps.ms) newest = Math.max(newest, ms);
    }
    const seen = (await readAll(reader)).size;
    assert.ok(newest >= 0 && seen > 0);
    await sleep(3);
  }
  await reader.close();
  return looks;
}
