import { benchmarkOf, machineMeasure } from '../../core/changes/machine-part.ts';
import { type Moment, type NightKey, nightsOf } from '../../core/changes/night-of.ts';
import { judgeMany } from '../../core/newest/judge-many.ts';
import {
  findMachineEvent,
  MACHINE_EVENT_DEFAULTS,
  type MachineEvent,
  type SeriesShift,
} from '../../core/newest/machine-events.ts';
import type { TestPair } from './is-of-machine.ts';
import type { JudgedOne } from './judge-one.ts';

/** Values of one measure that moved by the same factor in one night of one machine. */
export interface SharedStep extends NightKey {
  readonly machine: string;
  readonly measure: string;
  readonly event: MachineEvent;
  readonly hasValues: boolean;
  readonly pairs: readonly TestPair[];
  /** Whether of any series it is known which way is good; else all are taken for times, and nothing is called worse. */
  readonly isDirected: boolean;
}

/** A series that can tell of its machine. */
interface Voice {
  readonly one: JudgedOne;
  readonly machine: string;
  readonly measure: string;
  readonly benchmark: string;
  readonly isTest: boolean;
}

/** In the newest values first, then where many series begin a new level at once: nights that nobody judged when they were new. */
export function sharedSteps(judged: readonly JudgedOne[]): readonly SharedStep[] {
  const voices = judged.flatMap(voiceOf);
  const nightOf = nightsOf(
    voices.flatMap((voice) => [newestMoment(voice), ...voice.one.steps.map((step) => at(voice, step))]),
  );
  return [...newestSteps(voices, nightOf), ...olderSteps(voices, nightOf)];
}

function voiceOf(one: JudgedOne): readonly Voice[] {
  const { series, unit, machine } = one.newest.from;
  const measure = machineMeasure(series, unit);
  if (measure === undefined || machine === undefined) return [];
  return [{ one, machine, measure, benchmark: benchmarkOf(series), isTest: series.kind === 'kpi' }];
}

const at = ({ machine, isTest }: Voice, { runId, at }: NightKey): Moment => ({ machine, runId, at, isTest });
const newestMoment = (voice: Voice): Moment => {
  const { newestRunId, newestAt } = voice.one.newest;
  return at(voice, { runId: newestRunId, at: newestAt });
};

type NightOf = (moment: Moment) => NightKey;

interface Group extends NightKey {
  readonly machine: string;
  readonly measure: string;
  readonly members: Voice[];
  readonly pairs: TestPair[];
  readonly shifts: Map<string, SeriesShift>;
}

/** The group of a night, a machine and a measure. */
function groupOf(groups: Map<string, Group>, night: NightKey, { machine, measure }: Voice): Group {
  const { runId, at } = night;
  const key = JSON.stringify([measure, machine, runId]);
  const group = groups.get(key) ?? {
    ...{ runId, at, machine, measure },
    ...{ members: [], pairs: [], shifts: new Map() },
  };
  groups.set(key, group);
  return group;
}

function newestSteps(voices: readonly Voice[], nightOf: NightOf): readonly SharedStep[] {
  const groups = new Map<string, Group>();
  const series = voices.map((voice) => {
    const { newest } = voice.one;
    const moment = newestMoment(voice);
    const group = groupOf(groups, nightOf(moment), voice);
    group.members.push(voice);
    if (voice.isTest && newest.previous) group.pairs.push({ test: moment, before: newest.previous });
    const scope = JSON.stringify([group.measure, group.machine, group.runId]);
    const better = newest.from.better === 'higher' ? 'higher' : 'lower';
    return { ...newest.input, better, id: scope, scope, voice: voice.benchmark } as const;
  });
  return judgeMany(series).machines.flatMap(({ scope, ...event }) => {
    const group = groups.get(scope);
    return group ? [toStep(group, event)] : [];
  });
}

function olderSteps(voices: readonly Voice[], nightOf: NightOf): readonly SharedStep[] {
  const groups = new Map<string, Group>();
  for (const voice of voices) {
    for (const step of voice.one.steps) {
      const group = groupOf(groups, nightOf(at(voice, step)), voice);
      const isTurned = voice.one.newest.from.better === 'higher';
      group.members.push(voice);
      if (voice.isTest && step.previous) group.pairs.push({ test: step, before: step.previous });
      group.shifts.set(voice.benchmark, {
        logRatio: isTurned ? -step.logRatio : step.logRatio,
        error: step.error,
      });
    }
  }
  return [...groups.values()].flatMap((group) => {
    const { shifts } = group;
    if (shifts.size < MACHINE_EVENT_DEFAULTS.minSeries) return [];
    const event = findMachineEvent([...shifts.values()]);
    const isShared = event && event.agreeing >= MACHINE_EVENT_DEFAULTS.minAgreeing * aliveAt(voices, group);
    return event && isShared ? [toStep(group, event)] : [];
  });
}

/** Measurements that had values before and after. */
function aliveAt(voices: readonly Voice[], group: Group): number {
  const alive = voices.filter(({ one: { newest }, machine, measure }) => {
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
