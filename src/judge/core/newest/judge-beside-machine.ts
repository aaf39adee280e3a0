import type { NewestVerdict } from '../levels/levels.ts';
import { compareNewest } from './compare-newest.ts';
import { isSuspicion } from './confirm.ts';
import {
  judgeNewest,
  LEAST_HISTORY,
  NEWEST_WINDOW,
  type NewestInput,
  type NewestOptions,
} from './judge-newest.ts';
import {
  findMachineEvent,
  type MachineEvent,
  type MachineEventOptions,
  type SeriesShift,
} from './machine-events.ts';

/** A series with the scope in which a machine moves its values together. */
interface ScopedSeries extends NewestInput {
  readonly scope?: string;
  readonly voice?: string;
}

export interface BesideInput {
  readonly series: readonly ScopedSeries[];
  /** What each looks like by itself. */
  readonly alone: readonly NewestVerdict[];
}

export interface BesideOptions {
  readonly newest: Partial<NewestOptions>;
  readonly machine: Partial<MachineEventOptions>;
}

export interface BesideMachine {
  readonly verdicts: readonly NewestVerdict[];
  readonly machines: readonly (MachineEvent & { readonly scope: string })[];
}

/** Takes what a machine did to all of its series out of each, and judges what is left. */
export function judgeBesideMachine({ series, alone }: BesideInput, options: BesideOptions): BesideMachine {
  const scopes = new Map<string, number[]>();
  series.forEach(({ scope }, place) => {
    if (scope !== undefined) scopes.set(scope, [...(scopes.get(scope) ?? []), place]);
  });
  const verdicts = [...alone];
  const machines: (MachineEvent & { readonly scope: string })[] = [];
  for (const [scope, places] of scopes) {
    const members = places.map((place) => series[place] as ScopedSeries); // places come from series
    const event = findMachineEvent(voicesOf(members), options.machine);
    if (event === undefined) continue;
    machines.push({ ...event, scope });
    for (const place of places)
      verdicts[place] = withoutMachine(
        { one: series[place] as ScopedSeries, raw: alone[place] as NewestVerdict }, // as above
        { event, newest: options.newest },
      );
  }
  return { verdicts, machines };
}

/** The most precise series of each measurement speaks for it. */
function voicesOf(members: readonly ScopedSeries[]): readonly SeriesShift[] {
  const voices = new Map<string, SeriesShift>();
  members.forEach((member, place) => {
    const key = member.voice ?? `${place}`;
    for (const shift of shiftOf(member))
      if (shift.error < (voices.get(key)?.error ?? Number.POSITIVE_INFINITY)) voices.set(key, shift);
  });
  return [...voices.values()];
}

/** Only values above 0 have a ratio, and only a known direction says which way a slower machine moves them. */
function shiftOf({ history, newest, better }: ScopedSeries) {
  const past = history.filter(Number.isFinite).slice(-NEWEST_WINDOW);
  const now = newest.filter(Number.isFinite);
  const isPositive = past.every((value) => value > 0) && now.every((value) => value > 0);
  if (past.length < LEAST_HISTORY || now.length === 0 || !isPositive || better === 'unknown') return [];
  const { distance, error } = compareNewest(past, now);
  return [{ logRatio: better === 'higher' ? -distance : distance, error }];
}

interface Member {
  readonly one: ScopedSeries;
  readonly raw: NewestVerdict;
}

function withoutMachine(
  { one, raw }: Member,
  { event, newest }: { readonly event: MachineEvent; readonly newest: Partial<NewestOptions> },
): NewestVerdict {
  if (raw.p === undefined || one.better === 'unknown') return raw;
  const factor = one.better === 'higher' ? 1 / event.factor : event.factor;
  const left = judgeNewest({ ...one, newest: one.newest.map((value) => value / factor) }, newest);
  const size = `${((event.factor - 1) * 100).toFixed(1)} %`;
  const note = `The machine moved by ${size}; what is told is beyond that.`;
  if (isSuspicion(raw) || !isSuspicion(left)) return { ...left, notes: [...left.notes, note] };
  // It stood still while the others moved, as one that waits for a disk does: no reason to call it changed.
  return { ...raw, notes: [...raw.notes, `It did not move with its machine, which moved by ${size}.`] };
}
