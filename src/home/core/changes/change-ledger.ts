import { type Absentee, type ChangeRecord, type ChangeState, type SourceRange, seriesKey } from './change.ts';
import { lacksDirection } from './direction.ts';

/** A change with its reviews, explanation and duet since it was found. */
export interface FollowedChange extends ChangeRecord {
  /** When the detector no longer found it, and it was not reviewed. Absent: it is found, or reviewed. */
  readonly withdrawnAt?: number;
  /** What else changed there, in a sentence: text by others is in it. Empty: nothing that is recorded did. */
  readonly explanation?: string;
  /** The commits that it may be of; absent: not looked up, or no source changed. */
  readonly sources?: readonly SourceRange[];
  /** The result of a duet of the two commits. */
  readonly duet?: ChangeDuet;
}

/** The commits on either side of a change, measured at the same time. */
export interface ChangeDuet {
  readonly at: number;
  /** withdrawn: the two commits are the same; unclear: too much noise, or another direction than the change had. */
  readonly state: 'confirmed' | 'withdrawn' | 'unclear';
  readonly source: string;
  readonly before: string;
  readonly after: string;
  readonly pairs: number;
  /** What was compared; absent: the time of the run command. */
  readonly metric?: string;
  /** Its value at `after` over that at `before`, with an interval. */
  readonly effect?: { readonly ratio: number; readonly low: number; readonly high: number };
}

/** What a detector reports of a change; the other fields are set by reviews. */
export type Sighting = Omit<ChangeRecord, 'foundAt' | 'state' | 'note' | 'author' | 'triagedAt'>;

/** A series that stopped coming while others go on, or a whole experiment or workload. */
export interface Absence {
  readonly series: Absentee;
  /** Its newest value. */
  readonly lastAt: number;
  readonly lastRunId: string;
  /** When it was noticed. */
  readonly at: number;
  /** Of an experiment or a workload: how many series came last. */
  readonly count?: number;
}

/** One line of HOME/.nightmark/changes.ndjson. `at` is when it was written: milliseconds since 1970. */
export type ChangeEvent =
  /** Seen for the first time, or again after it was withdrawn. */
  | { readonly type: 'found'; readonly at: number; readonly change: Sighting }
  /** Begins at another run, or is of another size, than was known. */
  | { readonly type: 'moved'; readonly at: number; readonly change: Sighting }
  /** Enough values have come: it is provisional no more. */
  | { readonly type: 'confirmed'; readonly at: number; readonly change: Sighting }
  | { readonly type: 'withdrawn'; readonly at: number; readonly id: string; readonly reason: string }
  | {
      readonly type: 'triaged';
      readonly at: number;
      readonly id: string;
      readonly state: ChangeState;
      readonly note?: string;
      readonly author?: string;
    }
  /** The good direction of its series became known, or was declared to be another one. */
  | ({
      readonly type: 'directed';
      readonly at: number;
      readonly id: string;
    } & Pick<ChangeRecord, 'better' | 'betterFrom' | 'direction'>)
  /** What else changed at that run; it does not hold for another run. */
  | {
      readonly type: 'explained';
      readonly at: number;
      readonly id: string;
      readonly runId: string;
      readonly sentence: string;
    }
  /** The commits between both sides of it; they do not hold for another run. */
  | {
      readonly type: 'commits';
      readonly at: number;
      readonly id: string;
      readonly runId: string;
      readonly sources: readonly SourceRange[];
    }
  | ({ readonly type: 'duet'; readonly id: string } & ChangeDuet)
  | ({ readonly type: 'missing' } & Absence)
  /** With a reason: it did not come back, but is no longer expected. */
  | {
      readonly type: 'returned';
      readonly at: number;
      readonly series: Absentee;
      readonly reason?: ReasonToForget;
    }
  | {
      readonly type: 'judged';
      readonly at: number;
      readonly detector: string;
      /** How many series were judged. */
      readonly series: number;
      readonly until: JudgedUntil;
    };

/** inactive: switched off in the definition; gone: in none of the last thirty nights, or rounds of its workload. */
export type ReasonToForget = 'inactive' | 'gone';

/** The newest things there were when series were judged: with newer ones there is something to judge. */
export interface JudgedUntil {
  readonly run: string;
  readonly payloadAt: number;
}

/** The state that the lines of a ledger make. */
export interface Ledger {
  readonly changes: ReadonlyMap<string, FollowedChange>;
  /** By the key of the series. */
  readonly absences: ReadonlyMap<string, Absence>;
  readonly until?: JudgedUntil;
}

/** Whether it waits for a review: it is neither expected, fixed nor false. */
export function isOpen({ state, withdrawnAt }: FollowedChange): boolean {
  return (state === 'new' || state === 'confirmed') && withdrawnAt === undefined;
}

/** An open change of a series that is for the worse. */
export function isOpenRegression(change: FollowedChange): boolean {
  return isOpen(change) && isRegression(change);
}

/** For the worse, surely beyond the smallest effect of interest, and not the doing of a machine. */
export function isRegression({
  direction,
  series,
  isLikely,
}: Pick<FollowedChange, 'direction' | 'series' | 'isLikely'>): boolean {
  return direction === 'worse' && series.kind !== 'machine' && !isLikely;
}

/** A change of a machine that is not reviewed yet. */
export function isOpenMachineEvent(change: FollowedChange): boolean {
  return isOpen(change) && change.series.kind === 'machine';
}

/** An open change of a series whose good direction is unknown. */
export function isOpenUnknown(change: FollowedChange): boolean {
  return isOpen(change) && isUndirected(change);
}

/** Nobody can say whether it is for the worse; series that were declared to have no direction are not meant. */
export function isUndirected(change: Pick<FollowedChange, 'better' | 'betterFrom' | 'series'>): boolean {
  return lacksDirection(change) && change.series.kind !== 'machine';
}

/** A ledger to which lines are added. */
export interface GrowingLedger extends Ledger {
  readonly changes: Map<string, FollowedChange>;
  readonly absences: Map<string, Absence>;
  /** Ids by the key of the series. */
  readonly bySeries: Map<string, string[]>;
  until?: JudgedUntil;
}

export function emptyLedger(): GrowingLedger {
  return { changes: new Map(), absences: new Map(), bySeries: new Map() };
}

/**
 * Adds one line. Lines of two writers may come in any order: a detector never undoes a review, and a line about an
 * unknown change is ignored.
 */
export function addEvent(ledger: GrowingLedger, event: ChangeEvent): void {
  switch (event.type) {
    case 'found':
    case 'moved':
    case 'confirmed':
      sight(ledger, event.change, event.at);
      return;
    case 'withdrawn':
      update(ledger, event.id, (change) =>
        change.state === 'new' ? { ...change, withdrawnAt: event.at } : change,
      );
      return;
    case 'directed':
      update(ledger, event.id, (change) => directed(change, event));
      return;
    case 'triaged':
      update(ledger, event.id, (change) => triaged(change, event));
      return;
    case 'duet': {
      const { type: _, id, ...duet } = event;
      update(ledger, id, (change) => measured(change, duet));
      return;
    }
    case 'explained':
      update(ledger, event.id, (change) =>
        change.runId === event.runId ? { ...change, explanation: event.sentence } : change,
      );
      return;
    case 'commits':
      update(ledger, event.id, (change) =>
        change.runId === event.runId ? { ...change, sources: event.sources } : change,
      );
      return;
    case 'missing': {
      const { type: _, ...absence } = event;
      ledger.absences.set(seriesKey(event.series), absence);
      return;
    }
    case 'returned':
      ledger.absences.delete(seriesKey(event.series));
      return;
    case 'judged':
      ledger.until = event.until;
  }
}

function sight(ledger: GrowingLedger, seen: Sighting, at: number): void {
  const known = ledger.changes.get(seen.id);
  if (!known) {
    const key = seriesKey(seen.series);
    const ids = ledger.bySeries.get(key);
    if (ids) ids.push(seen.id);
    else ledger.bySeries.set(key, [seen.id]);
    ledger.changes.set(seen.id, { ...seen, foundAt: at, state: 'new' });
    return;
  }
  const { withdrawnAt: _1, isLikely: _2, sureRunId: _3, explanation, sources, ...kept } = known;
  // At another run other things changed, and more values explain more.
  const isCertain = known.duet?.state === 'confirmed' && known.runId === seen.runId;
  const isStill = known.runId === seen.runId && known.isProvisional === seen.isProvisional;
  ledger.changes.set(seen.id, {
    ...kept,
    ...seen,
    ...(isCertain && { isProvisional: false }),
    ...(isStill && explanation !== undefined && { explanation }),
    ...(isSamePlace(known, seen) && sources && { sources }),
  });
}

function isSamePlace(known: FollowedChange, seen: Sighting): boolean {
  return (
    known.runId === seen.runId && known.lastRunId === seen.lastRunId && known.sureRunId === seen.sureRunId
  );
}

function update(
  { changes }: GrowingLedger,
  id: string,
  change: (known: FollowedChange) => FollowedChange,
): void {
  const known = changes.get(id);
  if (known) changes.set(id, change(known));
}

function directed(
  { betterFrom: _, ...change }: FollowedChange,
  { better, betterFrom, direction }: Extract<ChangeEvent, { type: 'directed' }>,
): FollowedChange {
  return { ...change, better, direction, ...(betterFrom !== undefined && { betterFrom }) };
}

/** A duet makes a young change certain, or takes it back; one that many values show stays, for another reason. */
function measured(change: FollowedChange, duet: ChangeDuet): FollowedChange {
  if (duet.state === 'confirmed') return { ...change, duet, isProvisional: false };
  const isWithdrawn = duet.state === 'withdrawn' && change.isProvisional && change.state === 'new';
  return { ...change, duet, ...(isWithdrawn && { withdrawnAt: duet.at }) };
}

/** The newest review replaces the earlier ones: a note of an earlier state does not hold for this one. */
function triaged(
  { note: _1, author: _2, withdrawnAt: _3, ...change }: FollowedChange,
  { state, note, author, at }: Extract<ChangeEvent, { type: 'triaged' }>,
): FollowedChange {
  return {
    ...change,
    state,
    triagedAt: at,
    ...(note !== undefined && { note }),
    ...(author !== undefined && { author }),
  };
}
