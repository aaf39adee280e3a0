import type { Series } from '../../../formats/core/sample.ts';
import type { Store } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PlanBasis, PlanInput } from '../../core/plan/plan.ts';
import { type HistoryNoise, historyNoise } from '../../core/plan/plan-noise.ts';
import { isDetail } from '../read-values.ts';
import { chooseSeries } from './choose-series.ts';
import { makeBasis } from './make-basis.ts';
import { readDuets } from './read-duets.ts';
import { readTimes } from './read-times.ts';

export interface BasisRequest {
  readonly experiment: string;
  /** Keys of one value, joined by "/" or "."; absent: all values. */
  readonly metric?: string;
  /** Seconds of a run, where the user knows better. */
  readonly seconds?: number;
  /** Noise of pairs from a file; absent: that of stored duets, or an assumption. */
  readonly pairs?: PlanInput['pairs'];
}

/** Values that can be planned for, and those that cannot with the reason. */
export interface PlanBases {
  readonly bases: readonly PlanBasis[];
  readonly left: readonly { readonly name: string; readonly reason: UnknownReason }[];
}

export type UnknownReason = Extract<HistoryNoise, { state: 'unknown' }>['reason'];

const SERIES_READ = 10_000;
const HISTORY = 200;

/** What the index of a home knows of the noise of an experiment's values. */
export async function readPlanBases(request: BasisRequest, store: Store): Promise<PlanBases> {
  const all = await store.series({ experiment: request.experiment, limit: SERIES_READ });
  const proper = all.filter((series) => !isDetail(series));
  if (proper.length === 0) throw await noHistory(request.experiment, store);
  const chosen = chooseSeries(proper, request.metric);
  const bases: PlanBasis[] = [];
  const left: { name: string; reason: UnknownReason }[] = [];
  const runTime = lazily((runIds: readonly string[]) => readTimes(request.experiment, runIds, store));
  const duets = await readDuets(request.experiment, store);
  for (const series of chosen) {
    const name = nameOf(series);
    const { values, runIds } = await store.history(series.id, { limit: HISTORY });
    const noise = historyNoise(values);
    if (noise.state === 'unknown') {
      left.push({ name, reason: noise.reason });
      continue;
    }
    const times = await runTime(runIds);
    bases.push(makeBasis({ series, name, noise, times, duets, request }));
  }
  return { bases, left };
}

export function nameOf({ path }: Pick<Series, 'path'>): string {
  return path.join('/');
}

/** Values of one experiment come from the same runs: their times are read once. */
function lazily<T>(
  read: (runIds: readonly string[]) => Promise<T>,
): (runIds: readonly string[]) => Promise<T> {
  let known: Promise<T> | undefined;
  return (runIds) => {
    known ??= read(runIds);
    return known;
  };
}

async function noHistory(experiment: string, store: Store): Promise<NightmarkError> {
  const others = new Set((await store.series({ limit: SERIES_READ })).map((one) => one.experiment));
  const there = [...others].sort().slice(0, 8).join(', ');
  return new NightmarkError(
    'PLAN_NO_HISTORY',
    `No values of an experiment "${experiment}" are stored here.`,
    {
      hint:
        others.size > 0
          ? `There are values of: ${there}${others.size > 8 ? ' ...' : ''}.`
          : 'Run a night first (nightmark run), or say how noisy it is: nightmark plan --noise 3% --time 200ms',
    },
  );
}
