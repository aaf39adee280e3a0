import type { NightView } from '../../../home/app/run-queries.ts';
import type { Machine, Run, Trial } from '../../../home/core/run.ts';
import { matchesRun, type RunFilter } from '../../../home/core/run-filter.ts';
import type { Store, TrialDigest } from '../../../home/core/store.ts';
import { groupByRun, nightView } from '../home/read-overview.ts';

/** One page of runs, newest first. */
export interface RunList {
  readonly runs: readonly RunLine[];
  /** Of all runs, regardless of the filter. */
  readonly count: number;
  /** Start of the next, older page. */
  readonly nextBefore?: number;
}

/** A run as the list shows it. */
export interface RunLine extends NightView {
  /** Name of its machine. */
  readonly machine?: string;
  /** Commits of its sources; several where its tasks had different ones. */
  readonly commits: Readonly<Record<string, readonly string[]>>;
  /** Names of some tasks that failed: the first ones. */
  readonly failed: readonly string[];
  /** Names of some tasks: the first ones. */
  readonly tasks: readonly string[];
}

export interface RunListRequest {
  readonly limit: number;
  /** Only runs that began before this time. */
  readonly before?: number;
  readonly filter?: RunFilter;
}

/** Names that a line has room for. */
const NAMES = 5;
/** A filter that hardly anything passes ends its page here; the next page goes on. */
const MOST_READ = 5_000;

export async function listRuns(request: RunListRequest, store: Store): Promise<RunList> {
  const { limit, filter = {} } = request;
  const lines: RunLine[] = [];
  const machines = new Map<string, Machine | undefined>();
  let before = request.before;
  let [isEnd, read] = [false, 0];
  while (!isEnd && lines.length < limit && read < MOST_READ) {
    const query = { ...queryOf(filter), limit, ...(before !== undefined && { before }) };
    const { runs, isLast } = await completePage(store, query);
    isEnd = isLast;
    read += runs.length;
    before = runs.at(-1)?.startedAt ?? before;
    const trialsOf = await trialReader(runs, filter, store);
    for (const run of runs) {
      const line = { run, trials: trialsOf(run), ...(await machineOf(run, machines, store)) };
      if (matchesRun(line, filter)) lines.push(toLine(line));
    }
  }
  const count = await store.countRuns();
  return { runs: lines, count, ...(!isEnd && before !== undefined && { nextBefore: before }) };
}

/** A night of two thousand trials is read as counts: a page has fifty of them. */
const MANY_TRIALS = 100;

/** The trials of each run; those of large runs are made from counts, unless their names are searched. */
async function trialReader(
  runs: readonly Run[],
  { text }: RunFilter,
  store: Store,
): Promise<(run: Run) => readonly Trial[]> {
  const ids = runs.map(({ id }) => id);
  const digest = text === undefined ? await store.trialDigest(ids) : undefined;
  const sizes = new Map<string, number>();
  for (const { runId, count } of digest?.counts ?? []) sizes.set(runId, (sizes.get(runId) ?? 0) + count);
  const isLarge = (id: string) => (sizes.get(id) ?? 0) > MANY_TRIALS;
  const small = groupByRun(await store.trialsOf(ids.filter((id) => !isLarge(id))));
  return (run) => (digest && isLarge(run.id) ? trialsFromCounts(run, digest) : (small.get(run.id) ?? []));
}

/** Trials that are right only in what a list shows: how many of each state, which failed, which commits. */
function trialsFromCounts({ id, order }: Run, digest: TrialDigest): readonly Trial[] {
  const sets = digest.commits.filter(({ runId }) => runId === id).map(({ commits }) => commits);
  const failed = digest.failed.filter(({ runId }) => runId === id);
  const others = order.filter((task) => !failed.some((one) => one.task === task));
  const trials: Trial[] = [];
  for (const { runId, kind, state, count } of digest.counts) {
    if (runId !== id) continue;
    const names =
      state === 'failed' ? failed.filter((one) => one.kind === kind).map(({ task }) => task) : others;
    for (let n = 0; n < count; n++) {
      const commits = sets[trials.length] ?? {};
      trials.push({ runId, kind, state, task: names[n] ?? '', message: '', commits });
    }
  }
  return trials;
}

type PageQuery = Parameters<Store['latestRuns']>[0];

/** The store does not know whether an unfinished run is still alive. */
function queryOf({ kind, state }: RunFilter): Pick<PageQuery, 'kind' | 'state'> {
  return { ...(kind && { kind }), ...(state === 'finished' && { state }) };
}

/** The next page begins before the last time of this one: all runs of that time have to be on this page. */
async function completePage(
  store: Store,
  query: PageQuery,
): Promise<{ readonly runs: readonly Run[]; readonly isLast: boolean }> {
  for (let more = 16; ; more *= 4) {
    const runs = await store.latestRuns({ ...query, limit: query.limit + more });
    const last = runs[query.limit - 1];
    const end = runs.findIndex(
      ({ startedAt }, place) => place >= query.limit && startedAt < (last?.startedAt ?? 0),
    );
    if (end >= 0) return { runs: runs.slice(0, end), isLast: false };
    if (runs.length < query.limit + more) return { runs, isLast: true };
  }
}

async function machineOf(
  { machineId }: Run,
  known: Map<string, Machine | undefined>,
  store: Store,
): Promise<{ readonly machine?: string }> {
  if (machineId === undefined) return {};
  if (!known.has(machineId)) known.set(machineId, await store.machine(machineId));
  const machine = known.get(machineId);
  return machine ? { machine: machine.name } : {};
}

interface ReadRun {
  readonly run: Run;
  readonly trials: readonly Trial[];
  readonly machine?: string;
}

function toLine({ run, trials, machine }: ReadRun): RunLine {
  const failed = trials.filter(({ state }) => state === 'failed');
  const active = trials.filter(({ state }) => state !== 'inactive');
  return {
    // All names of a large night in every line would be most of the list.
    ...nightView({ ...run, order: run.order.slice(0, NAMES) }, trials),
    ...(machine !== undefined && { machine }),
    commits: commitsOf(trials),
    failed: failed.slice(0, NAMES).map(({ task }) => task),
    tasks: active.slice(0, NAMES).map(({ task }) => task),
  };
}

/** The commits of every source, each once. */
export function commitsOf(
  trials: readonly Pick<Trial, 'commits'>[],
): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, Set<string>>();
  for (const { commits } of trials) {
    for (const [source, commit] of Object.entries(commits)) {
      const group = found.get(source) ?? new Set();
      found.set(source, group.add(commit));
    }
  }
  return Object.fromEntries([...found].map(([source, commits]) => [source, [...commits]]));
}
