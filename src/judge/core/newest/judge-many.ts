import { adjustedPValues } from '../../../stats/false-discovery.ts';
import type { NewestVerdict } from '../levels/levels.ts';
import { isSuspicion } from './confirm.ts';
import {
  compareNewest,
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

/** One of many series that got a new value in the same run. */
export interface ManySeries<Id> extends NewestInput {
  readonly id: Id;
  /** Series of the same scope are moved together by their machine, such as all times on it; absent: none are. */
  readonly scope?: string;
  /** Series of one measurement, such as its mean and its median, count once for what the machine did. */
  readonly benchmark?: string;
}

export interface ManyOptions extends Partial<NewestOptions> {
  /** Fraction of the reported changes that may be false. */
  readonly falseDiscoveries?: number;
  readonly machine?: Partial<MachineEventOptions>;
}

export interface JudgedMany<Id> {
  /** In the order given. */
  readonly verdicts: readonly (NewestVerdict & { readonly id: Id; readonly isHeldBack: boolean })[];
  readonly machines: readonly (MachineEvent & { readonly scope: string })[];
  /** Every series is one of these. */
  readonly counts: {
    readonly reported: number;
    /** Look changed, but among so many series some do by chance. */
    readonly heldBack: number;
    readonly same: number;
    readonly undecided: number;
    /** Too little history or no value. */
    readonly notJudged: number;
  };
}

/** Default for the fraction of reported changes that may be false. */
export const FALSE_DISCOVERIES = 0.05;

/** Judges the newest values of many series, so that few of the changes it reports are false. */
export function judgeMany<Id>(series: readonly ManySeries<Id>[], options: ManyOptions = {}): JudgedMany<Id> {
  const { falseDiscoveries = FALSE_DISCOVERIES, machine = {}, ...newest } = options;
  const alone = series.map((one) => judgeNewest(one, newest));
  const { verdicts: found, machines } = judgeBesideMachine({ series, alone }, { newest, machine });
  const adjusted = adjustedPValues(found.map(({ p }) => p));
  const verdicts = found.map((verdict, place) => {
    const id = (series[place] as ManySeries<Id>).id; // verdicts are as many as series
    const isHeldBack = isSuspicion(verdict) && (adjusted[place] ?? 1) > falseDiscoveries;
    return { ...(isHeldBack ? heldBack(verdict, series.length) : verdict), id, isHeldBack };
  });
  return { verdicts, machines, counts: countOf(verdicts) };
}

function heldBack(verdict: NewestVerdict, count: number): NewestVerdict {
  const note = `Held back: among ${count} series one may look like this by chance.`;
  return { ...verdict, verdict: 'undecided', notes: [...verdict.notes, note] };
}

function countOf(
  verdicts: readonly (NewestVerdict & { readonly isHeldBack: boolean })[],
): JudgedMany<unknown>['counts'] {
  const counts = { reported: 0, heldBack: 0, same: 0, undecided: 0, notJudged: 0 };
  for (const verdict of verdicts) {
    if (verdict.p === undefined) counts.notJudged++;
    else if (verdict.isHeldBack) counts.heldBack++;
    else if (isSuspicion(verdict)) counts.reported++;
    else if (verdict.verdict === 'same') counts.same++;
    else counts.undecided++;
  }
  return counts;
}

/** A series with the scope in which a machine moves its values together. */
interface ScopedSeries extends NewestInput {
  readonly scope?: string;
  readonly benchmark?: string;
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

/** Removes the shift of a machine from each of its series, and judges what is left. */
function judgeBesideMachine({ series, alone }: BesideInput, options: BesideOptions): BesideMachine {
  const scopes = new Map<string, number[]>();
  series.forEach(({ scope }, place) => {
    if (scope !== undefined) scopes.set(scope, [...(scopes.get(scope) ?? []), place]);
  });
  const verdicts = [...alone];
  const machines: (MachineEvent & { readonly scope: string })[] = [];
  for (const [scope, places] of scopes) {
    const members = places.map((place) => series[place] as ScopedSeries); // places come from series
    const event = findMachineEvent(shiftsByBenchmark(members), options.machine);
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

/** The most precise series of each benchmark represents it. */
function shiftsByBenchmark(members: readonly ScopedSeries[]): readonly SeriesShift[] {
  const byBenchmark = new Map<string, SeriesShift>();
  members.forEach((member, place) => {
    const key = member.benchmark ?? `${place}`;
    for (const shift of shiftOf(member))
      if (shift.error < (byBenchmark.get(key)?.error ?? Number.POSITIVE_INFINITY))
        byBenchmark.set(key, shift);
  });
  return [...byBenchmark.values()];
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
  const note = `The machine moved by ${size}; what is reported here is beyond that.`;
  if (isSuspicion(raw) || !isSuspicion(left)) return { ...left, notes: [...left.notes, note] };
  // It stood still while the others moved, as one that waits for a disk does: no reason to call it changed.
  return { ...raw, notes: [...raw.notes, `It did not move with its machine, which moved by ${size}.`] };
}
