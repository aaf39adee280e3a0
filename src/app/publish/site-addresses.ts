import { homeLayout } from '../../core/model/layout.ts';
import type { Run, Trial } from '../../core/model/run.ts';
import { joinPath } from '../../core/path.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Store } from '../../core/ports/store.ts';
import { CHARTS_PER_PAGE } from '../../core/site/history-pages.ts';
import { isDetail } from '../read-values.ts';

/** A document of the site by its address below /api. */
export interface SiteAddress {
  readonly address: string;
  /** While these facts stay the same the document does; absent: it is made anew every time. */
  readonly facts?: unknown;
}

const RUNS = 1_000;
/** Of these everything is published. */
export const RECENT = 60;
const MOST_IMPORTS = 10_000;
const MOST_EXPERIMENTS = 10_000;
/** Of an experiment. */
const MOST_HISTORY_PAGES = 20;
const MOST_SERIES = 100_000;

/** What is known of a home, read once. */
export interface SiteFacts {
  readonly runs: readonly Run[];
  readonly experiments: readonly string[];
  /** The newest trials of each experiment, with what is known of their runs. */
  readonly recent: ReadonlyMap<string, readonly (readonly [Run, Trial])[]>;
  /** How many values each has. */
  readonly values: ReadonlyMap<string, number>;
  /** Imports may be of any time: each may change the history of any experiment. */
  readonly imports: string;
}

export async function readSiteFacts(store: Store): Promise<SiteFacts> {
  const runs = await store.latestRuns({ limit: RUNS });
  const newest = new Map(runs.slice(0, RECENT).map((run) => [run.id, run]));
  const recent = new Map<string, (readonly [Run, Trial])[]>();
  for (const trial of await store.trialsOf([...newest.keys()])) {
    const run = newest.get(trial.runId);
    if (!run || trial.kind !== 'experiment') continue;
    const known = recent.get(trial.task);
    if (known) known.push([run, trial]);
    else recent.set(trial.task, [[run, trial]]);
  }
  const stored = await store.series({ limit: MOST_SERIES });
  const named = new Set([...recent.keys(), ...stored.map(({ experiment }) => experiment)]);
  const experiments = [...named].sort().slice(0, MOST_EXPERIMENTS);
  const values = new Map<string, number>();
  for (const one of stored) {
    if (!isDetail(one)) values.set(one.experiment, (values.get(one.experiment) ?? 0) + 1);
  }
  const imports = (await store.latestRuns({ limit: MOST_IMPORTS, kind: 'import' })).map(({ id }) => id);
  return { runs, experiments, recent, values, imports: imports.join(' ') };
}

/** How an experiment stands and its histories, with what they rest on: most are as they were. */
export async function* experimentAddresses(
  home: string,
  name: string,
  { facts, store, disk }: SiteReading & { readonly facts: SiteFacts },
): AsyncIterable<SiteAddress> {
  const layout = homeLayout(home);
  const folders = [layout.graph(name), joinPath(layout.summary(name), 'summary.json')];
  const touched = (await Promise.all(folders.map((path) => disk.stat(path)))).map((one) => one?.changedAt);
  const changes = await store.changes({ experiment: name, limit: MOST_SERIES });
  const known = [facts.imports, facts.recent.get(name), touched, changes];
  const address = `experiments/${encodeURIComponent(name)}`;
  yield { address, facts: known };
  yield { address: `${address}/history`, facts: known };
  const newest = facts.recent.get(name)?.[0]?.[0].id;
  if (newest !== undefined) {
    const telemetry = `runs/${encodeURIComponent(newest)}/telemetry?experiment=${encodeURIComponent(name)}`;
    yield { address: telemetry, facts: known };
  }
  const pages = Math.ceil((facts.values.get(name) ?? 0) / CHARTS_PER_PAGE);
  for (let page = 1; page < Math.min(pages, MOST_HISTORY_PAGES); page++) {
    yield { address: `${address}/history?first=${page * CHARTS_PER_PAGE}`, facts: known };
  }
}

export interface SiteReading {
  readonly store: Store;
  readonly disk: Disk;
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
