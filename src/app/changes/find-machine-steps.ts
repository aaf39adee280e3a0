import { changeId } from '../../core/changes/change-id.ts';
import { DETECTOR } from '../../core/changes/detector.ts';
import type { GrowingLedger } from '../../core/changes/fold-ledger.ts';
import { isOpen } from '../../core/changes/is-open.ts';
import { type MachineStep, withoutMachineSteps } from '../../core/changes/machine-part.ts';
import { benchmarkOf, machineMeasure } from '../../core/changes/machine-scope.ts';
import { judgeMany } from '../../core/judge/judge-many.ts';
import {
  findMachineEvent,
  MACHINE_EVENT_DEFAULTS,
  type MachineEvent,
  type SeriesShift,
} from '../../core/judge/machine-events.ts';
import type { Better, JudgedSeries } from '../../core/model/change.ts';
import type { ChangeEvent, FollowedChange, Sighting } from '../../core/model/change-ledger.ts';
import type { Store } from '../../core/ports/store.ts';
import type { JudgedOne } from './judge-one.ts';
import type { SeriesInHand } from './series-to-judge.ts';

/** By measure: what is known of machines, oldest first. What people called false is none. */
export function knownSteps({ changes }: GrowingLedger): ReadonlyMap<string, readonly MachineStep[]> {
  const steps = new Map<string, MachineStep[]>();
  for (const { series, at, after, state, withdrawnAt } of changes.values()) {
    if (series.kind !== 'machine' || state === 'false' || withdrawnAt !== undefined) continue;
    steps.set(series.measure, [...(steps.get(series.measure) ?? []), { at, factor: after }]);
  }
  for (const list of steps.values()) list.sort((a, b) => a.at - b.at);
  return steps;
}

/** The series as the machine of today would have measured it. */
export function besideMachine(
  hand: SeriesInHand,
  steps: ReadonlyMap<string, readonly MachineStep[]>,
): SeriesInHand {
  const { series, unit, better, history } = hand;
  const own = steps.get(machineMeasure(series, unit) ?? '');
  if (own === undefined) return hand;
  const values = withoutMachineSteps({ ...history, better }, own);
  return { ...hand, history: { ...history, values } };
}

/** Runs in which most series of a machine moved together and nobody knew: those of the newest values, and older ones. */
export async function findMachineSteps(
  judged: readonly JudgedOne[],
  { ledger, store, now }: { readonly ledger: GrowingLedger; readonly store: Store; readonly now: number },
): Promise<readonly ChangeEvent[]> {
  const found = [...newestSteps(judged), ...olderSteps(judged)];
  const events: ChangeEvent[] = [];
  const told = new Set<string>();
  for (const { runId, at, measure, event } of found) {
    const series = { kind: 'machine', machine: await machineOf(runId, store), measure } as const;
    const id = changeId(series, runId, () => false);
    if (told.has(id) || ledger.changes.has(id) || !(await isOfMachine(runId, at, store))) continue;
    told.add(id);
    const better = isDirected(judged, measure) ? 'lower' : 'unknown';
    const change = toSighting({ id, series, better, runId, at, event });
    events.push({ type: 'found', at: now, change }, ...closing(change, ledger, now));
  }
  return events;
}

/** A machine that is back to where it was needs nobody: both events are closed, and stay in the ledger. */
function closing(now: Sighting, { changes }: GrowingLedger, at: number): readonly ChangeEvent[] {
  const measure = now.series.kind === 'machine' ? now.series.measure : undefined;
  const before = [...changes.values()]
    .filter(
      (one) =>
        one.series.kind === 'machine' && one.series.measure === measure && isOpen(one) && one.at < now.at,
    )
    .reduce<FollowedChange | undefined>((last, one) => (last && last.at > one.at ? last : one), undefined);
  if (!before || Math.abs(Math.log(before.after * now.after)) > BACK * Math.abs(Math.log(before.after)))
    return [];
  const said = { type: 'triaged', at, author: 'nightmark' } as const;
  return [
    { ...said, id: before.id, state: 'fixed', note: `The machine is back: ${now.id}.` },
    { ...said, id: now.id, state: 'expected', note: `Back from ${before.id}.` },
  ];
}

/** Part of the way that may be missing. */
const BACK = 0.25;

/** Its name, or else its id; data of old nights do not say where they were measured. */
async function machineOf(runId: string, store: Store): Promise<string> {
  const id = (await store.run(runId))?.machineId;
  return id === undefined ? 'unknown' : ((await store.machine(id))?.name ?? id);
}

interface FoundStep {
  readonly runId: string;
  readonly at: number;
  readonly measure: string;
  readonly event: MachineEvent;
}

function newestSteps(judged: readonly JudgedOne[]): readonly FoundStep[] {
  const series = judged.flatMap(({ newest }) => {
    const measure = machineMeasure(newest.from.series, newest.from.unit);
    if (measure === undefined) return [];
    const scope = JSON.stringify([measure, newest.newestRunId, newest.newestAt]);
    const better = newest.from.better === 'higher' ? 'higher' : 'lower';
    return [{ ...newest.input, better, id: scope, scope, voice: benchmarkOf(newest.from.series) } as const];
  });
  return judgeMany(series).machines.map(({ scope, ...event }) => {
    const [measure = '', runId = '', at = 0] = JSON.parse(scope) as [string, string, number]; // written above
    return { runId, at, measure, event };
  });
}

/** Places where many series begin a new level at once: nights that were never judged when they were new. */
function olderSteps(judged: readonly JudgedOne[]): readonly FoundStep[] {
  const places = new Map<
    string,
    { runId: string; at: number; measure: string; voices: Map<string, SeriesShift> }
  >();
  for (const { newest, steps } of judged) {
    const { series, unit, better } = newest.from;
    const measure = machineMeasure(series, unit);
    if (measure === undefined) continue;
    for (const { runId, at, logRatio, error } of steps) {
      const key = JSON.stringify([measure, runId]);
      const place = places.get(key) ?? { runId, at, measure, voices: new Map<string, SeriesShift>() };
      places.set(key, place);
      place.voices.set(benchmarkOf(series), { logRatio: better === 'higher' ? -logRatio : logRatio, error });
    }
  }
  return [...places.values()].flatMap(({ voices, ...place }) => {
    if (voices.size < MACHINE_EVENT_DEFAULTS.minSeries) return [];
    const event = findMachineEvent([...voices.values()]);
    const alive = aliveAt(judged, place);
    return event && event.agreeing >= MACHINE_EVENT_DEFAULTS.minAgreeing * alive ? [{ ...place, event }] : [];
  });
}

/** Measurements that had values before and after. */
function aliveAt(judged: readonly JudgedOne[], { at, measure }: Pick<FoundStep, 'at' | 'measure'>): number {
  const voices = judged.filter(({ newest: { from, firstAt, newestAt } }) => {
    const own = machineMeasure(from.series, from.unit);
    return own === measure && firstAt < at && newestAt >= at;
  });
  return new Set(voices.map(({ newest }) => benchmarkOf(newest.from.series))).size;
}

/** All series of a single experiment may move together since its source did: that is no sign of the machine. */
async function isOfMachine(runId: string, at: number, store: Store): Promise<boolean> {
  const [before] = await store.latestRuns({ limit: 1, kind: 'night', before: at });
  const trials = (await store.trialsOf([runId, ...(before ? [before.id] : [])])).filter(
    ({ kind, state }) => kind === 'experiment' && state === 'succeeded',
  );
  const here = trials.filter((trial) => trial.runId === runId);
  if (here.length !== 1) return true;
  const [one] = here;
  const last = trials.find((trial) => trial.runId !== runId && trial.task === one?.task);
  return Object.entries(one?.commits ?? {}).every(
    ([name, commit]) => last?.commits[name] === undefined || last.commits[name] === commit,
  );
}

/** Whether of any series it is known which way is good; else all are taken for times, and nothing is called worse. */
function isDirected(judged: readonly JudgedOne[], measure: string): boolean {
  return judged.some(
    ({ newest: { from } }) => from.better !== 'unknown' && machineMeasure(from.series, from.unit) === measure,
  );
}

interface StepToTell extends Omit<FoundStep, 'measure'> {
  readonly id: string;
  readonly series: JudgedSeries;
  readonly better: Better;
}

function toSighting({ id, series, better, runId, at, event }: StepToTell): Sighting {
  const [change, low, high] = [event.factor - 1, event.low - 1, event.high - 1];
  return {
    ...{ id, series, unit: '', better, at, runId, before: 1, after: event.factor },
    shift: { difference: change, low, high, level: event.level, relative: { change, low, high } },
    // Each of them goes either way by chance.
    p: 2 ** (1 - Math.min(event.agreeing, 50)),
    direction: better === 'unknown' ? 'unknown' : change > 0 ? 'worse' : 'better',
    isProvisional: false,
    detector: DETECTOR,
    moved: event.agreeing,
  };
}
