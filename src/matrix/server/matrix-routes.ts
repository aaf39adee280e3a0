import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chartSvg } from '../../charts/core/chart-svg.ts';
import type { PictureMaker } from '../../charts/core/picture-maker.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { anything, mapOf, type RouteDescription } from '../../platform/server/route-config.ts';
import { FILE_POLICY } from '../../platform/server/security-headers.ts';
import { sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { matrixFacts, readStoredTests, type StoredTests } from '../app/read-stored-tests.ts';
import { entriesCsv, pivotCsv } from '../core/explorer/entries-csv.ts';
import { exploreChart } from '../core/explorer/explore-chart.ts';
import { readView } from '../core/explorer/explorer-view.ts';
import { pivotOf } from '../core/explorer/pivot.ts';
import { type ExplorerView, suggestView } from '../core/explorer/suggest-view.ts';

interface Pictures {
  /** Makes PNG pictures; absent: not available. */
  readonly pictures?: () => Promise<PictureMaker>;
}

/** The stored tests of a home as columns, and a view of the explorer as picture and table. */
export function addMatrix(
  app: FastifyInstance,
  options: ServerOptions,
  effects: HomeServerEffects & Pictures,
): void {
  const entries = entryReader(options, effects);
  const withView = (send: (reply: FastifyReply, requested: RequestedTests) => unknown) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const table = await entries();
      const view = suggestView(table, readView(pairsOf(request), table));
      return view ? send(reply, { table, view }) : sendProblem(request, reply, 404, NO_TESTS);
    };
  };

  app.get('/api/matrix', { config: { doc: DOCS.facts } }, async (_request, reply) =>
    sendJson(reply, matrixFacts(await entries())),
  );
  app.get('/api/matrix/entries', { config: { doc: DOCS.entries } }, async (_request, reply) =>
    sendJson(reply, await entries()),
  );
  app.get(
    '/api/matrix/entries.csv',
    { config: { doc: DOCS.entryTable } },
    withView((reply, { table, view }) =>
      sendDownload(reply, 'tests.csv', entriesCsv(table, view.selection.rows)),
    ),
  );
  app.get(
    '/api/matrix/pivot.csv',
    { config: { doc: DOCS.pivotTable } },
    withView((reply, { view }) => sendDownload(reply, 'pivot.csv', pivotCsv(pivotOf(view)))),
  );
  app.get(
    '/api/matrix/chart.svg',
    { config: { doc: DOCS.svg } },
    withView((reply, { view }) => sendDownload(reply, 'chart.svg', chartSvg(exploreChart(view)))),
  );
  app.get(
    '/api/matrix/chart.png',
    { config: { doc: DOCS.png } },
    withView(async (reply, { view }) => {
      const pictures = await effects.pictures?.();
      const svg = chartSvg(exploreChart(view), { theme: 'light' });
      if (pictures === undefined) return sendDownload(reply, 'chart.svg', svg);
      return sendDownload(reply, 'chart.png', await pictures.png(svg, { scale: 2 }));
    }),
  );
}

/** Pictures and tables take the parameters of the explorer's URL. */
const DOCS = {
  facts: { summary: 'Settings with their values, and KPIs, of the stored tests', answer: mapOf(anything) },
  entries: { summary: 'All stored tests as columns', answer: mapOf(anything) },
  entryTable: { summary: 'The selected tests as a table', answer: { media: ['text/csv'] } },
  pivotTable: { summary: 'The selected tests as a pivot table', answer: { media: ['text/csv'] } },
  svg: { summary: 'The chart of the selected tests', answer: { media: ['image/svg+xml'] } },
  png: { summary: 'The chart of the selected tests as PNG', answer: { media: ['image/png'] } },
} as const satisfies Readonly<Record<string, RouteDescription>>;

interface RequestedTests {
  readonly table: StoredTests;
  readonly view: ExplorerView;
}

/** Caches the tests until the index changes: there may be thousands of documents. */
function entryReader(
  { home }: ServerOptions,
  { disk, index }: HomeServerEffects,
): () => Promise<StoredTests> {
  let cached: { readonly key: string; readonly entries: Promise<StoredTests> } | undefined;
  const file = homeLayout(home).index;
  return async () => {
    const stamps = await Promise.all([disk.stat(file), disk.stat(`${file}-wal`)]);
    const key = stamps.map((stamp) => (stamp ? `${stamp.modifiedAt} ${stamp.size}` : '')).join(' ');
    if (cached?.key !== key) {
      const read = readStoredTests(await index.current());
      cached = { key, entries: read };
      read.catch(() => {
        cached = undefined; // the next request tries again
      });
    }
    return cached.entries;
  };
}

/** All parameters, also repeated ones. */
function pairsOf({ query }: FastifyRequest): readonly (readonly [string, string])[] {
  return Object.entries(query as Record<string, string | readonly string[]>).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
};

function sendDownload(reply: FastifyReply, name: string, body: string | Uint8Array): FastifyReply {
  return reply
    .type(TYPES[name.slice(-3)] ?? 'application/octet-stream')
    .header('content-security-policy', FILE_POLICY)
    .header('content-disposition', `attachment; filename="nightmark-matrix-${name}"`)
    .header('cache-control', 'no-store')
    .send(typeof body === 'string' ? body : Buffer.from(body));
}

const NO_TESTS = {
  heading: 'There are no tests with KPIs',
  explanation: '"nightmark matrix kpi RESULTS --workload FILE --store HOME" stores them in the home.',
};
