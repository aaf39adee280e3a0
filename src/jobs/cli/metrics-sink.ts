import { readServeNote } from '../../home/cli/serve-note.ts';
import { homeLayout } from '../../home/core/layout.ts';
import { PointEngine } from '../../metrics/app/point-engine.ts';
import { postQuery, quotedName } from '../../metrics/cli/post-query.ts';
import { senderSink } from '../../metrics/cli/sender-sink.ts';
import { destinationOf } from '../../metrics/client/destination.ts';
import type { Delivery, LineSink } from '../../metrics/core/lines/line-sink.ts';
import { JOBS_DATABASE } from '../../metrics/core/points/point-reader.ts';
import type { PointStorage } from '../../metrics/core/points/point-storage.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** A store that nobody used for so long is given back: `nightmark serve` may want it. */
const IDLE_MS = 3_000;

export interface MetricsSink extends LineSink {
  close(): Promise<void>;
}

/**
 * Takes the metrics of jobs: NIGHTMARK_METRICS_URL where it names a server, else the server of this home while one runs,
 * else the store of the home itself.
 */
export function metricsSink(home: string, context: CliContext): MetricsSink {
  const store = new BorrowedStore(home, context);
  const known = new Set<string>();
  return {
    async send(lines) {
      const url = httpUrl(context.env) ?? (await readServeNote(home, context))?.url;
      if (url === undefined) return store.send(lines);
      await store.close();
      if (!known.has(url) && (await createDatabase(url, context))) known.add(url);
      const token = context.env['NIGHTMARK_TOKEN'];
      const found = destinationOf(withDatabase(url), token, { holds: true });
      if (!found) return { state: 'refused', message: `"${url}" is no address to send metrics to` };
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
    return false; // the write will say what is wrong
  }
}

/** The home's own store, opened for a batch of metrics and given back when there are no more. */
class BorrowedStore {
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
    const { env, stderr } = this.#context;
    const openShelf = await loadAdapter<OpenShelf>('shelves', 'sqlite');
    const tell = (line: string) => stderr.write(`${line}\n`);
    const shelf = await openShelf(homeLayout(this.#home).points, { env, tell });
    const engine = await PointEngine.open(shelf, this.#context);
    if (!engine.hasDatabase(JOBS_DATABASE)) await engine.createDatabase(JOBS_DATABASE);
    return engine;
  }
}

type OpenShelf = (
  place: string,
  options: { readonly env: CliContext['env']; readonly tell: (line: string) => void },
) => Promise<PointStorage>;
