import type { Series } from '../../../formats/core/sample.ts';
import { placeSamples } from '../../../formats/core/sample-data.ts';
import type { Store } from '../../../home/core/store.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { inBase, toBase } from '../../../platform/core/units.ts';
import { median } from '../../../stats/summary.ts';
import {
  inflation,
  type PlanBasis,
  type PlanInput,
  type RunNoise,
  type RunTime,
} from '../../core/plan/plan.ts';
import {
  assumedPairs,
  type HistoryNoise,
  historyNoise,
  type IterationNoise,
  iterationNoise,
  measuredPairs,
} from '../../core/plan/plan-noise.ts';
import { isDetail } from '../series/series-values.ts';

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

/** The noise of an experiment's values, from the index of a home. */
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

function nameOf({ path }: Pick<Series, 'path'>): string {
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
          : 'Run a night first (nightmark run), or give the noise: nightmark plan --noise 3% --time 200ms',
    },
  );
}

interface Known {
  readonly series: Series;
  readonly name: string;
  readonly noise: Extract<HistoryNoise, { state: 'known' }>;
  readonly times: RunTimes;
  readonly duets: StoredPairs | undefined;
  readonly request: BasisRequest;
}

/** The basis of a plan for one value. */
function makeBasis({ series, name, noise, times, duets, request }: Known): PlanBasis {
  const single = iterationNoise(times.samples.get(JSON.stringify(series.path)) ?? []);
  const iterations = single?.iterations ?? 1;
  const plain = runNoise(noise, single);
  const alone = scaled(plain, inflation(noise.correlation));
  const time = runTime(request.seconds ?? times.seconds, single, series.unit);
  const stored = duets && measuredPairs(duets.a, duets.b, iterations);
  return {
    name,
    input: {
      alone,
      // What neighbouring nights have in common drops out of a ratio: no inflation.
      pairs: request.pairs ?? stored ?? assumedPairs(plain),
      iterations,
      mayChoose: single !== undefined && time?.isSplit === true,
      ...(time && { time: time.time }),
    },
    count: noise.count,
    counts: 'night',
    correlation: noise.correlation,
  };
}

/** What iterations explain of the spread between runs is theirs; the rest more iterations do not remove. */
function runNoise({ variance, freedom }: Known['noise'], single: IterationNoise | undefined): RunNoise {
  if (!single) return { between: variance, within: 0, freedom };
  const within = Math.min(single.within, variance * single.iterations);
  return { between: variance - within / single.iterations, within, freedom };
}

function scaled({ between, within, ...known }: RunNoise, factor: number): RunNoise {
  return { between: between * factor, within: within * factor, ...known };
}

/** Only where the values are times it is known which part of a run its iterations take. */
function runTime(
  seconds: number | undefined,
  single: IterationNoise | undefined,
  unit: string,
): { readonly time: RunTime; readonly isSplit: boolean } | undefined {
  const scale = toBase(unit);
  const each = single && scale.unit === 's' ? inBase(single.value, scale) : undefined;
  if (seconds === undefined) return undefined;
  if (!single || each === undefined) return { time: { fixed: seconds, each: 0 }, isSplit: false };
  const fixed = Math.max(0, seconds - single.iterations * each);
  return { time: { fixed, each: Math.min(each, seconds / single.iterations) }, isSplit: true };
}

/** All series, or the one whose keys were given. */
function chooseSeries(series: readonly Series[], metric: string | undefined): readonly Series[] {
  if (metric === undefined) return series;
  for (const joint of ['/', '.']) {
    const found = series.filter(({ path }) => path.join(joint) === metric);
    if (found.length > 0) return found;
  }
  const names = series.slice(0, 8).map(({ path }) => path.join('/'));
  throw new NightmarkError('PLAN_NO_METRIC', `The experiment has no value "${metric}".`, {
    hint: `It has: ${names.join(', ')}${series.length > 8 ? `, and ${series.length - 8} more` : ''}.`,
  });
}

/** Times of pairs of a stored duet, A and B in the order of measurement. */
export interface StoredPairs {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

const DUETS = 20;

/** The newest stored duet of an experiment; it has the name of the experiment, or that after the suite. */
async function readDuets(experiment: string, store: Store): Promise<StoredPairs | undefined> {
  for (const { id, order } of await store.latestRuns({ kind: 'duet', limit: DUETS })) {
    for (const task of order) {
      if (task !== experiment && !task.endsWith(`.${experiment}`)) continue;
      const sets = await store.samplesOf(id, task);
      // Sides that ran one after the other are not pairs.
      const paired = sets.filter(({ settings }) => settings['type'] !== 'seqn');
      const [a, b] = ['A', 'B'].map((side) => paired.find(({ settings }) => settings['side'] === side));
      if (a && b) return { a: a.values, b: b.values };
    }
  }
  return undefined;
}

/** Iterations and durations of the newest runs of an experiment. */
export interface RunTimes {
  /** Samples of each run by the path of their value, as JSON. */
  readonly samples: ReadonlyMap<string, readonly Float64Array[]>;
  /** Usual duration of the stage "run"; absent where no run has one. */
  readonly seconds?: number;
}

/** The machine of today is what counts, and each run may hold many samples. */
const RUNS = 20;

async function readTimes(experiment: string, runIds: readonly string[], store: Store): Promise<RunTimes> {
  const samples = new Map<string, Float64Array[]>();
  const durations: number[] = [];
  for (const runId of runIds.slice(-RUNS)) {
    for (const { set, path } of placeSamples(await store.samplesOf(runId, experiment))) {
      const key = JSON.stringify(path);
      const runs = samples.get(key) ?? [];
      samples.set(key, runs);
      runs.push(Float64Array.from(set.values));
    }
    for (const { task, kind, stage, success, durationMs } of await store.stagesOf(runId)) {
      const isRun = task === experiment && kind === 'experiment' && stage === 'run';
      if (isRun && success && durationMs > 0) durations.push(durationMs / 1000);
    }
  }
  return { samples, ...(durations.length > 0 && { seconds: median(durations) }) };
}
