import type { Side } from '../../git/core/version-pairs.ts';

/** Which side is started first. */
export type DuetOrder = 'AB' | 'BA';
/** duet: both at once; syncduet: both at once, iterations held together by a barrier; seqn: one side alone. */
export type DuetRunType = 'duet' | 'syncduet' | 'seqn';

/** A duet.yml with defaults filled in and inheritance resolved. */
export interface DuetSuite {
  readonly name: string;
  readonly verbose: boolean;
  /** Absent: every run draws its own; 0 is a seed. */
  readonly seed?: number;
  /** `docker_command` of this file; absent: docker. */
  readonly engine?: string;
  /** Commands whose output is kept in artifacts/, by name, in the order of the file. */
  readonly artifacts: readonly DuetArtifact[];
  readonly schedule: 'sequential' | 'randomized_interleaving_trials';
  readonly benchmarks: readonly DuetBenchmark[];
}

export interface DuetArtifact {
  readonly name: string;
  readonly command: string;
}

/** One entry of `duets`. */
export interface DuetBenchmark {
  readonly name: string;
  /** Selects how results are read; part of the names of result files. */
  readonly suite: string;
  readonly type: 'A-A' | 'A-B';
  readonly removeContainers: boolean;
  readonly duetRepetitions: number;
  readonly syncduetRepetitions: number;
  readonly sequentialRepetitions: number;
  /** random: drawn for each run; swap: AB, BA, AB ...; in_order: always AB. */
  readonly order: 'random' | 'swap' | 'in_order';
  readonly timeoutMs?: number;
  readonly sides: Readonly<Record<Side, DuetSide>>;
}

export interface DuetSide {
  /** Absent: a process on this machine, in a folder of its own. */
  readonly image?: string;
  /** Files or folders to fetch after each run. */
  readonly results: readonly string[];
  /** Run by bash -c. */
  readonly command: string;
  /** The same for synchronised runs; every `$$` becomes the name of the barrier. */
  readonly syncCommand?: string;
}

/** One entry of the plan: a pair (with its order), or one side alone. */
export type PlannedRun =
  | {
      readonly type: 'duet' | 'syncduet';
      readonly benchmark: string;
      readonly runid: number;
      readonly order: DuetOrder;
    }
  | { readonly type: 'seqn'; readonly benchmark: string; readonly runid: number; readonly pair: Side };

/** What the name of a result file says. */
export interface ResultName {
  readonly suite: string;
  readonly benchmark: string;
  readonly runid: number;
  readonly type: DuetRunType;
  readonly order: DuetOrder | 'None';
  readonly pair: Side;
  /** Base name of the path it was fetched from. */
  readonly file: string;
}
