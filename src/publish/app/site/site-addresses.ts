import type { CurvesView } from '../../../curves/app/curves-view.ts';
import type { HomeView } from '../../../dashboard/app/home/home-view.ts';
import type { MachinesView } from '../../../dashboard/app/machines/machine-view.ts';
import type { RunList } from '../../../dashboard/app/runs/list-runs.ts';
import { CHARTS_PER_PAGE } from '../../../dashboard/core/history-pages.ts';
import type { DuetList } from '../../../duet/app/read-duet-list.ts';
import type { DuetView } from '../../../duet/app/read-duet-view.ts';
import { countDigest } from '../../../home/app/run-queries.ts';
import { VALUES_PER_PAGE } from '../../../home/core/home-pages.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { JobList } from '../../../jobs/core/job-documents.ts';
import type { ChangeTable } from '../../../judge/app/changes/change-table.ts';
import type { CompareView } from '../../../judge/app/compare/compare-view.ts';
import { AROUND_PER_PAGE } from '../../../judge/core/changes/change-pages.ts';
import { isNotable } from '../../../judge/core/compare/compared-row.ts';
import type { SiteFacts } from './site-facts.ts';

/** A document of the site by its address below /api. */
export interface SiteAddress {
  readonly address: string;
  /** While these facts stay the same the document does; absent: it is made anew every time. */
  readonly facts?: unknown;
  /** A history, whose columns may lie in blocks. */
  readonly history?: { readonly name: string; readonly first: number };
  /** A job, whose pictures come with it. */
  readonly jobId?: string;
  /** The experiment whose pictures and summary it shows: files that change without the index. */
  readonly showsFilesOf?: string;
}
/** Of an experiment. */
const MOST_HISTORY_PAGES = 20;

/** The status of an experiment and its histories, with what they depend on: most did not change. */
export function* experimentAddresses(name: string, facts: SiteFacts): Iterable<SiteAddress> {
  const known = { facts: facts.ofExperiment(name) };
  const address = `experiments/${encodeURIComponent(name)}`;
  yield { address, ...known, showsFilesOf: name };
  yield { address: `${address}/history`, ...known, history: { name, first: 0 } };
  const newest = facts.newestRunOf(name);
  if (newest !== undefined) {
    const telemetry = `runs/${encodeURIComponent(newest)}/telemetry?experiment=${encodeURIComponent(name)}`;
    yield { address: telemetry, ...known };
  }
  const pages = Math.ceil((facts.values.get(name) ?? 0) / CHARTS_PER_PAGE);
  for (let page = 1; page < Math.min(pages, MOST_HISTORY_PAGES); page++) {
    const first = page * CHARTS_PER_PAGE;
    yield { address: `${address}/history?first=${first}`, ...known, history: { name, first } };
  }
}

/** A run, its files, its telemetry and the logs of failed stages. A finished run does not change. */
export async function* runAddresses(
  run: Run,
  { store, isRecent }: { readonly store: Store; readonly isRecent: boolean },
): AsyncIterable<SiteAddress> {
  const base = `runs/${encodeURIComponent(run.id)}`;
  const known = run.state === 'running' ? {} : { facts: run };
  yield { address: base, ...known };
  if (!isRecent) return;
  yield { address: `${base}/files`, ...known };
  yield { address: `${base}/telemetry`, ...known };
  for (const { kind, task, stage, success } of await store.stagesOf(run.id)) {
    // A precheck checks files and starts nothing: there is no log of it.
    if (success || stage === 'precheck') continue;
    yield { address: [base, 'logs', kind, encodeURIComponent(task), stage].join('/'), ...known };
  }
}

/** Reads a document by its address below /api; undefined where there is none. */
export type ReadDocument = (address: string) => Promise<unknown>;

const MOST_RUNS = 1_000;
const MOST_CHANGES = 500;

/** A document that follows from the index, the ledger of changes and the definition alone. */
function indexed(address: string, { ofIndex }: SiteFacts): SiteAddress {
  return ofIndex === undefined ? { address } : { address, facts: ofIndex };
}

/** The first page: everything, and its values in pages. */
export async function* homeAddresses(read: ReadDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  yield { address: 'home' };
  const rows = ((await read('home')) as HomeView | undefined)?.rows.length ?? 0;
  for (let page = 0; page * VALUES_PER_PAGE < rows; page++) yield indexed(`home/values/${page}`, facts);
}

/** The list of runs, page after page. */
export async function* runListAddresses(read: ReadDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  let before: number | undefined;
  for (let seen = 0; seen < MOST_RUNS; ) {
    const address = before === undefined ? 'runs' : `runs?before=${before}`;
    const list = (await read(address)) as RunList | undefined;
    if (!list) return;
    yield indexed(address, facts);
    seen += Math.max(1, list.runs.length);
    before = list.nextBefore;
    if (before === undefined) return;
  }
}

export async function* changeAddresses(read: ReadDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  const table = (await read('changes/table')) as ChangeTable | undefined;
  if (!table) return;
  yield indexed('changes/table', facts);
  for (let page = 0; page * AROUND_PER_PAGE < table.changes.length; page++) {
    yield indexed(`changes/around/${page}`, facts);
  }
  for (const change of table.changes.slice(0, MOST_CHANGES)) {
    const address = `changes/${encodeURIComponent(change.id)}`;
    const { series } = change;
    const known =
      series.kind === 'value'
        ? `${facts.ofExperiment(series.experiment)} ${facts.ofDefinition}`
        : facts.ofIndex;
    const rest = known === undefined ? {} : { facts: known };
    yield { address, ...rest };
    yield { address: `${address}/explanation`, ...rest };
  }
}

/** Curves of learning, which lie in files. */
export async function* curveAddresses(read: ReadDocument): AsyncIterable<SiteAddress> {
  yield { address: 'curves' };
  for (const task of ((await read('curves')) as CurvesView | undefined)?.tasks ?? []) {
    yield { address: `curves/data?task=${encodeURIComponent(task)}` };
  }
}

export async function* duetAddresses(read: ReadDocument): AsyncIterable<SiteAddress> {
  const list = (await read('duets')) as DuetList | undefined;
  if (!list) return;
  yield { address: 'duets' };
  for (const { id } of list.duets) {
    const address = `duets/${encodeURIComponent(id)}`;
    const view = (await read(address)) as DuetView | undefined;
    if (!view) continue;
    yield { address };
    yield { address: `${address}/verdicts` };
    for (const [group, { runs }] of view.analysis.groups.entries()) {
      yield { address: `${address}/groups/${group}` };
      for (const run of runs.keys()) yield { address: `${address}/groups/${group}/runs/${run}` };
    }
  }
}

/** What there is one of, and machines one by one. */
export async function* otherAddresses(read: ReadDocument, facts: SiteFacts): AsyncIterable<SiteAddress> {
  for (const address of ['compare', 'compare/choices', 'matrix/entries']) {
    if ((await read(address)) !== undefined) yield indexed(address, facts);
  }
  yield indexed('machines', facts);
  for (const { key } of ((await read('machines')) as MachinesView | undefined)?.machines ?? []) {
    yield indexed(`machines/${encodeURIComponent(key)}`, facts);
    yield indexed(`machines/${encodeURIComponent(key)}/telemetry`, facts);
  }
}

/** Nights that are compared with the one before each of them. */
const COMPARED = 5;
const SEARCHED_NIGHTS = 60;
const COMPARED_ROWS = 30;

/** The newest nights, each against the one before; and the newest against the last one in which nothing failed. */
export async function* compareAddresses(
  facts: SiteFacts,
  { store, read }: { readonly store: Store; readonly read: ReadDocument },
): AsyncIterable<SiteAddress> {
  const nights = facts.runs
    .filter(({ kind, state }) => kind === 'night' && state === 'finished')
    .slice(0, SEARCHED_NIGHTS);
  const [newest] = nights;
  if (!newest) return;
  const pairs = nights.slice(0, COMPARED).flatMap((head, place) => {
    const base = nights[place + 1];
    return base ? [{ base, head }] : [];
  });
  const good = await lastGood(nights.slice(1), store);
  if (good && !pairs.some(({ base, head }) => base === good && head === newest))
    pairs.push({ base: good, head: newest });
  for (const { base, head } of pairs) {
    const address = `compare?base=${encodeURIComponent(base.id)}&head=${encodeURIComponent(head.id)}`;
    yield indexed(address, facts);
    yield* rowAddresses(address, { read, facts });
  }
}

/** What the page shows when a row is opened, for the first rows with a verdict. */
export async function* rowAddresses(
  address: string,
  { read, facts }: { readonly read: ReadDocument; readonly facts: SiteFacts },
): AsyncIterable<SiteAddress> {
  const view = (await read(address)) as CompareView | undefined;
  for (const { experiment, path } of view?.rows.filter(isNotable).slice(0, COMPARED_ROWS) ?? []) {
    const pairs = [
      ['base', view?.base.asked],
      ['head', view?.head.asked],
      ['experiment', experiment],
      ...path.map((part) => ['path', part]),
    ];
    const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&');
    yield indexed(`compare/series?${query}`, facts);
  }
}

async function lastGood(nights: readonly Run[], store: Store): Promise<Run | undefined> {
  const countsOf = countDigest(await store.trialDigest(nights.map(({ id }) => id)));
  return nights.find(({ id }) => {
    const { succeeded, failed } = countsOf(id, 'experiment');
    return succeeded > 0 && failed === 0;
  });
}

/** Lines of a log that the page of a job shows: see src/jobs/page. */
const LOG_TAIL = 500;
const OVER = new Set(['FINISHED', 'CANCELED', 'FAILED']);

/** The newest jobs: their list, which is its first page, and of each what its page shows. */
export async function* jobAddresses(read: ReadDocument): AsyncIterable<SiteAddress> {
  const list = (await read('jobs')) as JobList | undefined;
  if (!list || list.jobs.length === 0) return;
  yield { address: 'jobs' };
  for (const job of list.jobs) {
    const id = encodeURIComponent(job.id);
    // A finished job changes only by its notes and tags, which the list has, too.
    const known = OVER.has(job.status) ? { facts: job } : {};
    yield { address: `jobs/${id}`, jobId: job.id, ...known };
    yield { address: `jobs/${id}/logs?tail=${LOG_TAIL}`, ...known };
    yield { address: `jobs/${id}/files`, ...known };
    yield { address: `jobs/series?id=${id}`, ...known };
  }
}
