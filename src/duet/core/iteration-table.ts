import type { IterationReading } from '../../formats/core/format.ts';
import { type Artifact, KNOWN_ARTIFACTS } from './artifacts.ts';
import type { ResultName } from './duet.ts';

/** The iterations of one result file, with all that the table says of them. */
export interface TableFile {
  readonly name: ResultName;
  readonly reading: IterationReading;
  readonly artifacts: readonly Artifact[];
  /** Name of the folder it is from. */
  readonly results: string;
}

/** The same for all rows of a file, or a text for each. */
export type Cells = string | readonly string[];

/** How a kind of table is made: which columns, and what they hold. Empty text is a missing cell. */
export interface TableForm {
  readonly columns: readonly string[];
  cells(file: TableFile, column: string): Cells;
}

/** Columns that every table has, in their order. */
export const BASE_COLUMNS: readonly string[] = [
  'suite',
  'benchmark',
  'type',
  'order',
  'pair',
  'runid',
  'iteration',
  'iteration_start_ns',
  'iteration_end_ns',
  'iteration_time_ns',
];
const DOCUMENTED = ['epoch_start_ms', 'uptime_ns', 'total_ms', 'start_unix'];

export interface FoundColumns {
  /** In the order in which they were met. */
  readonly extra: Iterable<string>;
  readonly artifacts: Iterable<string>;
  /** Several folders: then a column tells them apart. */
  readonly hasSeveralFolders: boolean;
}

/** The columns that always are, those of the harnesses, the folder, and the artifacts; each once. */
export function orderColumns({ extra, artifacts, hasSeveralFolders }: FoundColumns): readonly string[] {
  const found = new Set(extra);
  const named = new Set(artifacts);
  return [
    ...new Set([
      ...BASE_COLUMNS,
      ...DOCUMENTED.filter((name) => found.has(name)),
      ...found,
      ...(hasSeveralFolders ? ['results'] : []),
      ...KNOWN_ARTIFACTS.filter((name) => named.has(name)),
      ...named,
    ]),
  ];
}

/** Exact: whole nanoseconds as digits, everything else as it was written. */
export function exactForm(columns: readonly string[]): TableForm {
  return { columns, cells: exactCells };
}

function exactCells(file: TableFile, column: string): Cells {
  const { name, reading, artifacts, results } = file;
  const { numbers, starts, ends, times, originNs, extra } = reading;
  switch (column) {
    case 'suite':
    case 'benchmark':
    case 'type':
    case 'order':
    case 'pair':
      return name[column];
    case 'runid':
      return String(name.runid);
    case 'iteration':
      return Array.from(numbers, String);
    case 'iteration_start_ns':
      return starts === undefined ? '' : momentTexts(originNs, starts);
    case 'iteration_end_ns':
      return ends === undefined ? '' : momentTexts(originNs, ends);
    case 'iteration_time_ns':
      return Array.from(times, String);
    default:
      return otherCells(column, { artifacts, extra, results });
  }
}

/** An artifact wins over a column of the harness with its name, as in the original. */
export function otherCells(
  column: string,
  { artifacts, extra, results }: Pick<TableFile, 'artifacts' | 'results'> & Pick<IterationReading, 'extra'>,
): Cells {
  const artifact = artifacts.find(({ name }) => name === column);
  return artifact?.value ?? extra.get(column) ?? (column === 'results' ? results : '');
}

const BILLION = 1_000_000_000n;

/** Nanoseconds since 1970, in digits: seconds and nanoseconds apart are exact in doubles, together they are not. */
export function momentTexts(originNs: bigint, offsets: Float64Array): readonly string[] {
  if (originNs < 0n) return Array.from(offsets, (offset) => String(originNs + BigInt(offset)));
  const seconds = Number(originNs / BILLION);
  const nanos = Number(originNs % BILLION);
  return Array.from(offsets, (offset) => {
    const total = nanos + offset;
    const rest = total % 1e9;
    const whole = seconds + (total - rest) / 1e9;
    if (whole <= 0 || rest < 0) return String(originNs + BigInt(offset));
    return `${whole}${String(rest).padStart(9, '0')}`;
  });
}
