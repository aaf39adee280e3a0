import type { Run, StageResult, Trial } from '../core/model/run.ts';
import { whyNotAName } from '../core/path.ts';
import type { Disk } from '../core/ports/disk.ts';
import type { Store } from '../core/ports/store.ts';
import { type GraphList, listGraphs } from './list-graphs.ts';
import { readSummary, type Summary } from './read-summary.ts';
import { isDetail, readSeries, type SeriesView } from './read-values.ts';

/** Everything the page of one experiment shows. */
export interface ExperimentView {
  readonly project: string;
  readonly name: string;
  readonly title?: string;
  /** The newest run it was part of, with its stages. */
  readonly newest?: { readonly run: Run; readonly trial: Trial; readonly stages: readonly StageResult[] };
  readonly summary: Summary;
  /** The asked-for page of values proper. */
  readonly series: readonly SeriesView[];
  readonly firstSeries: number;
  readonly seriesCount: number;
  /** Spreads and counts: names only, their values are in the data files. */
  readonly details: readonly (readonly string[])[];
  /** True when there are more series than were looked at. */
  readonly hasMoreSeries: boolean;
  readonly graphs: GraphList;
  /** Newest first. */
  readonly recent: readonly { readonly run: Run; readonly trial: Trial }[];
}

export interface ExperimentRequest {
  readonly home: string;
  readonly name: string;
  /** Index of the first series on the page. */
  readonly firstSeries: number;
}

/** Series on one page. */
export const SERIES_PER_PAGE = 50;
const SERIES_READ = 10_000;
const HISTORY = 1000;
const RUNS = 60;

/** Undefined when nothing is known about an experiment of that name. */
export async function readExperiment(
  { home, name, firstSeries }: ExperimentRequest,
  { store, disk }: { readonly store: Store; readonly disk: Disk },
): Promise<ExperimentView | undefined> {
  if (whyNotAName(name) !== undefined) return undefined;
  const recent = await recentTrials(name, store);
  const all = await store.series({ experiment: name, limit: SERIES_READ });
  const newest = recent[0];
  if (!newest && all.length === 0) return undefined;

  const proper = all.filter((one) => !isDetail(one));
  const series: SeriesView[] = [];
  for (const one of proper.slice(firstSeries, firstSeries + SERIES_PER_PAGE)) {
    series.push(await readSeries(store, one, HISTORY));
  }
  const stages = newest ? await store.stagesOf(newest.run.id) : [];
  return {
    project: newest?.run.project ?? '',
    name,
    ...(newest?.trial.title !== undefined && { title: newest.trial.title }),
    ...(newest && {
      newest: { ...newest, stages: stages.filter((one) => one.task === name && one.kind === 'experiment') },
    }),
    summary: await readSummary(home, name, disk),
    series,
    firstSeries,
    seriesCount: proper.length,
    details: all.filter(isDetail).map(({ path }) => path),
    hasMoreSeries: all.length === SERIES_READ,
    graphs: await listGraphs(home, name, disk),
    recent,
  };
}

async function recentTrials(name: string, store: Store): Promise<ExperimentView['recent']> {
  const runs = await store.latestRuns({ limit: RUNS });
  const trials = new Map<string, Trial>();
  for (const trial of await store.trialsOf(runs.map((run) => run.id))) {
    if (trial.task === name && trial.kind === 'experiment') trials.set(trial.runId, trial);
  }
  return runs.flatMap((run) => {
    const trial = trials.get(run.id);
    return trial ? [{ run, trial }] : [];
  });
}
