import type { ResultMapping } from '../model/home.ts';
import type { SampleSet } from '../model/sample.ts';

/**
 * Turns the output of some benchmark tool into samples. Pure: text in, samples out.
 * Contract (test/contracts/format.test.ts):
 * 1. Each fixtures/*.ok.* is recognised as `sure` (generic formats: at least `maybe`) and reads to its .expected.json.
 * 2. Each fixtures/*.bad.* throws a NightmarkError with a code IMPORT_... and a hint; never another error.
 * 3. Nothing is dropped silently: what was not read is counted as failed or skipped with a reason.
 */
export interface Format {
  readonly id: string;
  readonly title: string;
  /** A cheap look at the first 64 KiB. */
  recognizes(head: string): 'sure' | 'maybe' | 'no';
  read(text: string, mapping: ResultMapping): FormatReading;
}

export interface FormatReading {
  readonly samples: readonly SampleSet[];
  /** One sentence for each result that could not be used. */
  readonly failed: readonly string[];
  /** One sentence for each result that was left out on purpose (warm-up, aggregates). */
  readonly skipped: readonly string[];
}
