import type { FastifyInstance } from 'fastify';
import { publicationProblem, readPublications } from '../dashboard/app/publications.ts';
import { homeLayout } from '../home/core/home-layout.ts';
import type { StatusFilter } from '../jobs/core/job-queue.ts';
import { SHOWN_STATUSES } from '../jobs/core/shown-job.ts';
import { countLostPackets } from '../metrics/core/lines/ingest-counters.ts';
import { viewOfPoints } from '../metrics/server/points-status.ts';
import { messageOf, NightmarkError } from '../platform/core/errors.ts';
import { OTHER_DOCS } from '../platform/server/api-docs.ts';
import { sendJson } from '../platform/server/send.ts';
import type { ServerOptions } from '../platform/server/server-options.ts';
import { type JobsHealth, type PointsHealth, readIndexHealth, type ServerView } from './app/server-view.ts';
import type { ServerEffects } from './server-effects.ts';

interface Listening {
  listeners(): number;
}

/** GET /api/server: the health of the server, for people; /metrics has the same for Prometheus. */
export function addServerHealth(
  app: FastifyInstance,
  options: ServerOptions,
  effects: ServerEffects & Listening,
): void {
  const startedAt = effects.clock.now();
  app.get('/api/server', { config: { doc: OTHER_DOCS.server } }, async (_request, reply) => {
    const problems: string[] = [];
    const addProblem = (problem: string) => void problems.push(problem);
    const { heapUsed, rss } = process.memoryUsage();
    const index = await readIndexHealth(options.home, { ...effects, store: await effects.index.current() });
    const points = await pointsHealth(effects, addProblem);
    const jobs = await jobsHealth(options, effects, addProblem);
    const publications = await readPublications(options.home, effects.disk);
    for (const one of publications) if (one.failure !== undefined) addProblem(publicationProblem(one));
    const view: ServerView = {
      ...(options.version !== undefined && { version: options.version }),
      ...{ home: options.home, at: effects.clock.now(), startedAt, runtime: `Node ${process.version}` },
      memory: { resident: rss, heap: heapUsed },
      listeners: effects.listeners(),
      ...(index && { index }),
      ...(points && { points }),
      ...(jobs && { jobs }),
      publications,
      problems,
    };
    return sendJson(reply, view);
  });
}

type AddProblem = (problem: string) => void;

async function pointsHealth(
  { points }: ServerEffects,
  addProblem: AddProblem,
): Promise<PointsHealth | undefined> {
  if (!points) {
    addProblem('No points are taken: the terminal of "nightmark serve" says why.');
    return undefined;
  }
  const { databases, hidden, problem, ingest, forwarding } = await viewOfPoints(points);
  if (problem !== undefined) addProblem(`The storage of points is unavailable: ${problem}`);
  const lost = countLostPackets(ingest.packets);
  if (lost > 0) addProblem(`${lost} UDP packets were lost.`);
  const unavailable = forwarding.filter(({ state }) => state === 'waiting');
  for (const { name, problem: why } of unavailable)
    addProblem(`Mirror ${name} is unavailable${why ? `: ${why}` : '.'}`);
  const { http, udp } = ingest.sources;
  return {
    databases: databases.length + hidden,
    points: databases.reduce((sum, one) => sum + one.points + one.waiting, 0),
    bytes: databases.reduce((sum, one) => sum + one.bytes, 0),
    logBytes: databases.reduce((most, one) => Math.max(most, one.logBytes), 0),
    taken: http.values + udp.values,
    refusedLines: http.refusedLines + udp.refusedLines,
    lostPackets: lost,
    mirrors: forwarding.length,
    mirrorsAway: unavailable.length,
  };
}

async function jobsHealth(
  { home }: ServerOptions,
  { jobs, disk }: ServerEffects,
  addProblem: AddProblem,
): Promise<JobsHealth | undefined> {
  if (!jobs) return undefined;
  try {
    const counts: Partial<Record<StatusFilter, number>> = {};
    for (const status of SHOWN_STATUSES) counts[status] = await jobs.queue.count({ status });
    if ((counts.UNRESPONSIVE ?? 0) > 0)
      addProblem(`${counts.UNRESPONSIVE} running jobs have been silent for 20 s.`);
    const bytes = (await disk.stat(homeLayout(home).jobs))?.size;
    return { counts, ...(bytes !== undefined && { bytes }) };
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    addProblem(`Jobs cannot be counted: ${messageOf(error)}`);
    return undefined;
  }
}
