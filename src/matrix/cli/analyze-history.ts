import { ANCHOR } from '../../formats/core/kpi/payload-files.ts';
import { payloadStart } from '../../formats/core/kpi/read-payload.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { readLedger } from '../../home/app/ledger-file.ts';
import { requireHome } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { isOpenRegression } from '../../home/core/changes/change-ledger.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { OpenRegression } from '../../judge/core/regression/analyze.ts';
import type { CliContext, Options } from '../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { ReadDocument } from '../core/exporter.ts';
import { isExporterTarget, resolveTarget } from './export-target.ts';

/** Payloads of all sources: folders and files of payloads, KPI files of Caliper, homes, and sources of exporters. */
export async function* readHistories(
  sources: readonly string[],
  options: Options,
  context: CliContext,
): AsyncGenerator<ReadDocument> {
  for (const source of sources) yield* readHistory(source, options, context);
}

async function* readHistory(
  source: string,
  options: Options,
  context: CliContext,
): AsyncGenerator<ReadDocument> {
  const { cwd, disk } = context;
  if (isExporterTarget(source)) {
    yield* readExported(source, options, context);
    return;
  }
  const path = resolvePath(cwd, source);
  const facts = await disk.stat(path);
  if (!facts) {
    throw new NightmarkError('EXPORT_NO_SOURCE', `There is no history ${source}.`, {
      hint: 'Name a folder of payloads, a KPI file, a home, or a source such as opensearch:https://host:9200#index.',
    });
  }
  if (facts.type === 'file') yield* readFile(path, context);
  else if ((await disk.stat(joinPath(path, ANCHOR))) === undefined && (await isHome(path, context)))
    yield* readHome(path, context);
  else if ((await disk.list(path)).length > 0) yield* readFolder(source, path, context);
}

async function* readFolder(source: string, path: string, context: CliContext): AsyncGenerator<ReadDocument> {
  try {
    yield* readExported(`files:${path}`, {}, context);
  } catch (cause) {
    if (!(cause instanceof NightmarkError) || cause.code !== 'EXPORT_NO_PAYLOADS') throw cause;
    throw new NightmarkError('EXPORT_NO_PAYLOADS', `${source} is neither a folder of payloads nor a home.`, {
      hint: `For old results, first: nightmark matrix kpi ${source} -w FILE --payloads FOLDER`,
      cause,
    });
  }
}

async function* readExported(
  source: string,
  options: Options,
  context: CliContext,
): AsyncGenerator<ReadDocument> {
  const { exporter, target } = await resolveTarget(source, { options, more: {} }, context);
  if (!exporter.import) {
    throw new NightmarkError('EXPORT_NO_IMPORT', `Payloads cannot be read back from ${exporter.id}.`, {
      hint: 'It does not keep all of a payload; see docs/guide/matrix-export.md.',
    });
  }
  yield* exporter.import(target, context.signal);
}

/** One payload, or else a KPI file of Caliper. */
async function* readFile(path: string, context: CliContext): AsyncGenerator<ReadDocument> {
  for await (const document of readExported(`files:${path}`, {}, context)) {
    if (!('reason' in document)) yield document;
    else {
      try {
        yield* readExported(`caliper:${path}`, {}, context);
      } catch (error) {
        yield { source: path, reason: `${document.reason}; ${messageOf(error)}` };
      }
    }
  }
}

async function isHome(path: string, { disk }: CliContext): Promise<boolean> {
  try {
    await requireHome(path, disk);
    return true;
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'CLI_NO_HOME') return false;
    throw error;
  }
}

/** Regressions of homes among the sources that were not accepted yet. */
export async function openRegressions(
  sources: readonly string[],
  context: CliContext,
): Promise<readonly OpenRegression[]> {
  const { cwd, disk } = context;
  const found: OpenRegression[] = [];
  for (const source of sources.filter((one) => !isExporterTarget(one))) {
    const { ledger } = await readLedger(resolvePath(cwd, source), disk);
    for (const change of ledger.changes.values()) {
      const { series, id, runId } = change;
      if (series.kind === 'kpi' && isOpenRegression(change) && !change.isProvisional)
        found.push({ id, kpi: series.name, testId: runId });
    }
  }
  return found;
}

/** Documents at a time. */
const PAGE = 500;

/** From the newest back, page by page; tests that began at the same time as the last of a page are read again with the next. */
async function* readHome(home: string, context: CliContext): AsyncGenerator<ReadDocument> {
  if (!(await ensureIndex(home, context))) return;
  const store = await openSqliteStore(homeLayout(home).index, { readOnly: true });
  try {
    const seen = new Set<string>();
    let limit = PAGE;
    let to = Number.POSITIVE_INFINITY;
    for (;;) {
      const page = await store.payloads({ limit, ...(Number.isFinite(to) && { to }) });
      for (const payload of page) {
        const id = payload.metadata.test_uuid;
        if (!seen.has(id)) yield { id, payload, source: home };
        seen.add(id);
      }
      if (page.length < limit) return;
      const oldest = payloadStart(page[0] as (typeof page)[number]); // it is full
      const next = Number.isNaN(oldest) ? 0 : oldest;
      // A whole page has the same time: only a larger page gets beyond it.
      if (next === to) limit *= 2;
      to = next;
    }
  } finally {
    store.close();
  }
}
