import type { FastifyInstance } from 'fastify';
import { OPENMETRICS_TYPE, openMetricsText } from '../formats/core/kpi/openmetrics.ts';
import { jobMetrics } from '../jobs/server/many-routes.ts';
import { pointMetrics } from '../metrics/server/points-status.ts';
import type { ServerEffects } from './server-effects.ts';

/** More than a Prometheus accepts from one target by default. */
const MAX_SERIES = 50_000;

const DOC = {
  summary: 'The newest value of each KPI, what came in, and the queue, for Prometheus',
  answer: { media: [OPENMETRICS_TYPE] },
};

/** The newest value of each KPI of the home, for Prometheus. */
export function addMetrics(
  app: FastifyInstance,
  { index, points: service, jobs, report }: Pick<ServerEffects, 'index' | 'points' | 'jobs' | 'report'>,
): void {
  app.get('/metrics', { config: { doc: DOC } }, async (_request, reply) => {
    const store = await index.current();
    const points = (await store?.latestKpis({ limit: MAX_SERIES })) ?? [];
    const { text } = openMetricsText(points);
    const ingest = service ? await pointMetrics(service) : '';
    const queued = jobs ? await jobMetrics(jobs.queue, report) : '';
    return reply
      .type(OPENMETRICS_TYPE)
      .header('cache-control', 'no-store')
      .send(text.replace(/# EOF\n$/, () => `${ingest}${queued}# EOF\n`));
  });
}
