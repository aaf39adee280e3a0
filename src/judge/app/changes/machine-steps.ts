import { type Better, changeId, type JudgedSeries } from '../../../home/core/changes/change.ts';
import {
  type ChangeEvent,
  type FollowedChange,
  type GrowingLedger,
  isOpen,
  type Sighting,
} from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { benchmarkOf, machineMeasure } from '../../core/changes/machine-part.ts';
import { type Measurement, type NightKey, nightsOf } from '../../core/changes/night-of.ts';
import type { Fact } from '../../core/explain/explanation.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import { judgeMany } from '../../core/newest/judge-many.ts';
import {
  findMachineEvent,
  MACHINE_EVENT_DEFAULTS,
  type MachineEvent,
  type SeriesShift,
} from '../../core/newest/machine-events.ts';
import { documentFacts } from '../explain/run-facts.ts';
import { machineLookup, payloadOf } from '../series/machine-lookup.ts';
import type { SeriesOutcome } from './judge-one.ts';

/** Finds nights in which most series of a machine moved together: in the newest values, and in older ones. */
export async function findMachineSteps(
  judged: readonly SeriesOutcome[],
  { ledger, store, now }: { readonly ledger: GrowingLedger; readonly store: Store; readonly now: number },
): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  const reported = new Set<string>();
  const machines = machineLookup(store);
  for (const step of sharedSteps(judged)) {
    const { runId, at, measure, event, isDirected } = step;
    const machine = (await machines.ofRun(runId)) ?? step.machine;
    const series = { kind: 'machine', machine, measure } as const;
    const id = changeId(series, runId, () => false);
    if (reported.has(id) || ledger.changes.has(id) || !(await isOfMachine(step, store))) continue;
    reported.add(id);
    const better = isDirected ? 'lower' : 'unknown';
    const change = toSighting({ id, series, better, runId, at, event });
    events.push({ type: 'found', at: now, change }, ...closing(change, ledger, now));
  }
  return events;
}

/** A machine that is back at its old speed needs no action: both events are closed, and stay in the ledger. */
function closing(now: Sighting, { changes }: GrowingLedger, at: number): readonly ChangeEvent[] {
  const before = [...changes.values()]
    .filter((one) => isOfSame(one.series, now.series) && isOpen(one) && one.at < now.at)
    .reduce<FollowedChange | undefined>((last, one) => (last && last.at > one.at ? last : one), undefined);
  if (!before || Math.abs(Math.log(before.after * now.after)) > BACK * Math.abs(Math.log(before.after)))
    return [];
  const triaged = { type: 'triaged', at, author: 'nightmark' } as const;
  return [
    { ...triaged, id: before.id, state: 'fixed', note: `The machine is back: ${now.id}.` },
    { ...triaged, id: now.id, state: 'expected', note: `Back from ${before.id}.` },
  ];
}

/** Fraction of the step by which it may miss the old speed. */
const BACK = 0.25;

/** Nights without a machine are taken for those of the machine that later nights name. */
function isOfSame(one: JudgedSeries, other: JudgedSeries): boolean {
  if (one.kind !== 'machine' || other.kind !== 'machine' || one.measure !== other.measure) return false;
  return one.machine === other.machine || [one.machine, other.machine].includes('unknown');
}

interface FoundStep {
  readonly id: string;
  readonly series: JudgedSeries;
  readonly better: Better;
  readonly runId: string;
  readonly at: number;
  readonly event: MachineEvent;
}

function toSighting({ id, series, better, runId, at, event }: FoundStep): Sighting {
  const [change, low, high] = [event.factor - 1, event.low - 1, event.high - 1];
  return {
    ...{ id, series, unit: '', better, at, runId, before: 1, after: event.factor },
    shift: { difference: change, low, high, level: event.level, relative: { change, low, high } },
    // By chance alone, each series would move up or down equally often.
    p: 2 ** (1 - Math.min(event.agreeing, 50)),
    direction: better === 'unknown' ? 'unknown' : change > 0 ? 'worse' : 'better',
    isProvisional: false,
    detector: DETECTOR,
    moved: event.agreeing,
  };
}

/** Values of one measure that moved by the same factor in one night of one machine. */
export interface SharedStep extends NightKey {
  readonly machine: string;
  readonly measure: string;
  readonly event: MachineEvent;
  readonly hasValues: boolean;
  readonly pairs: readonly TestPair[];
  /** Whether the better direction of any series is known; else all are taken for times, and nothing is called worse. */
  readonly isDirected: boolean;
}

/** A series that shows how fast its machine is. */
interface MachineSeries {
  readonly one: SeriesOutcome;
  readonly machine: string;
  readonly measure: string;
  readonly benchmark: string;
  readonly isTest: boolean;
}

/** In the newest values first, then where many series begin a new level at once: nights that were not judged when they were new. */
function sharedSteps(judged: readonly SeriesOutcome[]): readonly SharedStep[] {
  const all = judged.flatMap(machineSeriesOf);
  if (all.length < MACHINE_EVENT_DEFAULTS.minSeries) return [];
  const nightOf = nightsOf(
    all.flatMap((member) => [newestMeasurement(member), ...member.one.steps.map((step) => at(member, step))]),
  );
  return [...newestSteps(all, nightOf), ...olderSteps(all, nightOf)];
}

function machineSeriesOf(one: SeriesOutcome): readonly MachineSeries[] {
  const { series, unit, machine } = one.newest.from;
  const measure = machineMeasure(series, unit);
  if (measure === undefined || machine === undefined) return [];
  return [{ one, machine, measure, benchmark: benchmarkOf(series), isTest: series.kind === 'kpi' }];
}

const at = ({ machine, isTest }: MachineSeries, { runId, at }: NightKey): Measurement => ({
  machine,
  runId,
  at,
  isTest,
});
const newestMeasurement = (member: MachineSeries): Measurement => {
  const { newestRunId, newestAt } = member.one.newest;
  return at(member, { runId: newestRunId, at: newestAt });
};

type NightOf = (measurement: Measurement) => NightKey;

interface Group extends NightKey {
  readonly machine: string;
  readonly measure: string;
  readonly members: MachineSeries[];
  readonly pairs: TestPair[];
  readonly shifts: Map<string, SeriesShift>;
}

/** The group of a night, a machine and a measure. */
function groupOf(groups: Map<string, Group>, night: NightKey, { machine, measure }: MachineSeries): Group {
  const { runId, at } = night;
  const key = JSON.stringify([measure, machine, runId]);
  const group = groups.get(key) ?? {
    ...{ runId, at, machine, measure },
    ...{ members: [], pairs: [], shifts: new Map() },
  };
  groups.set(key, group);
  return group;
}

function newestSteps(all: readonly MachineSeries[], nightOf: NightOf): readonly SharedStep[] {
  const groups = new Map<string, Group>();
  const series = all.map((member) => {
    const { newest } = member.one;
    const measurement = newestMeasurement(member);
    const group = groupOf(groups, nightOf(measurement), member);
    group.members.push(member);
    if (member.isTest && newest.previous) group.pairs.push({ test: measurement, before: newest.previous });
    const scope = JSON.stringify([group.measure, group.machine, group.runId]);
    const better = newest.from.better === 'higher' ? 'higher' : 'lower';
    return { ...newest.input, better, id: scope, scope, benchmark: member.benchmark } as const;
  });
  return judgeMany(series).machines.flatMap(({ scope, ...event }) => {
    const group = groups.get(scope);
    return group ? [toStep(group, event)] : [];
  });
}

function olderSteps(all: readonly MachineSeries[], nightOf: NightOf): readonly SharedStep[] {
  const groups = new Map<string, Group>();
  for (const member of all) {
    for (const step of member.one.steps) {
      const group = groupOf(groups, nightOf(at(member, step)), member);
      const isTurned = member.one.newest.from.better === 'higher';
      group.members.push(member);
      if (member.isTest && step.previous) group.pairs.push({ test: step, before: step.previous });
      group.shifts.set(member.benchmark, {
        logRatio: isTurned ? -step.logRatio : step.logRatio,
        error: step.error,
      });
    }
  }
  return [...groups.values()].flatMap((group) => {
    const { shifts } = group;
    if (shifts.size < MACHINE_EVENT_DEFAULTS.minSeries) return [];
    const event = findMachineEvent([...shifts.values()]);
    const isShared = event && event.agreeing >= MACHINE_EVENT_DEFAULTS.minAgreeing * aliveAt(all, group);
    return event && isShared ? [toStep(group, event)] : [];
  });
}

/** Measurements that had values before and after. */
function aliveAt(all: readonly MachineSeries[], group: Group): number {
  const alive = all.filter(({ one: { newest }, machine, measure }) => {
    const isOfGroup = machine === group.machine && measure === group.measure;
    return isOfGroup && newest.firstAt < group.at && newest.newestAt >= group.at;
  });
  return new Set(alive.map(({ benchmark }) => benchmark)).size;
}

function toStep({ members, shifts: _, ...group }: Group, event: MachineEvent): SharedStep {
  return {
    ...group,
    event,
    hasValues: members.some(({ isTest }) => !isTest),
    isDirected: members.some(({ one }) => one.newest.from.better !== 'unknown'),
  };
}

/** A test that moved, and the one of the same series before it. */
export interface TestPair {
  readonly test: NightKey;
  readonly before: NightKey;
}

/**
 * Whether values moved together on account of their machine. Those of one program may do so since the program changed;
 * where experiments and KPIs moved alike, it was none of them.
 */
async function isOfMachine({ runId, at, hasValues, pairs }: SharedStep, store: Store): Promise<boolean> {
  if (pairs.length === 0) return !(await hasNewCommit(runId, at, store));
  return hasValues || !(await hasNewVersion(pairs, store));
}

/** All series of a single experiment may move together since its source did: that does not point to the machine. */
async function hasNewCommit(runId: string, at: number, store: Store): Promise<boolean> {
  const isImport = (await store.run(runId))?.kind === 'import';
  // Imports of several suites may lie between each other; of nights, the last one counts.
  const query = isImport
    ? ({ limit: IMPORTS_BACK, kind: 'import' } as const)
    : ({ limit: 1, kind: 'night' } as const);
  const before = (await store.latestRuns({ ...query, before: at })).map(({ id }) => id);
  const trials = (await store.trialsOf([runId, ...before])).filter(
    ({ kind, state }) => kind === 'experiment' && state === 'succeeded',
  );
  const here = trials.filter((trial) => trial.runId === runId);
  if (here.length !== 1) return false;
  const [one] = here;
  const ofTask = trials.filter((trial) => trial.runId !== runId && trial.task === one?.task);
  const last = ofTask.sort((a, b) => before.indexOf(a.runId) - before.indexOf(b.runId))[0];
  // An import without a commit may have measured another program.
  if (isImport && Object.keys(one?.commits ?? {}).every((name) => last?.commits[name] === undefined))
    return true;
  return Object.entries(one?.commits ?? {}).some(
    ([name, commit]) => last?.commits[name] !== undefined && last.commits[name] !== commit,
  );
}

const IMPORTS_BACK = 100;

/** Enough to see whether most have one. */
const MOST_PAIRS = 20;

/** KPIs of a matrix are of one program: where most of its tests have another version or image than before, it may be that. */
async function hasNewVersion(pairs: readonly TestPair[], store: Store): Promise<boolean> {
  const compared = pairs.slice(0, MOST_PAIRS);
  let changed = 0;
  for (const { test, before } of compared) {
    const [now, then] = [await versionsOf(test, store), await versionsOf(before, store)];
    const isNew = [...now].some(([name, value]) => then.has(name) && then.get(name) !== value);
    if (isNew) changed++;
  }
  return 2 * changed >= compared.length;
}

async function versionsOf(
  { runId, at }: NightKey,
  store: Store,
): Promise<ReadonlyMap<string, Fact['value']>> {
  const payload = await payloadOf(runId, at, store);
  const facts = payload ? documentFacts(payload) : [];
  return new Map(facts.flatMap(({ group, name, value }) => (group === 'version' ? [[name, value]] : [])));
}
