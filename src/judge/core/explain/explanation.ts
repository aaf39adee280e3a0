export type FactValue = string | number | boolean;

/** Where a fact comes from; the sentence on top treats sources apart. */
export type FactGroup =
  | 'setting'
  | 'source'
  | 'machine'
  | 'version'
  | 'environment'
  | 'telemetry'
  | 'warning';

/** Something that was recorded beside one value of a series. */
export interface Fact {
  readonly group: FactGroup;
  readonly name: string;
  readonly value: FactValue;
  readonly unit?: string;
}

/** One fact over all points of a series; undefined where it was not recorded. */
export interface FactColumn {
  readonly group: FactGroup;
  readonly name: string;
  readonly unit?: string;
  readonly values: readonly (FactValue | undefined)[];
}

/** A fact on both sides of a change; for telemetry the middle values of both levels. */
export interface ChangedFact {
  readonly group: FactGroup;
  readonly name: string;
  readonly unit?: string;
  readonly before: FactValue;
  readonly after: FactValue;
}

/**
 * How well it goes with the change: `poor` where it also changes without any effect, or has a new value so often that
 * nothing is known.
 */
export type Fit = 'good' | 'partly' | 'poor';

/** What changed where the series changed. An association, never a proof. */
export interface Cause {
  /** Several where they changed together throughout the series, so that no history can distinguish them. */
  readonly facts: readonly [ChangedFact, ...ChangedFact[]];
  /** From 0 to 1: how well it splits the series, less for each change of it that had no effect. */
  readonly score: number;
  readonly fit: Fit;
  /** Points by which it came later (or earlier, if negative) than the change. */
  readonly offset: number;
  /** Further places where it changed: those where the series changed too, and those where it did not. */
  readonly elsewhere: { readonly withEffect: number; readonly without: number };
}

/** What changed at a change, and how much did not. */
export interface RankedCauses {
  /** Best first. */
  readonly causes: readonly Cause[];
  /** Facts that are the same on both sides. */
  readonly unchanged: number;
  /** Facts that are recorded on one side only. */
  readonly unknown: number;
}

/** One commit between both sides. All of it is text by others. */
export interface ExplainedCommit {
  readonly hash: string;
  readonly subject: string;
  readonly author: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly link?: string;
}

/** A source that was measured at another commit. */
export interface SourceChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** What lies between; absent where the repository is missing. */
  readonly between?: {
    /** Commits that came, and those that went: a history that was rewritten, or a step back. */
    readonly added: number;
    readonly removed: number;
    /** The newest of those that came (or went, where none came). */
    readonly commits: readonly ExplainedCommit[];
    readonly link?: string;
  };
}

/** Why a series may have changed. Plain data: JSON.stringify gives the form for programs. */
export interface Explanation extends RankedCauses {
  /** One line for people, control characters made visible. */
  readonly sentence: string;
  readonly sources: readonly SourceChange[];
  /** Points of the series that facts were gathered for. */
  readonly points: number;
  /** What could not be read, one sentence each. */
  readonly notes: readonly string[];
}
