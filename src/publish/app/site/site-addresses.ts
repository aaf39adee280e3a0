import { CHARTS_PER_PAGE } from '../../../dashboard/core/history-pages.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
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

/** Of these runs everything is published. */
export const RECENT = 60;
/** Of an experiment. */
const MOST_HISTORY_PAGES = 20;

/** How an experiment stands and its histories, with what they rest on: most are as they were. */
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

/** A run, its files, what its machine did and what failed stages printed. One that is over changes no more. */
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
    // A precheck looks at files and starts nothing: there is no log of it.
    if (success || stage === 'precheck') continue;
    yield { address: [base, 'logs', kind, encodeURIComponent(task), stage].join('/'), ...known };
  }
}
