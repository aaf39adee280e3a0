import { type ComparedRow, isNotable, type RowVerdict } from '../../core/compare/compared-row.ts';

/** Which rows are shown: what differs, all of them, or those of one verdict. */
export type Shown = 'differing' | 'all' | RowVerdict;

const VERDICTS: readonly string[] = [
  'failed',
  'slower',
  'faster',
  'changed',
  'gone',
  'new',
  'undecided',
  'same',
];

/** As the address says; where nothing differs all are shown, as an empty table says less. */
export function readShown(text: string | undefined, rows: readonly ComparedRow[]): Shown {
  if (text === 'all' || text === 'differing') return text;
  if (text !== undefined && VERDICTS.includes(text)) return text as RowVerdict;
  return rows.some(isNotable) ? 'differing' : 'all';
}

export interface ShownRows {
  readonly rows: readonly ComparedRow[];
  /** Rows of other verdicts, and those that the filter leaves out. */
  readonly otherVerdicts: number;
  readonly filtered: number;
}

/** Every word of the filter must be in the name. */
export function shownRows(rows: readonly ComparedRow[], shown: Shown, filter: string): ShownRows {
  const chosen = rows.filter((row) =>
    shown === 'all' ? true : shown === 'differing' ? isNotable(row) : row.verdict === shown,
  );
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching =
    words.length === 0
      ? chosen
      : chosen.filter((row) => {
          const name = [row.experiment, ...row.path].join(' / ').toLowerCase();
          return words.every((word) => name.includes(word));
        });
  return {
    rows: matching,
    otherVerdicts: rows.length - chosen.length,
    filtered: chosen.length - matching.length,
  };
}

/** What a row is called in the address: readable, and unique in nearly all cases. */
export function rowName({ experiment, path }: Pick<ComparedRow, 'experiment' | 'path'>): string {
  return [experiment, ...path].join('/');
}
