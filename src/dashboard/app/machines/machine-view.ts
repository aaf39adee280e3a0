import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Fact } from '../../../judge/core/explain/explanation.ts';

/** The machines that runs were measured on. */
export interface MachinesView {
  /** The one of the newest run first. */
  readonly machines: readonly MachineLine[];
  /** Runs that were read: the newest. */
  readonly runs: number;
  /** Runs whose machine is unknown. */
  readonly unknown: number;
  /** Series that the noise is computed from, of all. */
  readonly series: { readonly used: number; readonly all: number };
}

export interface MachineLine {
  /** For its address: its name, or its id where it has none. */
  readonly key: string;
  readonly name: string;
  /** Fingerprints, newest first: another one when CPU, memory, kernel, C library or microcode changed. */
  readonly ids: readonly string[];
  readonly summary: string;
  readonly runs: number;
  readonly nights: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Start of the first run with the newest fingerprint, where there was another before. */
  readonly changedAt?: number;
  readonly noise?: NoiseSummary;
}

/** How far values usually lie from their level, as a fraction of it: over series. */
export interface NoiseSummary {
  readonly median: number;
  /** Quartiles of series. */
  readonly low: number;
  readonly high: number;
  readonly series: number;
}

/** Everything the page of one machine shows. */
export interface MachineView extends MachineLine {
  readonly facts: readonly Fact[];
  /** When facts changed, newest first: only those that differ. */
  readonly history: readonly FactChange[];
  /** Runs whose facts were compared. */
  readonly compared: number;
  readonly noiseOverTime: NoiseOverTime;
  /** Nights in which most of its series moved together. */
  readonly events: readonly FollowedChange[];
  /** Newest first. */
  readonly recent: readonly Pick<Run, 'id' | 'label' | 'kind' | 'state' | 'startedAt' | 'endedAt'>[];
}

export interface FactChange {
  readonly at: number;
  readonly runId: string;
  readonly label: string;
  readonly facts: readonly {
    readonly name: string;
    readonly before?: string;
    readonly after?: string;
  }[];
}

/** For each run: how far its values lay from their levels, as a fraction; half of its series lay nearer. */
export interface NoiseOverTime {
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly runIds: readonly string[];
  /** Series that had a value then. */
  readonly counts: readonly number[];
}

/** What was recorded beside the tasks of one run. */
export interface MachineTelemetryView {
  readonly runId: string;
  readonly sensors: readonly SensorView[];
  /** Sensors that are not among them. */
  readonly hidden: number;
}

export interface SensorView {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly unit: string;
  readonly points: number;
  readonly low: number;
  readonly high: number;
  readonly median: number;
  /** Thinned out: the lowest and the highest value of each range. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}
