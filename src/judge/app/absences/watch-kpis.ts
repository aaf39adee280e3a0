import { indexName } from '../../../formats/core/kpi/payload-files.ts';
import { type Absentee, seriesKey } from '../../../home/core/changes/change.ts';
import type { ChangeEvent, GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { type WatchedSeries, watchWorkload } from '../../core/absences/lost-series.ts';
import { isSilent } from '../../core/absences/missing.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import type { Attendance } from './attendance.ts';

interface KpiContext {
  readonly home: string;
  readonly disk: Disk;
  readonly store: Store;
  readonly ledger: GrowingLedger;
  readonly rules: JudgingRules;
  readonly attendance: Attendance;
  readonly now: number;
}

const MANY = 1_000_000;
/** Values of a series: thirty rounds with some repetitions. */
const NEWEST = 200;

/** Series of KPIs and whole workloads that stopped coming, or are back. */
export async function kpiAbsences(context: KpiContext): Promise<readonly ChangeEvent[]> {
  const known = [...context.ledger.absences.values()].map(({ series }) => series);
  const byWorkload = await seriesByWorkload(context);
  const starts = new Map([...byWorkload].map(([name, series]) => [name, startTimes(series)]));
  const events = [...byWorkload].flatMap(([workload, series]) => {
    const others = [...starts].flatMap(([name, at]) => (name === workload ? [] : at));
    return eventsOf({ workload, series, others }, context);
  });
  const present = new Set(
    [...byWorkload].flatMap(([workload, series]) => [
      seriesKey({ kind: 'workload', workload }),
      ...series.map(({ name, labels }) => seriesKey({ kind: 'kpi', name, labels })),
    ]),
  );
  const gone = known.filter(
    (series) => (series.kind === 'kpi' || series.kind === 'workload') && !present.has(seriesKey(series)),
  );
  return [
    ...events,
    ...gone.map((series) => ({ type: 'returned', at: context.now, series, reason: 'gone' }) as const),
  ];
}

async function seriesByWorkload({
  home,
  disk,
  store,
  rules,
}: KpiContext): Promise<ReadonlyMap<string, readonly WatchedSeries[]>> {
  const byWorkload = new Map<string, WatchedSeries[]>();
  const all = await store.kpiSeries({ limit: MANY });
  if (all.length === 0) return byWorkload;
  const workloads = await workloadLookup(home, disk);
  for (const { name, labels, isIgnored } of all) {
    if (isIgnored || rules.isIgnored({ kind: 'kpi', name, labels })) continue;
    const history = await store.kpiHistory({ name, labels }, { limit: NEWEST });
    const workload = workloads.ofTest(history.runIds.at(-1) ?? '');
    if (workload === undefined) continue;
    // A KPI without a value counts as absent.
    const came = history.runIds.flatMap((id, place) =>
      Number.isNaN(history.values[place] ?? Number.NaN) ? [] : [{ id, at: history.times[place] ?? 0 }],
    );
    const list = byWorkload.get(workload) ?? [];
    list.push({ name, labels, times: came.map(({ at }) => at), testIds: came.map(({ id }) => id) });
    byWorkload.set(workload, list);
  }
  return byWorkload;
}

/** Distinct times at which tests of a workload began. */
function startTimes(series: readonly WatchedSeries[]): readonly number[] {
  return [...new Set(series.flatMap(({ times }) => Array.from(times)))];
}

interface OneWorkload {
  readonly workload: string;
  readonly series: readonly WatchedSeries[];
  /** When tests of other workloads began. */
  readonly others: readonly number[];
}

function eventsOf({ workload, series, others }: OneWorkload, context: KpiContext): readonly ChangeEvent[] {
  const { ledger, attendance, now } = context;
  const { rounds, states } = watchWorkload(series);
  const known = (absentee: Absentee) => ledger.absences.get(seriesKey(absentee));
  const single = series.flatMap(({ name, labels, times, testIds }, index): readonly ChangeEvent[] => {
    const absentee = { kind: 'kpi', name, labels } as const;
    const [lastAt = 0, lastRunId = ''] = [Array.from(times).at(-1), testIds.at(-1)];
    const before = known(absentee);
    const state = states[index]?.state;
    const event = { type: 'returned', at: now, series: absentee } as const;
    if (before && lastAt > before.lastAt) return [event];
    if (before) return state === 'forgotten' ? [{ ...event, reason: 'gone' }] : [];
    return state === 'missing' ? [{ type: 'missing', at: now, series: absentee, lastAt, lastRunId }] : [];
  });
  const absentee = { kind: 'workload', workload } as const;
  const last = rounds.at(-1);
  const lastAt = last?.tests.at(-1)?.at ?? 0;
  const before = known(absentee);
  if (before)
    return lastAt > before.lastAt ? [{ type: 'returned', at: now, series: absentee }, ...single] : single;
  const witnesses = [...others, ...attendance.nights, ...attendance.imports.map(({ at }) => at)];
  if (!isSilent({ times: rounds.map(({ at }) => at), others: witnesses })) return single;
  const count = new Set(last?.tests.flatMap((test) => [...test.series])).size;
  const lastRunId = last?.tests.at(-1)?.id ?? '';
  return [...single, { type: 'missing', at: now, series: absentee, lastAt, lastRunId, count }];
}

/** Which workload a test is of. */
export interface WorkloadLookup {
  /** Undefined where its file is gone: a deleted test is not missed. */
  ofTest(testId: string): string | undefined;
}

/** Documents do not name their workload; the folder that they are kept in does. */
async function workloadLookup(home: string, disk: Disk): Promise<WorkloadLookup> {
  const { payloads } = homeLayout(home);
  const folders: { readonly workload: string; readonly files: ReadonlySet<string> }[] = [];
  for (const { name, type } of await disk.list(payloads('')))
    if (type === 'folder') {
      const entries = await disk.list(payloads(name));
      folders.push({ workload: name, files: new Set(entries.map((entry) => entry.name)) });
    }
  return {
    ofTest: (testId) =>
      folders.find(({ workload, files }) => files.has(`${indexName(workload)}_${indexName(testId)}.json`))
        ?.workload,
  };
}
