import type { NewestVerdict } from '../levels/levels.ts';
import { isSuspicion } from './confirm.ts';
import {
  judgePrepared,
  measureDistance,
  type NewestInput,
  type NewestOptions,
  type PreparedNewest,
  prepareNewest,
} from './judge-newest.ts';
import {
  findMachineEvent,
  type MachineEvent,
  type MachineEventOptions,
  type SeriesShift,
} from './machine-events.ts';
import type { NoisePrior } from './value-noise.ts';

/** A series beside those that share its machine. */
export interface MachineMember {
  readonly series: NewestInput & {
    /** Series of the same scope are moved together by their machine. */
    readonly scope?: string;
    readonly benchmark?: string;
  };
  readonly prepared: PreparedNewest;
  readonly prior: NoisePrior;
  /** What it looks like by itself. */
  readonly alone: NewestVerdict;
}

export interface BesideOptions {
  readonly newest: Partial<NewestOptions>;
  readonly machine: Partial<MachineEventOptions>;
}

export interface BesideMachine {
  /** In the order given. */
  readonly verdicts: readonly NewestVerdict[];
  readonly machines: readonly (MachineEvent & { readonly scope: string })[];
}

/** Removes the shift of a machine from each of its series, and judges what is left. */
export function judgeBesideMachine(
  members: readonly MachineMember[],
  { newest, machine }: BesideOptions,
): BesideMachine {
  const machines = new Map<string, MachineEvent>();
  for (const [scope, own] of byScope(members)) {
    const event = findMachineEvent(shiftsByBenchmark(own), machine);
    if (event !== undefined) machines.set(scope, event);
  }
  const verdicts = members.map((member) => {
    const { scope } = member.series;
    const event = scope === undefined ? undefined : machines.get(scope);
    return event === undefined ? member.alone : withoutMachine(member, event, newest);
  });
  return { verdicts, machines: [...machines].map(([scope, event]) => ({ ...event, scope })) };
}

function byScope(members: readonly MachineMember[]): ReadonlyMap<string, readonly MachineMember[]> {
  const scopes = new Map<string, MachineMember[]>();
  for (const member of members) {
    const { scope } = member.series;
    if (scope === undefined) continue;
    const known = scopes.get(scope);
    if (known) known.push(member);
    else scopes.set(scope, [member]);
  }
  return scopes;
}

/** The most precise series of each benchmark represents it. */
function shiftsByBenchmark(members: readonly MachineMember[]): readonly SeriesShift[] {
  const byBenchmark = new Map<string, SeriesShift>();
  members.forEach((member, place) => {
    const key = member.series.benchmark ?? `${place}`;
    const shift = shiftOf(member);
    if (shift && shift.error < (byBenchmark.get(key)?.error ?? Number.POSITIVE_INFINITY))
      byBenchmark.set(key, shift);
  });
  return [...byBenchmark.values()];
}

/** Only values above 0 have a ratio, and only a known direction says which way a slower machine moves them. */
function shiftOf({ series, prepared: { placed }, prior }: MachineMember): SeriesShift | undefined {
  if (placed === undefined || !placed.measure.isRatio || series.better === 'unknown') return undefined;
  const { distance, error } = measureDistance(placed, prior);
  return { logRatio: series.better === 'higher' ? -distance : distance, error };
}

function withoutMachine(
  { series, prior, alone }: MachineMember,
  event: MachineEvent,
  newest: Partial<NewestOptions>,
): NewestVerdict {
  if (alone.p === undefined || series.better === 'unknown') return alone;
  const factor = series.better === 'higher' ? 1 / event.factor : event.factor;
  const rest = prepareNewest({ ...series, newest: series.newest.map((value) => value / factor) });
  const left = judgePrepared(rest, { ...newest, prior });
  const size = `${((event.factor - 1) * 100).toFixed(1)} %`;
  const note = `The machine moved by ${size}; what is reported here is beyond that.`;
  if (isSuspicion(alone) || !isSuspicion(left)) return { ...left, notes: [...left.notes, note] };
  // It stood still while the others moved, as one that waits for a disk does: no reason to call it changed.
  return { ...alone, notes: [...alone.notes, `It did not move with its machine, which moved by ${size}.`] };
}
