import { readServeNote } from '../../home/cli/serve-note.ts';
import { homeLayout } from '../../home/core/layout.ts';
import { PointEngine } from '../../metrics/app/point-engine.ts';
import { postQuery } from '../../metrics/cli/post-query.ts';
import { runQuery } from '../../metrics/core/influxql/run-query.ts';
import { JOBS_DATABASE } from '../../metrics/core/points/point-reader.ts';
import type { PointStorage } from '../../metrics/core/points/point-storage.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** A worker gives the store back when it has had nothing to write for some seconds. */
const TRIES = 20;
const BETWEEN_MS = 500;
const ANSWER_MS = 60_000;

/** Takes away all points that carry the id of one of these jobs: asks the server of the home, else opens its store. */
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
  if (url !== undefined) return askServer(query, url, context);
  if ((await context.disk.stat(homeLayout(home).points)) === undefined) return;
  await askStore(query, home, context);
}

async function askServer(query: string, url: string, { env }: CliContext): Promise<void> {
  const { origin, searchParams } = new URL(url);
  const form = { db: searchParams.get('db') ?? JOBS_DATABASE, q: query };
  const server = { url, token: env['NIGHTMARK_TOKEN'], answerMs: ANSWER_MS };
  const { status, text } = await postQuery(server, form).catch((cause: unknown) => {
    throw notDeleted(`${origin} does not answer`, cause);
  });
  if (status !== 200) throw notDeleted(`${origin} said ${status}: ${text.slice(0, 200)}`);
  const error = errorIn(text);
  if (error !== undefined) throw notDeleted(`${origin} said: ${error}`);
}

/** A database that is not there holds no metrics. */
function errorIn(text: string): string | undefined {
  const found = /"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return found?.startsWith('database not found') ? undefined : found;
}

async function askStore(query: string, home: string, context: CliContext): Promise<void> {
  const engine = await openStore(home, context);
  try {
    if (!engine.hasDatabase(JOBS_DATABASE)) return;
    const now = { ms: context.clock.now(), ns: 0 };
    const options = { reader: engine, admin: engine, database: JOBS_DATABASE, now };
    for await (const { error } of runQuery(query, options)) if (error !== undefined) throw notDeleted(error);
  } finally {
    await engine.close();
  }
}

async function openStore(home: string, context: CliContext): Promise<PointEngine> {
  const { env, stderr, clock, signal } = context;
  const openShelf = await loadAdapter<OpenShelf>('shelves', 'sqlite');
  const tell = (line: string) => stderr.write(`${line}\n`);
  for (let tried = 1; ; tried++) {
    try {
      return await PointEngine.open(await openShelf(homeLayout(home).points, { env, tell }), context);
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      if (tried >= TRIES || signal.aborted) throw notDeleted(error.message, error);
      await clock.sleep(BETWEEN_MS, signal);
    }
  }
}

function notDeleted(why: string, cause?: unknown): NightmarkError {
  return new NightmarkError('JOBS_METRICS_KEPT', `The metrics of the jobs could not be deleted: ${why}.`, {
    hint: 'The jobs are still there: try again when it is mended.',
    cause,
  });
}

type OpenShelf = (
  place: string,
  options: { readonly env: CliContext['env']; readonly tell: (line: string) => void },
) => Promise<PointStorage>;
