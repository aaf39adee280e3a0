import { readServeNote } from '../../home/cli/serve-note.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { PointEngine } from '../../metrics/app/point-engine.ts';
import { postQuery, quotedName } from '../../metrics/cli/post-query.ts';
import { senderSink } from '../../metrics/cli/sender-sink.ts';
import { destinationOf } from '../../metrics/client/destination.ts';
import { runQuery } from '../../metrics/core/influxql/run-query.ts';
import type { Delivery, LineSink } from '../../metrics/core/lines/line-sink.ts';
import { JOBS_DATABASE } from '../../metrics/core/points/point-reader.ts';
import type { PointStorage } from '../../metrics/core/points/point-storage.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** The store is closed after so long without use: `nightmark serve` may need it. */
const IDLE_MS = 3_000;

export interface MetricsSink extends LineSink {
  close(): Promise<void>;
}

/**
 * Takes the metrics of jobs: NIGHTMARK_METRICS_URL where it names a server, else the server of this home while one runs,
 * else the store of the home itself.
 */
export function metricsSink(home: string, context: CliContext): MetricsSink {
  const store = new SharedStore(home, context);
  const known = new Set<string>();
  return {
    async send(lines) {
      const url = httpUrl(context.env) ?? (await readServeNote(home, context))?.url;
      if (url === undefined) return store.send(lines);
      await store.close();
      if (!known.has(url) && (await createDatabase(url, context))) known.add(url);
      const token = context.env['NIGHTMARK_TOKEN'];
      const found = destinationOf(withDatabase(url), token, { holds: true });
      if (!found) return { state: 'refused', message: `not an address for metrics: "${url}"` };
      try {
        return await senderSink(found.sender).send(lines);
      } finally {
        found.sender.close();
      }
    },
    close: () => store.close(),
  };
}

function httpUrl(env: CliContext['env']): string | undefined {
  const url = env['NIGHTMARK_METRICS_URL'];
  return url?.startsWith('http') ? url : undefined;
}

function withDatabase(url: string): string {
  if (/[?&]db=/.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}db=${JOBS_DATABASE}`;
}

/** False: to be tried again. */
async function createDatabase(url: string, { env }: CliContext): Promise<boolean> {
  const name = new URL(url).searchParams.get('db') ?? JOBS_DATABASE;
  try {
    const server = { url, token: env['NIGHTMARK_TOKEN'] };
    const { status } = await postQuery(server, { q: `CREATE DATABASE ${quotedName(name)}` });
    return status >= 200 && status < 300;
  } catch {
    return false; // the write reports the problem
  }
}

/** The home's own store, opened for a batch of metrics and closed when there are no more. */
class SharedStore {
  readonly #home: string;
  readonly #context: CliContext;
  #engine: Promise<PointEngine> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** One after the other: a store must not be closed under a write. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(home: string, context: CliContext) {
    this.#home = home;
    this.#context = context;
  }

  send(lines: readonly string[]): Promise<Delivery> {
    return this.#after(async () => {
      clearTimeout(this.#timer);
      try {
        this.#engine ??= this.#open();
        const engine = await this.#engine;
        const { refusedLines, refused } = await engine.write({
          database: JOBS_DATABASE,
          kind: 'lines',
          body: Buffer.from(`${lines.join('\n')}\n`),
          precision: 'n',
          receivedAt: { ms: this.#context.clock.now(), ns: 0 },
          keepsNotFinite: true,
        });
        this.#timer = setTimeout(() => void this.close(), IDLE_MS);
        if (refusedLines === 0) return { state: 'delivered' };
        return { state: 'refused', message: `${refusedLines} lines (${refused[0]?.message ?? ''})` };
      } catch (error) {
        this.#engine = undefined;
        if (!(error instanceof NightmarkError)) throw error;
        return { state: 'failed', message: error.message };
      }
    });
  }

  close(): Promise<void> {
    return this.#after(async () => {
      clearTimeout(this.#timer);
      const engine = await this.#engine?.catch(() => undefined);
      this.#engine = undefined;
      await engine?.close();
    });
  }

  #after<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    this.#work = done.catch(() => {});
    return done;
  }

  async #open(): Promise<PointEngine> {
    const engine = await openEngine(this.#home, this.#context);
    if (!engine.hasDatabase(JOBS_DATABASE)) await engine.createDatabase(JOBS_DATABASE);
    return engine;
  }
}

async function openEngine(home: string, context: CliContext): Promise<PointEngine> {
  const { env, stderr } = context;
  const openStorage = await loadAdapter<OpenStorage>('storages', 'sqlite');
  const report = (line: string) => stderr.write(`${line}\n`);
  return PointEngine.open(await openStorage(homeLayout(home).points, { env, report }), context);
}

type OpenStorage = (
  place: string,
  options: { readonly env: CliContext['env']; readonly report: (line: string) => void },
) => Promise<PointStorage>;

/** A worker closes the store when it has had nothing to write for some seconds. */
const MAX_TRIES = 20;
const RETRY_MS = 500;
const REQUEST_TIMEOUT_MS = 60_000;

/** Deletes all points with the id of one of these jobs: through the server of the home, else in its store. */
export async function deleteMetrics(
  ids: readonly string[],
  home: string,
  context: CliContext,
): Promise<void> {
  if (ids.length === 0) return;
  // Ids are hex digits: nothing to escape.
  const query = `DELETE WHERE job_id =~ /^(${ids.join('|')})$/`;
  const { env } = context;
  const given = env['NIGHTMARK_METRICS_URL'];
  const url = given?.startsWith('http') ? given : (await readServeNote(home, context))?.url;
  if (url !== undefined) return deleteOnServer(query, url, context);
  if ((await context.disk.stat(homeLayout(home).points)) === undefined) return;
  await deleteInStore(query, home, context);
}

async function deleteOnServer(query: string, url: string, { env }: CliContext): Promise<void> {
  const { origin, searchParams } = new URL(url);
  const form = { db: searchParams.get('db') ?? JOBS_DATABASE, q: query };
  const server = { url, token: env['NIGHTMARK_TOKEN'], answerMs: REQUEST_TIMEOUT_MS };
  const { status, text } = await postQuery(server, form).catch((cause: unknown) => {
    throw notDeleted(`${origin} does not answer`, cause);
  });
  if (status !== 200) throw notDeleted(`${origin} answered ${status}: ${text.slice(0, 200)}`);
  const error = errorIn(text);
  if (error !== undefined) throw notDeleted(`${origin} answered: ${error}`);
}

/** A database that is not there holds no metrics. */
function errorIn(text: string): string | undefined {
  const found = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return found?.startsWith('database not found') ? undefined : found;
}

async function deleteInStore(query: string, home: string, context: CliContext): Promise<void> {
  const engine = await openWhenFree(home, context);
  try {
    if (!engine.hasDatabase(JOBS_DATABASE)) return;
    const now = { ms: context.clock.now(), ns: 0 };
    const options = { reader: engine, admin: engine, database: JOBS_DATABASE, now };
    for await (const { error } of runQuery(query, options)) if (error !== undefined) throw notDeleted(error);
  } finally {
    await engine.close();
  }
}

async function openWhenFree(home: string, context: CliContext): Promise<PointEngine> {
  const { clock, signal } = context;
  for (let tried = 1; ; tried++) {
    try {
      return await openEngine(home, context);
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      if (tried >= MAX_TRIES || signal.aborted) throw notDeleted(error.message, error);
      await clock.sleep(RETRY_MS, signal);
    }
  }
}

function notDeleted(why: string, cause?: unknown): NightmarkError {
  return new NightmarkError('JOBS_METRICS_KEPT', `The metrics of the jobs could not be deleted: ${why}.`, {
    hint: 'The jobs are still there: try again when it is fixed.',
    cause,
  });
}
