import { payloadStart } from '../../formats/core/kpi/read-payload.ts';
import type { Store } from '../../home/core/store.ts';
import { isDetail } from '../../judge/app/series/series-values.ts';

/** What came into a home by imports. */
export interface ImportsStatus {
  /** The newest results, by when they were measured. */
  readonly last: {
    readonly id: string;
    readonly label: string;
    readonly startedAt: number;
    readonly experiment: string;
    /** How many series were read from which file. */
    readonly message: string;
  };
  readonly imports: number;
  /** By how many imports go: there may be more. */
  readonly isCut: boolean;
  readonly experiments: number;
  readonly series: number;
}

/** What came into a home by tests of matrices. */
export interface KpisStatus {
  /** Start of the newest test; absent where it is not known. */
  readonly lastAt?: number;
  readonly series: number;
}

const MOST_IMPORTS = 10_000;
const MANY = 1_000_000;

/** Undefined: nothing was imported. */
export async function importsStatus(store: Store): Promise<ImportsStatus | undefined> {
  const runs = await store.latestRuns({ limit: MOST_IMPORTS, kind: 'import' });
  const [newest] = runs;
  if (!newest) return undefined;
  const experiments = new Set(runs.flatMap(({ order }) => order));
  let series = 0;
  for (const experiment of experiments)
    series += (await store.series({ experiment, limit: MANY })).filter((one) => !isDetail(one)).length;
  const [trial] = await store.trialsOf([newest.id]);
  const { id, label, startedAt, order } = newest;
  return {
    last: { id, label, startedAt, experiment: order[0] ?? '', message: trial?.message ?? '' },
    imports: runs.length,
    isCut: runs.length === MOST_IMPORTS,
    experiments: experiments.size,
    series,
  };
}

/** Undefined: no test of a matrix is kept here. */
export async function kpisStatus(store: Store): Promise<KpisStatus | undefined> {
  const [newest] = await store.payloads({ limit: 1 });
  if (!newest) return undefined;
  const lastAt = payloadStart(newest);
  const series = (await store.kpiSeries({ limit: MANY })).length;
  return { ...(Number.isFinite(lastAt) && { lastAt }), series };
}
