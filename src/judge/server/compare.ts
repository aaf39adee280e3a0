import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CommitLog } from '../../git/core/commit-log.ts';
import { readLiveStatus } from '../../home/app/run-queries.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import type { HomeServerEffects } from '../../home/server/home-effects.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import {
  anything,
  fields,
  hasFlag,
  list,
  mapOf,
  type RouteDescription,
} from '../../platform/server/route-config.ts';
import { sendJson, sendProblem } from '../../platform/server/send.ts';
import type { ServerOptions } from '../../platform/server/server-options.ts';
import { compareRuns } from '../app/compare/compare-runs.ts';
import type { CompareView } from '../app/compare/compare-view.ts';
import { readComparedSeries } from '../app/compare/read-compared-series.ts';
import { listChoices } from '../app/compare/side-choices.ts';
import { compareCsv, compareMarkdown } from '../core/compare/compare-export.ts';

/** Comparisons that are kept: the page, its table and its comment need the same one. */
const REMEMBERED = 8;

/** Two sets of runs beside each other: ?base=...&head=... */
export function addCompare(
  app: FastifyInstance,
  { home }: ServerOptions,
  effects: HomeServerEffects & { readonly commits?: CommitLog },
): void {
  const { disk, index, commits } = effects;
  const memory = new Map<string, Promise<CompareView>>();
  const version = async (store: Store) => {
    const ledger = await disk.stat(homeLayout(home).changes);
    return `${(await readLiveStatus(store)).token} ${ledger?.modifiedAt} ${ledger?.size}`;
  };
  const view = async (query: unknown): Promise<CompareView> => {
    const store = await index.current();
    if (!store) throw nothingYet();
    const request = { home, ...sidesIn(query), withDetails: hasFlag(query, 'details') };
    const key = JSON.stringify([await version(store), request]);
    const known = memory.get(key);
    if (known) return known;
    const made = compareRuns(request, {
      store,
      disk,
      signal: new AbortController().signal,
      ...(commits && { commits }),
    });
    memory.set(key, made);
    made.catch(() => memory.delete(key));
    for (const old of [...memory.keys()].slice(0, Math.max(0, memory.size - REMEMBERED))) memory.delete(old);
    return made;
  };

  app.get('/api/compare', { config: { doc: DOCS.compare } }, async (request, reply) =>
    answer(request, reply, async () => sendJson(reply, await view(request.query))),
  );
  app.get('/api/compare.csv', { config: { doc: DOCS.table } }, async (request, reply) =>
    answer(request, reply, async () =>
      sendText(reply, 'text/csv', compareCsv((await view(request.query)).rows)),
    ),
  );
  app.get('/api/compare.md', { config: { doc: DOCS.comment } }, async (request, reply) =>
    answer(request, reply, async () => {
      const { base, head, ...rest } = await view(request.query);
      return sendText(
        reply,
        'text/markdown',
        compareMarkdown({ ...rest, base: base.asked, head: head.asked }),
      );
    }),
  );
  app.get('/api/compare/choices', { config: { doc: DOCS.choices } }, async (_request, reply) =>
    sendJson(reply, await listChoices(home, { store: await index.current(), disk })),
  );
  app.get('/api/compare/series', { config: { doc: DOCS.series } }, async (request, reply) =>
    answer(request, reply, async () => {
      const store = await index.current();
      if (!store) throw nothingYet();
      const query = { home, ...sidesIn(request.query), ...seriesIn(request.query) };
      const found = await readComparedSeries(query, { store, disk });
      return found ? sendJson(reply, found) : sendProblem(request, reply, 404, NO_SERIES);
    }),
  );
}

const SIDES = {
  base: 'a run, "latest~1", a commit, "machine:NAME" ...; the one before on the same machine if left out',
  head: 'the same; the newest run if left out',
};
const BOTH = { ...SIDES, details: '1: with spreads and counts' };

const DOCS = {
  compare: {
    summary:
      'Two sets of runs beside each other: every series with its effect and verdict, and what else differs',
    query: BOTH,
    answer: fields({ rows: list(mapOf(anything)), base: mapOf(anything), head: mapOf(anything) }),
  },
  table: { summary: 'The same as a table', query: BOTH, answer: { media: ['text/csv'] } },
  comment: {
    summary: 'The same as a comment for a pull request',
    query: BOTH,
    answer: { media: ['text/markdown'] },
  },
  choices: { summary: 'What can be compared: runs, commits, machines, branches', answer: mapOf(anything) },
  series: {
    summary: 'The values of one series on both sides, and its recent past',
    query: { ...SIDES, experiment: 'its experiment', path: 'a part of its path; several times' },
    answer: mapOf(anything),
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;

const NO_SERIES = {
  heading: 'No such series',
  explanation: 'Name it by ?experiment=NAME&path=A&path=B, as the comparison does.',
};

function nothingYet(): NightmarkError {
  return new NightmarkError('COMPARE_NO_RUNS', 'There are no results to compare yet.', {
    hint: 'Run two nights: nightmark run',
  });
}

/** What cannot be compared is a question of the reader, not a failure of the server. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NightmarkError) || !error.code.startsWith('COMPARE_')) throw error;
    const words = { heading: error.message, explanation: error.hint ?? '' };
    return sendProblem(request, reply, error.code === 'COMPARE_UNCLEAR' ? 400 : 404, words);
  }
}

function sidesIn(query: unknown): { readonly base?: string; readonly head?: string } {
  const { base, head } = query as Record<string, unknown>;
  return {
    ...(typeof base === 'string' && base !== '' && { base }),
    ...(typeof head === 'string' && head !== '' && { head }),
  };
}

function seriesIn(query: unknown): { readonly experiment: string; readonly path: readonly string[] } {
  const { experiment, path } = query as Record<string, unknown>;
  const parts = [path ?? []].flat().filter((part) => typeof part === 'string');
  return { experiment: typeof experiment === 'string' ? experiment : '', path: parts };
}

function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-store').send(text);
}
