import type { JsonObject } from '../../platform/core/text/json.ts';
import type { SampleSet } from './sample.ts';

/**
 * Turns the output of some benchmark tool into samples. Pure: text in, samples out.
 * Contract (test/contracts/formats.test.ts):
 * 1. Each fixtures/*.ok.* is recognised as `sure` (generic formats: at least `maybe`) and reads to its .expected.json.
 * 2. Each fixtures/*.bad.* throws a NightmarkError with a code IMPORT_... and a hint; never another error.
 * 3. Nothing is dropped silently: what was not read is counted as failed or skipped with a reason.
 * 4. Where it reads iterations, columns have one length, times are whole nanoseconds, and `iterationColumns` names all extra columns.
 * 5. Where it reads runs, each fixtures/*.ok.* reads to its .runs.json (where there is one), and what `read` refuses is refused.
 */
export interface Format {
  readonly id: string;
  readonly title: string;
  /** A cheap look at the first 64 KiB: patterns that all match what surely is of this format, or a function where those do not suffice. */
  readonly recognizes: readonly RegExp[] | ((head: string) => Opinion);
  read(text: string, mapping: ResultMapping): FormatReading;
  /**
   * The same results run by run, for formats whose files say when, of which commit or on which machine they were measured,
   * or hold a whole history, and for those whose names are in the path of the file. `beside` has the files of `companions`
   * that are there, `path` is absolute; "" where the text is of no file.
   */
  readonly readRuns?: (text: string, beside: Companions, path: string) => readonly RunReading[];
  /** Files that help to read another one, relative to its folder: "../benchmarks.json". */
  readonly companions?: readonly string[];
  /** Iterations with their timestamps, for duets; present where the harness reports iterations. */
  readonly readIterations?: (text: string) => IterationReading;
  /** Names of `extra`, from the first 64 KiB: a table needs all columns before its first row. None may be missing. */
  readonly iterationColumns?: (head: string) => readonly string[];
}

/** Whether the beginning of a text is of a format. */
export type Opinion = 'sure' | 'maybe' | 'no';

export function opinionOf({ recognizes }: Format, head: string): Opinion {
  if (typeof recognizes === 'function') return recognizes(head);
  return recognizes.every((pattern) => pattern.test(head)) ? 'sure' : 'no';
}

/**
 * Iterations of one result file, in the order of the file. Numbers count what could not be used too, so that a broken
 * iteration on one side does not shift the others against the other side.
 */
export interface IterationReading extends Iterations {
  /** What starts and ends count from. Nanoseconds since 1970 when the clock is `unix`; the start of the harness is 0. */
  readonly originNs: bigint;
  readonly clock: 'unix' | 'harness';
  /** What else the file has for each iteration, as text, in the order of the file. */
  readonly extra: ReadonlyMap<string, readonly string[]>;
  /** One sentence for each iteration that could not be used. */
  readonly failed: readonly string[];
  /** What a reader should know: several benchmarks in one file. */
  readonly notes: readonly string[];
}

/** Texts of the companions of a file, by the names that the format gives them. */
export type Companions = Readonly<Record<string, string>>;

/** What one run of a benchmark gave, and what the file says about it. */
export interface RunReading extends FormatReading {
  /** When it was measured, in milliseconds since 1970. */
  readonly at?: number;
  /** Name of the suite: the experiment that it becomes. */
  readonly suite?: string;
  readonly commit?: string;
  readonly branch?: string;
  /** Name of the repository that the commit is of. */
  readonly repository?: string;
  readonly machine?: { readonly name: string; readonly facts: JsonObject };
}

export interface FormatReading {
  readonly samples: readonly SampleSet[];
  /** One sentence for each result that could not be used. */
  readonly failed: readonly string[];
  /** One sentence for each result that was left out on purpose (warm-up, aggregates). */
  readonly skipped: readonly string[];
}

/** For the generic formats: which column or key holds what. */
export interface ResultMapping {
  readonly value?: string | readonly string[];
  readonly name?: string | readonly string[];
  readonly unit?: string;
  readonly better?: 'lower' | 'higher';
}

/** Where the numbers of an inline experiment are found, and how they are read. */
export interface ResultsRule {
  /** Relative to the output folder of the run; absent: what the command printed. */
  readonly path?: string;
  /** Id of a format; absent: recognised by content. */
  readonly format?: string;
  readonly mapping: ResultMapping;
}

/**
 * Iterations of one side of one run, as columns, in the order of their starts. Times are nanoseconds after `originNs` of
 * the run: whole numbers below 2^53, so nothing of a nanosecond is lost although time since 1970 no longer fits a double.
 */
export interface Iterations {
  /** The harness's own numbers. */
  readonly numbers: Int32Array;
  /** Absent where the harness does not report when an iteration began; pairing is then by number. */
  readonly starts?: Float64Array;
  readonly ends?: Float64Array;
  readonly times: Float64Array;
}
