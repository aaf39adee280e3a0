/**
 * Something that can be sampled while a trial runs. Contract (test/contracts/telemetry.ts):
 * 1. `open` says `missing` with a reason where the machine lacks it; it does not throw.
 * 2. A sample that fails loses that sample, not the source.
 * 3. The same group and label name the same thing in every sample.
 */
export interface TelemetrySource {
  readonly id: string;
  readonly title: string;
  /** Which switch of an experiment turns it on. */
  readonly switch: 'cpu' | 'gpu';
  open(): Promise<TelemetrySampler | TelemetryMissing>;
}

export interface TelemetrySampler {
  readonly state: 'open';
  sample(): Promise<readonly Reading[]>;
}

export interface TelemetryMissing {
  readonly state: 'missing';
  readonly reason: string;
}

/** One value of one sensor. For GPUs the group is the field and the label the GPU ("0"). */
export interface Reading {
  readonly group: string;
  readonly label: string;
  /** Text where the device gives no number ("P8"). */
  readonly value: number | string;
  readonly unit: string;
}
