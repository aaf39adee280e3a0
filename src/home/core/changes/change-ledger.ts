import type { Absentee, ChangeRecord, ChangeState } from './change-record.ts';

/** A change with everything that was said about it since it was found. */
export interface FollowedChange extends ChangeRecord {
  /** When the detector saw it no more, and nobody had said what it is. Absent: it is seen, or somebody spoke. */
  readonly withdrawnAt?: number;
  /** What else changed there, in a sentence: text by others is in it. Empty: nothing that is recorded did. */
  readonly explanation?: string;
  /** What a duet of the two commits said of it. */
  readonly duet?: ChangeDuet;
}

/** The commits on either side of a change, measured at the same moment. */
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

/** What a detector says of a change; all else is said by people. */
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
  /** What else changed at that run; of another run it says nothing. */
  | {
      readonly type: 'explained';
      readonly at: number;
      readonly id: string;
      readonly runId: string;
      readonly sentence: string;
    }
  | ({ readonly type: 'duet'; readonly id: string } & ChangeDuet)
  | ({ readonly type: 'missing' } & Absence)
  /** With a reason it did not come back, but nobody waits for it any more. */
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
      /** How many series were looked at. */
      readonly series: number;
      readonly until: JudgedUntil;
    };

/** inactive: switched off in the definition; gone: none of the last thirty nights, or rounds of its workload, knew it. */
export type ReasonToForget = 'inactive' | 'gone';

/** The newest things there were when series were judged: with newer ones there is something to judge. */
export interface JudgedUntil {
  readonly run: string;
  readonly payloadAt: number;
}

/** What the lines of a ledger say together. */
export interface Ledger {
  readonly changes: ReadonlyMap<string, FollowedChange>;
  /** By the key of the series. */
  readonly absences: ReadonlyMap<string, Absence>;
  readonly until?: JudgedUntil;
}
