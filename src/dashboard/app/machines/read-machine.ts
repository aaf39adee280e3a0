import { thinOut } from '../../../charts/core/thinning.ts';
import type { PointColumns } from '../../../formats/core/sample.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { runFiles } from '../../../home/core/home-layout.ts';
import type { Machine, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { decidingMachineFacts, machineFacts } from '../../../judge/core/explain/flat-facts.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { exactNumber } from '../../../platform/core/text/numbers.ts';
import { median } from '../../../stats/summary.ts';
import type { FactChange, MachineTelemetryView, MachineView, SensorView } from './machine-view.ts';
import type { MachineGroup, MachineRegistry } from './read-machines.ts';

const RECENT = 30;
const EVENTS_READ = 5_000;

/** By name or by any fingerprint of it; undefined when no run took place there. */
export function findMachine({ groups }: MachineRegistry, key: string): MachineGroup | undefined {
  return groups.find(({ line }) => line.key === key) ?? groups.find(({ line }) => line.ids.includes(key));
}

export async function readMachine(
  group: MachineGroup,
  { noise }: MachineRegistry,
  { home, disk, store }: { readonly home: string; readonly disk: Disk; readonly store: Store },
): Promise<MachineView> {
  const { line, runs, newest } = group;
  const { changes, compared } = await factHistory(home, runs, { disk, store });
  return {
    ...line,
    facts: machineFacts(newest.facts),
    history: changes,
    compared,
    noiseOverTime: noise.overTime(runs),
    events: await eventsOf(group, store),
    recent: runs.slice(0, RECENT).map(({ id, label, kind, state, startedAt, endedAt }) => ({
      ...{ id, label, kind, state, startedAt },
      ...(endedAt !== undefined && { endedAt }),
    })),
  };
}

async function eventsOf({ line }: MachineGroup, store: Store): Promise<readonly FollowedChange[]> {
  const names = new Set([line.name, line.key, ...line.ids]);
  const all = await store.changes({ limit: EVENTS_READ });
  return all.filter(({ series }) => series.kind === 'machine' && names.has(series.machine));
}

export interface FactHistory {
  /** Newest first. */
  readonly changes: readonly FactChange[];
  readonly compared: number;
}

const COMPARED = 300;
/** The machine is in the first line of a journal. */
const HEAD_BYTES = 65_536;

/**
 * Where facts of a machine changed from one of its runs to the next: from the journals of the runs, or
 * for runs without one from the index, which only distinguishes fingerprints.
 */
async function factHistory(
  home: string,
  runs: readonly Run[],
  effects: { readonly disk: Disk; readonly store: Store },
): Promise<FactHistory> {
  const changes: FactChange[] = [];
  const oldestFirst = runs.slice(0, COMPARED).toReversed();
  let before: RunFacts | undefined;
  for (const run of oldestFirst) {
    const facts = await factsOf(home, run, effects);
    if (facts === undefined) continue;
    const differing = before ? differences(before, facts) : [];
    if (differing.length > 0)
      changes.push({ at: run.startedAt, runId: run.id, label: run.label, facts: differing });
    before = facts;
  }
  return { changes: changes.reverse(), compared: oldestFirst.length };
}

interface RunFacts {
  readonly values: ReadonlyMap<string, string>;
  /** All facts as they were in the run; otherwise those that make its fingerprint. */
  readonly isWhole: boolean;
}

async function factsOf(
  home: string,
  run: Run,
  { disk, store }: { readonly disk: Disk; readonly store: Store },
): Promise<RunFacts | undefined> {
  const recorded = await recordedFacts(runFiles(home, run.id).journal, disk);
  const machine: Machine | undefined =
    recorded === undefined && run.machineId !== undefined ? await store.machine(run.machineId) : undefined;
  if (recorded === undefined && machine === undefined) return undefined;
  const facts = recorded ? machineFacts(recorded) : decidingMachineFacts(machine?.facts ?? {});
  const named = facts.map(
    ({ name, value, unit }) =>
      [name, typeof value === 'number' ? exactNumber(value, unit) : String(value)] as const,
  );
  return {
    values: new Map([['fingerprint', run.machineId ?? ''], ...named]),
    isWhole: recorded !== undefined,
  };
}

/** Undefined where there is no journal, or an old one. */
async function recordedFacts(journal: string, disk: Disk): Promise<JsonObject | undefined> {
  const ends = await disk.readEnds(journal, { headBytes: HEAD_BYTES, tailBytes: 0 });
  const [line = ''] = (ends?.head ?? '').split('\n', 1);
  try {
    const event: JsonValue = JSON.parse(line);
    const machine = isJsonObject(event) ? event['machine'] : undefined;
    const facts = isJsonObject(machine) ? machine['facts'] : undefined;
    return isJsonObject(facts) ? facts : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function differences(before: RunFacts, after: RunFacts): FactChange['facts'] {
  const names = new Set([...before.values.keys(), ...after.values.keys()]);
  const areWhole = before.isWhole && after.isWhole;
  return [...names].flatMap((name) => {
    const [old, now] = [before.values.get(name), after.values.get(name)];
    const isUnknown = !areWhole && (old === undefined || now === undefined);
    if (old === now || isUnknown) return [];
    return [{ name, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}

const SENSORS = 24;
/** Columns of pixels that a line is thinned out for. */
const PIXELS = 300;
/** The newest runs, searched for telemetry. */
const SEARCHED_RUNS = 20;

/** What was recorded in the run that is named, or else in the newest one with telemetry. */
export async function readMachineTelemetry(
  { runs }: MachineGroup,
  runId: string | undefined,
  store: Store,
): Promise<MachineTelemetryView | undefined> {
  const wanted = runs.filter(({ id }) => runId === undefined || id === runId).slice(0, SEARCHED_RUNS);
  for (const { id } of wanted) {
    const columns = await store.pointsOf(id);
    if (columns.length === 0) continue;
    // What moves most comes first: most sensors of a machine never change.
    const sensors = columns.map(toSensor).sort((a, b) => relativeRange(b) - relativeRange(a));
    return { runId: id, sensors: sensors.slice(0, SENSORS), hidden: Math.max(0, sensors.length - SENSORS) };
  }
  return undefined;
}

function toSensor({ name, tags, unit, times, values }: PointColumns): SensorView {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const width = last - first || 1;
  const pixels = times.map((time) => ((time - first) / width) * PIXELS);
  const kept = thinOut(pixels, values);
  const numbers = values.filter(Number.isFinite);
  return {
    ...{ name, tags, unit, points: numbers.length },
    low: numbers.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    high: numbers.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY),
    median: numbers.length > 0 ? median(numbers) : 0,
    times: kept.map((place) => times[place] ?? 0),
    values: kept.map((place) => values[place] ?? 0),
  };
}

/** How far it moves, against its height. */
function relativeRange({ low, high, median: middle }: SensorView): number {
  return (high - low) / (Math.abs(middle) || 1);
}
