import type { FastifyInstance } from 'fastify';
import { listRuns } from '../../app/list-runs.ts';
import { readExperiment } from '../../app/read-experiment.ts';
import { readLiveStatus } from '../../app/read-live-status.ts';
import { readOverview } from '../../app/read-overview.ts';
import { readRun } from '../../app/read-run.ts';
import { baseName } from '../../core/path.ts';
import { segment } from '../../core/text/html.ts';
import type { ServerEffects, ServerOptions } from '../effects.ts';
import { experimentPage } from '../pages/experiment-page.ts';
import { homePage } from '../pages/home-page.ts';
import { runPage } from '../pages/run-page.ts';
import { runsPage } from '../pages/runs-page.ts';
import { sendPage, sendProblem } from '../send.ts';
import { EXPERIMENTS_SHOWN, RUNS_PER_PAGE } from './limits.ts';
import { addLogs } from './logs.ts';
import { hasFlag, numberIn } from './query.ts';
import { noExperiment, noRun } from './unknown.ts';

export function addPages(app: FastifyInstance, { home }: ServerOptions, effects: ServerEffects): void {
  const { disk, clock, index } = effects;

  app.get('/', async (request, reply) => {
    const store = await index.current();
    const experimentLimit = hasFlag(request.query, 'all') ? EXPERIMENTS_SHOWN.all : EXPERIMENTS_SHOWN.first;
    const overview = await readOverview({ home, experimentLimit }, { store, disk });
    const { project } = overview;
    const { token } = await readLiveStatus(store);
    const main = homePage(overview, clock.now());
    return sendPage(reply, { title: project, project, json: '/api/experiments', liveToken: token, main });
  });

  app.get<{ Params: { name: string } }>('/experiments/:name', async (request, reply) => {
    const { name } = request.params;
    const store = await index.current();
    const firstSeries = numberIn(request.query, 'from') ?? 0;
    const view = store && (await readExperiment({ home, name, firstSeries }, { store, disk }));
    if (!view) return sendProblem(request, reply, 404, noExperiment(name));
    const { token } = await readLiveStatus(store);
    const project = view.project || baseName(home);
    const json = `/api/experiments/${segment(name)}`;
    const main = experimentPage(view, clock.now());
    return sendPage(reply, { title: `${name} · ${project}`, project, json, liveToken: token, main });
  });

  app.get('/runs', async (request, reply) => {
    const store = await index.current();
    const before = numberIn(request.query, 'before');
    const list = store
      ? await listRuns({ limit: RUNS_PER_PAGE, ...(before !== undefined && { before }) }, store)
      : { runs: [], count: 0 };
    const project = list.runs[0]?.run.project ?? baseName(home);
    return sendPage(reply, { title: `Runs · ${project}`, project, json: '/api/runs', main: runsPage(list) });
  });

  app.get<{ Params: { id: string } }>('/runs/:id', async (request, reply) => {
    const { id } = request.params;
    const store = await index.current();
    const view = store && (await readRun(id, store));
    if (!view) return sendProblem(request, reply, 404, noRun(id));
    const { project, label, state } = view.run;
    const live = state === 'running' ? { liveToken: (await readLiveStatus(store)).token } : {};
    const json = `/api/runs/${segment(id)}`;
    return sendPage(reply, {
      title: `${label} · ${project}`,
      project,
      json,
      ...live,
      main: runPage(view, clock.now()),
    });
  });

  addLogs(app, home, effects);
}
