import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { watchIndex } from '../../src/home/cli/home-index.ts';
import { homeLayout } from '../../src/home/core/home-layout.ts';
import openSqliteQueue from '../../src/jobs/adapters/queues/sqlite/sqlite.ts';
import type { JobService } from '../../src/jobs/server/job-service.ts';
import openSqliteStorage from '../../src/metrics/adapters/storages/sqlite/sqlite.ts';
import { PointEngine } from '../../src/metrics/app/point-engine.ts';
import { IngestCounters } from '../../src/metrics/core/lines/ingest-counters.ts';
import localDisk from '../../src/platform/adapters/local-disk/local-disk.ts';
import systemClock from '../../src/platform/adapters/system-clock.ts';
import type { ServerOptions } from '../../src/platform/server/server-options.ts';
import { createServer } from '../../src/server/create-server.ts';
import type { ServerEffects } from '../../src/server/server-effects.ts';
import { LAST_NIGHT, makeSampleHome } from '../sample-home.ts';
import { makeJobHistory } from './job-history.ts';

export interface WholeServer {
  readonly home: string;
  /** What tests may change while it runs. */
  readonly world: { now: number };
  readonly reports: readonly string[];
  readonly jobs: JobService;
  with(options?: Partial<ServerOptions>, effects?: Partial<ServerEffects>): FastifyInstance;
  close(): Promise<void>;
}

/** Servers with everything that a server can have: nights, jobs and points of one home. */
export async function wholeServer(nights = 4): Promise<WholeServer> {
  const home = mkdtempSync(join(tmpdir(), 'nightmark whole-'));
  await makeSampleHome(home, nights);
  const layout = homeLayout(home);
  const world = { now: LAST_NIGHT + 5 * 3_600_000 };
  const queue = await openSqliteQueue({ place: layout.jobs, now: () => world.now });
  const results = join(home, 'results');
  await makeJobHistory(queue, results);
  const engine = await PointEngine.open(await openSqliteStorage(layout.points), { clock: systemClock });
  await engine.createDatabase('d');
  const index = watchIndex(home);
  const reports: string[] = [];
  const apps: FastifyInstance[] = [];
  let seed = 1;
  const nextTimestamp = () => ({ ms: world.now, ns: 0 });
  const packets = async () => ({ isListening: false });
  const ofPoints = { writer: engine, reader: engine, admin: engine, stored: engine, nextTimestamp, packets };
  const jobs: JobService = {
    ...{ queue, results, randomSeed: () => seed++, clock: { sleep: async () => {} } },
    isAlive: () => undefined,
  };
  const effects: ServerEffects = {
    ...{ disk: localDisk, clock: { now: () => world.now }, index },
    report: (line) => void reports.push(line),
    points: { ...ofPoints, counters: new IngestCounters(), keepsNotFinite: false },
    jobs,
  };
  return {
    ...{ home, world, reports, jobs },
    with(options = {}, others = {}) {
      const app = createServer({ home, isLoopback: true, ...options }, { ...effects, ...others });
      apps.push(app);
      return app;
    },
    async close() {
      for (const app of apps) await app.close();
      await queue.close();
      await engine.close();
      index.close();
      rmSync(home, { recursive: true });
    },
  };
}
