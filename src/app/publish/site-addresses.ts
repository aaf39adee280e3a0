import { homeLayout } from '../../core/model/layout.ts';
import type { Run, Trial } from '../../core/model/run.ts';
import { joinPath } from '../../core/path.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Store } from '../../core/ports/store.ts';

/** A document of the site by its address below /api. */
export interface SiteAddress {
  readonly address: string;
  /** While these facts stay the same the document does; absent: it is made anew every time. */
  readonly facts?: unknown;
}

const RUNS = 1_000;
const RECENT = 60;
const MOST_IMPORTS = 10_000;
const MOST_EXPERIMENTS = 10_000;
const MOST_SERIES = 100_000;
const MOST_CHANGES = 1_000;

/** What is known of a home, read once. */
export interface SiteFacts {
  readonly runs: readonly Run[];
  readonly experiments: readonly string[];
  /** The newest trials of each experiment, with what is known of their runs. */
  readonly recent: ReadonlyMap<string, readonly (readonly [Run, Trial])[]>;
  /** Imports may be of any time: each may change the history of any experiment. */
  readonly imports: string;
  readonly changeIds: readonly string[];
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
  const imports = (await store.latestRuns({ limit: MOST_IMPORTS, kind: 'import' })).map(({ id }) => id);
  const changes = await store.changes({ limit: MOST_CHANGES });
  return { runs, experiments, recent, imports: imports.join(' '), changeIds: changes.map(({ id }) => id) };
}

/** Documents of experiments and of runs that are over, with what they rest on: most are as they were. */
export async function experimentAddresses(
  home: string,
  name: string,
  { facts, store, disk }: { readonly facts: SiteFacts; readonly store: Store; readonly disk: Disk },
): Promise<readonly SiteAddress[]> {
  const layout = homeLayout(home);
  const folders = [layout.graph(name), joinPath(layout.summary(name), 'summary.json')];
  const touched = (await Promise.all(folders.map((path) => disk.stat(path)))).map((one) => one?.changedAt);
  const changes = await store.changes({ experiment: name, limit: MOST_SERIES });
  const address = `experiments/${encodeURIComponent(name)}`;
  const known = [facts.imports, facts.recent.get(name), touched, changes];
  return [address, `${address}/history`].map((one) => ({ address: one, facts: known }));
}

export function runAddress(run: Run): SiteAddress {
  const address = `runs/${encodeURIComponent(run.id)}`;
  return run.state === 'running' ? { address } : { address, facts: run };
}
