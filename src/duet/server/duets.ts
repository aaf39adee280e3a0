import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { csvCell } from '../../platform/core/text/csv.ts';
import { anything, fields, list, type RouteDescription, text } from '../../platform/server/route-config.ts';
import { asTable, sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { duetGroupView, duetRunOf, duetRunView, readDuetTelemetry } from '../app/read-duet-group.ts';
import { type DuetPlace, duetsCsv, findHomeDuets, readDuetList } from '../app/read-duet-list.ts';
import type { DuetReading, DuetReadingEffects } from '../app/read-duet-view.ts';
import type { DuetAnalysis } from '../core/analysis/duet-analysis.ts';
import { DuetCache } from './duet-cache.ts';

type OneDuet = { Params: { id: string } };
type OneGroup = { Params: { id: string; group: string } };
type OneRun = { Params: { id: string; group: string; run: string } };

/** Duets of a home: the list, one judged, a comparison of it, and a run with its iterations. */
export function addDuets(
  app: FastifyInstance,
  { home }: ServerOptions,
  effects: HomeServerEffects & { readonly duets: () => Promise<DuetReadingEffects> },
): void {
  const { disk, index } = effects;
  const memory = new DuetCache(effects.duets);
  /** Names are looked up among what is there: none leads elsewhere. */
  const find = async (id: string) => (await findHomeDuets(home, disk)).find((one) => one.id === id);
  const read = async (id: string): Promise<Found | undefined> => {
    const place = await find(id);
    return place && { place, reading: await memory.read(place, disk) };
  };

  app.get('/api/duets', { config: { doc: DOCS.list } }, async (_request, reply) =>
    sendJson(reply, await readDuetList(home, { disk, store: await index.current() })),
  );
  app.get('/api/duets.csv', { config: { doc: DOCS.table } }, async (_request, reply) =>
    asTable(reply, 'duets').send(duetsCsv(await readDuetList(home, { disk, store: await index.current() }))),
  );
  app.get<OneDuet>('/api/duets/:id', { config: { doc: DOCS.one } }, async (request, reply) => {
    const found = await read(request.params.id);
    return found ? sendJson(reply, found.reading.view) : sendNone(request, reply);
  });
  app.get<OneDuet>('/api/duets/:id/verdicts', { config: { doc: DOCS.verdicts } }, async (request, reply) => {
    const place = await find(request.params.id);
    return place ? sendJson(reply, await memory.verdicts(place, disk)) : sendNone(request, reply);
  });
  app.get<OneDuet>('/api/duets/:id/runs.csv', { config: { doc: DOCS.csv } }, async (request, reply) => {
    const found = await read(request.params.id);
    if (!found) return sendNone(request, reply);
    return asTable(reply, 'duet-runs').send(duetRunsCsv(found.reading.view.analysis));
  });
  app.get<OneGroup>(
    '/api/duets/:id/groups/:group',
    { config: { doc: DOCS.group } },
    async (request, reply) => {
      const found = await read(request.params.id);
      const view = found && duetGroupView(found.reading, numberOf(request.params.group));
      return view ? sendJson(reply, view) : sendNone(request, reply);
    },
  );
  app.get<OneRun>(
    '/api/duets/:id/groups/:group/runs/:run',
    { config: { doc: DOCS.run } },
    async (request, reply) => {
      const { id, group, run: number } = request.params;
      const found = await read(id);
      const run = found && duetRunOf(found.reading, numberOf(group), numberOf(number));
      if (!found || !run) return sendNone(request, reply);
      const telemetry = await readDuetTelemetry(found.place, run, disk);
      return sendJson(reply, { ...duetRunView(found.reading, run), telemetry });
    },
  );
}

const DOCS = {
  list: {
    summary: 'Duets of the home: folders, tables, stored runs, and those that checked changes',
    answer: fields({ project: text, duets: list(fields({ id: text, place: text, state: text })) }),
  },
  table: { summary: 'The duets of the home as a table', answer: { media: ['text/csv; charset=utf-8'] } },
  one: {
    summary: 'A duet, judged, with what it was measured with',
    answer: fields({ entry: anything, analysis: anything, artifacts: list(anything) }),
  },
  verdicts: {
    summary: 'The number of comparisons of each verdict',
    answer: fields({ headline: text, counts: anything }),
  },
  csv: { summary: 'Every run of every comparison as a table', answer: { media: ['text/csv'] } },
  group: {
    summary: 'A comparison: the distribution of the ratios of its pairs',
    answer: fields({ 'bins?': anything, orders: list(text) }),
  },
  run: {
    summary: 'A run: its iterations over time, the pairs that were compared, and telemetry',
    answer: fields({ pairs: anything, telemetry: anything }),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;

interface Found {
  readonly place: DuetPlace;
  readonly reading: DuetReading;
}

/** -1 where it is not a number: no group or run has that index. */
function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}

function sendNone(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendProblem(request, reply, 404, {
    heading: 'There is no such duet in this home',
    explanation: 'Folders of results are searched in results/duets, and as results.* in the home itself.',
  });
}

/** Every run of every comparison: the units of the statistics, as a table for programs. Times are nanoseconds. */
function duetRunsCsv({ groups }: DuetAnalysis): string {
  const rows = groups.flatMap(({ environment, suite, benchmark, type, runs }) =>
    runs.map(({ runid, pairs, logRatio, difference, steadyFromA, steadyFromB }) =>
      [
        ...[environment, suite, benchmark, type, runid, pairs],
        ...[logRatio === undefined ? undefined : Math.exp(logRatio), difference, steadyFromA, steadyFromB],
      ]
        .map((cell) => (cell === undefined ? '' : csvCell(String(cell))))
        .join(','),
    ),
  );
  return `${[COLUMNS, ...rows].join('\n')}\n`;
}

const COLUMNS = 'environment,suite,benchmark,type,runid,pairs,ratio,difference,steady_from_a,steady_from_b';
