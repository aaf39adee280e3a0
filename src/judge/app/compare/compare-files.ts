import { readResults } from '../../../formats/app/read-results.ts';
import type { Format, ResultsRule } from '../../../formats/core/format.ts';
import { COMPARE_DEFAULTS, type CompareOptions, compareSeries } from '../../core/compare/compare-series.ts';
import { countRows } from '../../core/compare/compared-row.ts';
import { fileSeries } from '../../core/compare/file-series.ts';
import type { CompareView } from './compare-view.ts';

export interface ResultText {
  readonly name: string;
  readonly text: string;
}

/** A result file, or the files of a folder. */
export interface FileSide {
  readonly asked: string;
  readonly files: readonly ResultText[];
}

export interface CompareFilesRequest {
  readonly base: FileSide;
  readonly head: FileSide;
  readonly rule: ResultsRule;
  /** Direction of series that say none. */
  readonly better?: 'lower' | 'higher';
  readonly options: Partial<CompareOptions>;
}

/** Compares the results in two files, or in two folders of them, without a home. */
export function compareFiles(request: CompareFilesRequest, formats: readonly Format[]): CompareView {
  const { base, head, rule, better } = request;
  const options = { ...COMPARE_DEFAULTS, ...request.options };
  const read = ({ files }: FileSide) =>
    files.map(({ name, text }) => ({ name, ...readResults({ text, rule, origin: name }, formats) }));
  const [before, after] = [read(base), read(head)];
  const samples = { base: before.map((one) => one.samples), head: after.map((one) => one.samples) };
  const rows = compareSeries(fileSeries(samples, better), options);
  const problems = [...before, ...after].flatMap(({ name, failed, skipped }) => [
    ...failed.map((reason) => `${name}: failed: ${reason}`),
    ...skipped.map((reason) => `${name}: left out: ${reason}`),
  ]);
  const more = problems.length - MOST_PROBLEMS;
  return {
    base: { asked: sideName(base, before), runs: [], matched: base.files.length },
    head: { asked: sideName(head, after), runs: [], matched: head.files.length },
    rows,
    counts: countRows(rows),
    details: 0,
    failures: [],
    differences: { differing: [], equal: 0, oneSided: 0, sources: [], notes: [] },
    notes: [
      ...problems.slice(0, MOST_PROBLEMS),
      ...(more > 0 ? [`${more} more results that were not read`] : []),
      ...(base.files.length === 1 && head.files.length === 1 ? [ONE_FILE] : []),
    ],
    minEffect: options.minEffect,
    level: 1 - options.alpha,
  };
}

const MOST_PROBLEMS = 10;
const ONE_FILE =
  'Samples of a file count as independent. Those of one process are not: two folders with a file of each run are safer.';

function sideName({ asked, files }: FileSide, read: readonly { readonly format: string }[]): string {
  const formats = [...new Set(read.map(({ format }) => format))].join(', ');
  return `${asked} (${files.length === 1 ? '' : `${files.length} files, `}${formats})`;
}
