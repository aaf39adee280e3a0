import type { Companions, ResultsRule, RunReading } from '../../formats/core/format.ts';
import type { SampleSet } from '../../formats/core/sample.ts';

/** One file, read into memory. */
export interface ImportFile {
  /** As it was given; for messages. */
  readonly name: string;
  /** Absolute; "" where it is of no file. */
  readonly path: string;
  readonly text: string;
  /** When it was written: stands in for the time of results that have none. */
  readonly writtenAt: number;
  readonly beside: Companions;
}

/** What the options say about the results; it goes before what is in the file. */
export interface ImportOptions {
  readonly rule: ResultsRule;
  readonly experiment?: string;
  readonly at?: number;
  readonly commit?: string;
  readonly branch?: string;
  readonly machine?: string;
  readonly settings: SampleSet['settings'];
  /** The name of the source that a commit is of; `repository` is what the file calls it. */
  readonly sourceName: (experiment: string, repository: string | undefined) => string;
}

/** One run as it will be stored. */
export interface ImportedRun {
  /** Letters that follow from the content, the commit, the machine and the time: only the same run has the same key. */
  readonly key: string;
  /** Of results without a time: what earlier versions took for the key, which left the time out. */
  readonly formerKey?: string;
  readonly at: number;
  readonly experiment: string;
  readonly samples: readonly SampleSet[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly commits: Readonly<Record<string, string>>;
  readonly branch?: string;
  readonly machine?: NonNullable<RunReading['machine']>;
  readonly file: string;
  readonly format: string;
}

/** What was found in one file. */
export interface FileReading {
  readonly file: string;
  readonly format: string;
  readonly runs: readonly ImportedRun[];
  /** Values. */
  readonly read: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
}
