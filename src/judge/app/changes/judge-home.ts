import { payloadStart } from '../../../formats/core/kpi/read-payload.ts';
import { appendEvents, readLedger, unusableLinesMessage } from '../../../home/app/ledger-file.ts';
import { latestValueRuns } from '../../../home/app/run-queries.ts';
import { type Absentee, type JudgedSeries, seriesKey } from '../../../home/core/changes/change.ts';
import {
  type Absence,
  addEvent,
  type ChangeEvent,
  type FollowedChange,
  type GrowingLedger,
  type JudgedUntil,
} from '../../../home/core/changes/change-ledger.ts';
import type { Store, StoredJudgement } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { AlarmThresholds } from '../../core/changes/judge-series.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import { LEAST_HISTORY } from '../../core/newest/judge-newest.ts';
import { absenceWatch } from '../absences/find-absences.ts';
import { type ComparableValues, type HardwareHistory, hardwareHistory } from '../series/hardware-history.ts';
import type { JudgingRules } from '../series/judging-rules.ts';
import {
  isWhole,
  type JudgeScope,
  type LoadedSeries,
  seriesToJudge,
  widenScope,
} from '../series/series-to-judge.ts';
import {
  type DrawnLevel,
  ignoredSeries,
  reasonToRejudge,
  saveJudgements,
} from '../series/stored-judgements.ts';
import { alarmThresholds } from './alarm-thresholds.ts';
import { applyDirections } from './apply-directions.ts';
import { findHardwareEvents } from './hardware-events.ts';
import {
  type Circumstances,
  judgeOneSeries,
  type NewestShift,
  provisionalEvents,
  type SeriesOutcome,
  selectNewest,
} from './judge-one.ts';
import { type KnownSteps, knownSteps, withoutMachine } from './known-machine-steps.ts';
import { findMachineSteps } from './machine-steps.ts';

export interface JudgeEffects {
  readonly disk: Disk;
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal?: CancelSignal;
  /** Between series: others get their turn. */
  readonly rest?: () => Promise<void>;
}

export interface JudgeRequest {
  readonly home: string;
  readonly rules: JudgingRules;
  readonly scope: JudgeScope;
}

export interface JudgeReport {
  /** Series that were judged, and series that the definition ignores. */
  readonly judged: number;
  readonly ignored: number;
  /** Those of the judged that have enough earlier values to be compared with. */
  readonly compared: number;
  /** Known changes whose direction is another one now: it was declared, or is inferred since this version. */
  readonly directed: readonly FollowedChange[];
  /** Seen for the first time, or again; newest first. */
  readonly found: readonly FollowedChange[];
  readonly confirmed: readonly FollowedChange[];
  readonly withdrawn: readonly FollowedChange[];
  /** Found or confirmed, and begun recently: what people are notified of. Newest first. */
  readonly news: readonly FollowedChange[];
  /** Found now, but begun long ago: because of more values, a new rule, or a history that was never judged. */
  readonly older: number;
  /** Series, experiments and workloads that stopped coming, reported for the first time. */
  readonly missing: readonly Absence[];
  /** Those that are back. */
  readonly returned: readonly Absentee[];
  /** Newest values that look like a change, as some do by chance among so many series. */
  readonly heldBack: number;
  /** Why the whole home was judged, whatever was new. */
  readonly rejudged?: string;
  readonly notes: readonly string[];
}

/** Judges the series that have new values, one at a time, and writes the findings to the ledger and the index. */
export async function judgeHome(request: JudgeRequest, effects: JudgeEffects): Promise<JudgeReport> {
  const { home, rules } = request;
  const { disk, store, clock } = effects;
  const directed = await applyDirections(home, rules, effects);
  const reading = await readLedger(home, disk);
  const { ledger } = reading;
  const thresholds = await alarmThresholds({ home, rules }, { disk, store });
  const reason = await reasonToRejudge(store, rules);
  const scope = reason === undefined ? await widenScope(request.scope, store) : {};
  const scoped = { ...request, scope, ...(thresholds && { thresholds }) };
  let outcome = await judgeScope(scoped, ledger, effects);
  const machines: ChangeEvent[] = [];
  const hardware = await hardwareHistory(store, ledger);
  for (const find of [
    () => findHardwareEvents(outcome.series, hardware, { ledger, now: clock.now() }),
    () => findMachineSteps(outcome.series, { ledger, store, now: clock.now() }),
  ]) {
    const events = await find();
    if (events.length === 0) continue;
    // What the machine did is removed from all series, and they are judged again.
    for (const event of events) addEvent(ledger, event);
    machines.push(...events);
    outcome = await judgeScope(scoped, ledger, effects);
  }
  const { kept, heldBack } = selectNewest(
    outcome.series.map(({ newest }) => newest),
    thresholds?.falseAlarms,
  );
  const events = [
    ...machines,
    ...outcome.absences,
    ...outcome.series.flatMap((single) => single.events),
    ...provisionalEvents(kept, ledger, clock.now()),
  ];
  const { compared } = outcome;
  const counts = { judged: outcome.series.length, ignored: outcome.ignored.length, compared };
  const until = await newestResults(store);
  const judged = {
    type: 'judged',
    at: clock.now(),
    detector: DETECTOR,
    series: counts.judged,
    until,
  } as const;
  await record(home, [...events, judged], { ledger, disk, store });
  await saveJudgements(
    judgementsOf(outcome, new Set(heldBack)),
    { at: clock.now(), heldBack: heldBack.length, ...(isWhole(scope) && { rules }) },
    store,
  );
  const all = summarize(events, ledger);
  const since = await startOfRecent(store);
  const reported = [...all.found, ...all.confirmed].sort((a, b) => b.at - a.at);
  const news = reported.filter(({ at }) => at >= since);
  const unusable = unusableLinesMessage(reading);
  return {
    ...counts,
    ...all,
    directed,
    news,
    older: reported.length - news.length,
    heldBack: heldBack.length,
    ...(reason !== undefined && { rejudged: reason }),
    notes: unusable === undefined ? [] : [unusable],
  };
}

const RECENT_RUNS = 30;

/** Changes that begin before it are not notified; without nights and imports, the newest payloads count. */
export async function startOfRecent(store: Store): Promise<number> {
  const runs = await latestValueRuns(store, RECENT_RUNS);
  const payloads = await store.payloads({ limit: RECENT_RUNS });
  const starts = [runs.at(-1)?.startedAt, payloads[0] && payloadStart(payloads[0])];
  return Math.min(...starts.flatMap((at) => (at === undefined || Number.isNaN(at) ? [] : [at])));
}

/** The newest run that has ended, and the newest payload. */
export async function newestResults(store: Store): Promise<JudgedUntil> {
  const runs = await latestValueRuns(store, 2);
  const payloads = await store.payloads({ limit: 1 });
  const payloadAt = payloads[0] ? payloadStart(payloads[0]) : 0;
  return {
    run: runs.find(({ state }) => state !== 'running')?.id ?? '',
    payloadAt: Number.isFinite(payloadAt) ? payloadAt : 0,
  };
}

interface LedgerEffects {
  readonly ledger: GrowingLedger;
  readonly disk: Disk;
  readonly store: Store;
}

/** The ledger first: it is the source of truth, the index follows from it. */
async function record(
  home: string,
  events: readonly ChangeEvent[],
  { ledger, disk, store }: LedgerEffects,
): Promise<void> {
  await appendEvents(home, events, disk);
  for (const event of events) addEvent(ledger, event);
  await saveAffected(events, ledger, store);
}

/** Updates the changes and absences that events are about in the index. */
export async function saveAffected(
  events: readonly ChangeEvent[],
  { changes, absences }: GrowingLedger,
  store: Store,
): Promise<void> {
  const ids = new Set(events.flatMap(idOf));
  await store.together(async () => {
    await store.saveChanges([...ids].flatMap((id) => changes.get(id) ?? []));
    if (events.some(({ type }) => type === 'missing' || type === 'returned'))
      await store.saveAbsences([...absences.values()]);
  });
}

function idOf(event: ChangeEvent): readonly string[] {
  if ('change' in event) return [event.change.id];
  return 'id' in event ? [event.id] : [];
}

function summarize(events: readonly ChangeEvent[], { changes, absences }: GrowingLedger) {
  const of = (type: ChangeEvent['type']) =>
    events
      .flatMap((event) => (event.type === type ? idOf(event) : []))
      .flatMap((id) => changes.get(id) ?? [])
      .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1));
  return {
    found: of('found'),
    confirmed: of('confirmed'),
    withdrawn: of('withdrawn'),
    missing: events.flatMap((event) =>
      event.type === 'missing' ? (absences.get(seriesKey(event.series)) ?? []) : [],
    ),
    returned: events.flatMap((event) =>
      event.type === 'returned' && event.reason === undefined ? [event.series] : [],
    ),
  };
}

/** Findings in all series of a scope. Nothing is written yet. */
export interface ScopeOutcome {
  readonly series: readonly SeriesOutcome[];
  readonly absences: readonly ChangeEvent[];
  readonly ignored: readonly JudgedSeries[];
  readonly compared: number;
}

/** What pages, reports and lists read: nobody but the judge decides. */
function judgementsOf(
  { series, ignored }: ScopeOutcome,
  heldBack: ReadonlySet<NewestShift>,
): readonly StoredJudgement[] {
  return [
    ...ignored.map(ignoredSeries),
    ...series.map(({ newest, judgement, heldBack: instead }) =>
      heldBack.has(newest) ? (instead ?? judgement) : judgement,
    ),
  ];
}

/** Judges series one at a time, without the known steps of their machine. */
async function judgeScope(
  { home, rules, scope, thresholds }: JudgeRequest & { readonly thresholds?: AlarmThresholds },
  ledger: GrowingLedger,
  { disk, store, clock, signal, rest }: JudgeEffects,
): Promise<ScopeOutcome> {
  const series: SeriesOutcome[] = [];
  const ignored: JudgedSeries[] = [];
  let compared = 0;
  const watch = await absenceWatch({ home, disk, store, ledger, rules });
  const steps = await knownSteps(ledger, store);
  const hardware = await hardwareHistory(store, ledger);
  const isWanted = (series: JudgedSeries) => {
    if (!rules.isIgnored(series)) return true;
    ignored.push(series);
    return false;
  };
  for await (const raw of seriesToJudge(store, scope, isWanted)) {
    if (signal?.aborted)
      throw new NightmarkError('CHANGES_INTERRUPTED', 'Judging was interrupted; nothing was written.');
    const now = clock.now();
    watch.see(raw);
    if (!raw.isTouched) continue;
    if (raw.history.values.length > LEAST_HISTORY) compared++;
    const own = { ...rules.rulesFor(raw.series), ...(thresholds && { thresholds }) };
    series.push(await judgeOnEachMachine(raw, { rules: own, ledger, now, hardware, steps }));
    await rest?.();
  }
  return { series, absences: await watch.conclude(clock.now()), ignored, compared };
}

/** Values of each kind of hardware are judged apart. Tests of a matrix name no hardware. */
async function judgeOnEachMachine(
  loaded: LoadedSeries,
  { hardware, steps, ...circumstances }: Circumstances & { hardware: HardwareHistory; steps: KnownSteps },
): Promise<SeriesOutcome> {
  const [newest, ...others] =
    loaded.series.kind === 'value' ? await hardware.groups(loaded.history) : [{ history: loaded.history }];
  const judge = ({ history, parts }: ComparableValues, older: readonly DrawnLevel[]) =>
    judgeOneSeries(withoutMachine({ ...loaded, history }, steps), {
      ...circumstances,
      ...{ older, ...(parts && { parts }) },
    });
  const elsewhere = others.map((values) => judge(values, []));
  const outcome = judge(
    newest,
    elsewhere.flatMap(({ drawn }) => drawn),
  );
  return {
    ...outcome,
    events: [...elsewhere.flatMap(({ events }) => events), ...outcome.events],
    steps: [...elsewhere.flatMap(({ steps }) => steps), ...outcome.steps],
  };
}
