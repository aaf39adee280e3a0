import type {
  Absence,
  ChangeDuet,
  ChangeEvent,
  FollowedChange,
  JudgedUntil,
  Ledger,
  Sighting,
} from './change-ledger.ts';
import { seriesKey } from './series-key.ts';

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
 * Takes in one line. Lines of two writers may come in any order: what a person said is never undone by a detector, and
 * what is said of something unknown is passed over.
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
  const { withdrawnAt: _, explanation, ...kept } = known;
  // At another place other things changed, and with more values more can be told.
  const isCertain = known.duet?.state === 'confirmed' && known.runId === seen.runId;
  const isStill = known.runId === seen.runId && known.isProvisional === seen.isProvisional;
  ledger.changes.set(seen.id, {
    ...kept,
    ...seen,
    ...(isCertain && { isProvisional: false }),
    ...(isStill && explanation !== undefined && { explanation }),
  });
}

function update(
  { changes }: GrowingLedger,
  id: string,
  change: (known: FollowedChange) => FollowedChange,
): void {
  const known = changes.get(id);
  if (known) changes.set(id, change(known));
}

/** A duet makes a young change certain, or takes it back; one that many values show stays, for another reason. */
function measured(change: FollowedChange, duet: ChangeDuet): FollowedChange {
  if (duet.state === 'confirmed') return { ...change, duet, isProvisional: false };
  const isWithdrawn = duet.state === 'withdrawn' && change.isProvisional && change.state === 'new';
  return { ...change, duet, ...(isWithdrawn && { withdrawnAt: duet.at }) };
}

/** The newest word counts whole: a note of an earlier state says nothing about this one. */
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
