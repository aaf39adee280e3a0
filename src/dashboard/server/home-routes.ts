import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { readLiveStatus } from '../../home/app/run-queries.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { API_DOCS as DOCS } from '../../platform/server/api-docs.ts';
import { asTable, sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { homeCsv, readHomeValues, type ValueCache } from '../app/home/home-values.ts';
import type { HomePlans, HomeView } from '../app/home/home-view.ts';
import { readHomeView } from '../app/home/read-home.ts';

interface HomeEffects extends HomeServerEffects {
  /** When the next night is, and deadlines: as the definition says now. */
  readonly plans?: () => Promise<HomePlans>;
}

/** What the first page shows: everything but values, and values in pages as they come into sight. */
export function addHome(app: FastifyInstance, { home }: ServerOptions, effects: HomeEffects): void {
  const { disk, index } = effects;
  const cache: ValueCache = new Map();
  let known: { readonly key: string; readonly view: HomeView } | undefined;
  /** Pages of values follow one another, and many readers see the same: the view is read once for all. */
  const view = async () => {
    const store = await index.current();
    const plans = await plansOf(effects);
    const { token, newest } = await readLiveStatus(store);
    const key = [token, await version(), JSON.stringify(plans)].join(' ');
    const isRunning = newest?.run.state === 'running';
    if (known?.key !== key || isRunning)
      known = { key, view: await readHomeView({ home, plans }, { store, disk }) };
    return { store, view: known.view };
  };
  /** Reviews of changes decide what a value is compared with. */
  const version = async () => {
    const ledger = await disk.stat(homeLayout(home).changes);
    return ledger ? `${ledger.modifiedAt} ${ledger.size}` : '';
  };

  app.get('/api/home', { config: { doc: DOCS.home } }, async (_request, reply) =>
    sendJson(reply, (await view()).view),
  );

  const values = { config: { doc: DOCS.homeValues } };
  app.get<{ Params: { page: string } }>('/api/home/values/:page', values, async (request, reply) => {
    const page = /^\d{1,6}$/.test(request.params.page) ? Number(request.params.page) : undefined;
    if (page === undefined) return sendProblem(request, reply, 404, NO_PAGE);
    const { store, view: shown } = await view();
    if (!store) return sendJson(reply, { values: [] });
    const query = { view: shown, page, version: await version() };
    return sendJson(reply, await readHomeValues(query, { store, cache }));
  });

  app.get('/api/home.csv', { config: { doc: DOCS.homeTable } }, async (_request, reply) => {
    const { store, view: shown } = await view();
    const query = { view: shown, version: await version() };
    const pageOf = async (page: number) =>
      store ? readHomeValues({ ...query, page }, { store, cache }) : { values: [] };
    return asTable(reply, shown.project).send(Readable.from(homeCsv(shown, pageOf)));
  });
}

const NO_PAGE = { heading: 'No such page of values', explanation: 'Pages are counted from 0.' };

/** Results are shown even if the definition cannot be read. */
async function plansOf({ plans, report }: HomeEffects): Promise<HomePlans> {
  try {
    return (await plans?.()) ?? { deadlines: [] };
  } catch (error) {
    report(
      `The plans of the home could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return { deadlines: [] };
  }
}
