/**
 * Something that can be sampled while a trial runs. Contract (test/contracts/telemetry.test.ts):
 * 1. `open` returns `missing` with a reason where the machine lacks it; it does not throw.
 * 2. A sample that fails loses that sample, not the source.
 * 3. The same group and label name the same thing in every sample.
 * 4. `close` ends whatever a sample under way has started; that sample then fails, and nothing is left behind.
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
  /** Rejects with the reason when there is nothing to read this time. */
  sample(): Promise<readonly Reading[]>;
  close?(): void;
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
