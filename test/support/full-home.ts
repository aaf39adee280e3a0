import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import { makeSampleHome } from '../sample-home.ts';
import { makeCurveHome } from './curve-home.ts';
import { makeJobHistory } from './job-history.ts';
import { makeJobSweep, sweepLines } from './job-sweep.ts';
import { smallMatrix } from './stored-tests.ts';

/**
 * A home with something of everything: nights, changes, a machine, a duet, a matrix, learning curves and jobs.
 * @returns ends the signs of life of the job that runs: without them the server would take it back within a minute.
 */
export async function makeFullHome(home: string, nights: number): Promise<() => Promise<void>> {
  makeCurveHome(home);
  await makeSampleHome(home, nights);
  const layout = homeLayout(home);
  const store = await openSqliteStore(layout.index);
  await store.savePayloads(smallMatrix());
  store.close();
  mkdirSync(join(home, 'results/duets'), { recursive: true });
  copyFileSync('test/golden/duet/simulated.csv', join(home, 'results/duets/simulated.csv'));
  const queue = await openSqliteQueue({ place: layout.jobs, now: Date.now });
  const running = await makeJobHistory(queue, layout.jobResults);
  await makeJobSweep(queue, layout.jobResults);
  const beat = setInterval(() => void queue.heartbeat([running]), 2_000);
  return () => {
    clearInterval(beat);
    return queue.close();
  };
}

/** Series of its jobs and of two hosts, by way of the server: it alone writes points. */
export async function sendPoints(address: string): Promise<void> {
  const send = async (path: string, body = '') => {
    const { status } = await fetch(`${address}/${path}`, { method: 'POST', body });
    if (status >= 300) throw new Error(`${path} was answered with ${status}`);
  };
  const hosts = ['h2', 'h10'].flatMap((host) =>
    Array.from(
      { length: 200 },
      (_, i) => `cpu,host=${host} busy=${i % 10},idle=${100 - (i % 10)} ${(1_767_571_200 + i) * 1e9}`,
    ),
  );
  for (const [database, lines] of [
    ['jobs', sweepLines()],
    ['lab', hosts],
  ] as const) {
    await send(`query?${new URLSearchParams({ q: `CREATE DATABASE ${database}` })}`);
    await send(`write?db=${database}`, lines.join('\n'));
  }
}
