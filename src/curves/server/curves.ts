import type { FastifyInstance } from 'fastify';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import type { JobService } from '../../jobs/server/job-service.ts';
import type { PointService } from '../../metrics/server/point-service.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { OTHER_DOCS as DOCS } from '../../platform/server/api-docs.ts';
import { hasFlag, numberIn } from '../../platform/server/route-config.ts';
import { sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { jobCurves } from '../app/curve-sources.ts';
import type { CurveCache, CurveFile } from '../app/find-curves.ts';
import { type Curves, openCurves, readCurveData, scoreTable } from '../app/read-curves.ts';
import type { CurveChoice } from '../core/curve-table.ts';

interface CurvesEffects extends HomeServerEffects {
  readonly points?: PointService;
  readonly jobs?: JobService;
}

/** Pages request one task after the other: files are not searched again for each of them. */
const FRESH_MS = 2_000;
const POINTS = 200;
const MOST_POINTS = 2_000;

/** Learning curves: which there are, and those of one task on a common axis. */
export function addCurves(app: FastifyInstance, { home }: ServerOptions, effects: CurvesEffects): void {
  const { disk, index, clock } = effects;
  const memory: CurveCache = new Map();
  let known: { readonly at: number; readonly key: string; readonly curves: Promise<Curves> } | undefined;
  const read = async (columns: readonly string[]) => {
    const store = await index.current();
    return openCurves(home, { disk, store, memory, others: await othersOf(effects), columns });
  };
  const open = ({ x, y }: CurveChoice = {}) => {
    const columns = [x ?? [], y ?? []].flat();
    const key = JSON.stringify(columns);
    if (known?.key !== key || clock.now() - known.at >= FRESH_MS) {
      const curves = read(columns);
      known = { at: clock.now(), key, curves };
      // After a failure the next request tries again.
      curves.catch(() => {
        known = undefined;
      });
    }
    return known.curves;
  };

  app.get('/api/curves', { config: { doc: DOCS.curves } }, async (_request, reply) =>
    sendJson(reply, (await open()).view),
  );

  app.get('/api/curves/data', { config: { doc: DOCS.curveData } }, async (request, reply) => {
    const task = textIn(request.query, 'task') ?? '';
    const options = optionsIn(request.query);
    const data = readCurveData(await open(options), task, options);
    return data ? sendJson(reply, data) : sendProblem(request, reply, 404, noTask(task));
  });

  app.get('/api/curves/scores.csv', { config: { doc: DOCS.scores } }, async (request, reply) => {
    const options = optionsIn(request.query);
    const text = scoreTable(await open(options), options);
    return reply.type('text/csv; charset=utf-8').header('cache-control', 'no-store').send(text);
  });
}

/** Metrics of jobs; while the queue or the points are unavailable the files are still shown. */
async function othersOf({ jobs, points, report }: CurvesEffects): Promise<readonly CurveFile[]> {
  if (!jobs || !points?.reader || points.problem?.() !== undefined) return [];
  try {
    return await jobCurves(jobs.queue, points.reader);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    report(`Curves of jobs cannot be read: ${error.message} [${error.code}]`);
    return [];
  }
}

function optionsIn(query: unknown) {
  const [x, y] = [textIn(query, 'x'), textIn(query, 'y')];
  return {
    points: Math.min(MOST_POINTS, Math.max(2, numberIn(query, 'points') ?? POINTS)),
    withSeeds: hasFlag(query, 'seeds'),
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
  };
}

function textIn(query: unknown, name: string): string | undefined {
  const text = (query as Record<string, unknown>)[name];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function noTask(task: string) {
  return {
    heading: 'No learning curve of this task',
    explanation: `There is none of "${task.slice(0, 100)}". /api/curves lists the tasks.`,
  };
}
