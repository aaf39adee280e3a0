import type { Side } from '../../../git/core/version-pairs.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { failed, ok, type Result } from '../../../platform/core/result.ts';
import type { CsvRecord } from '../../../platform/core/text/csv-scanner.ts';
import { nearestFirst } from '../../../platform/core/text/nearest.ts';
import { decodeUtf8 } from '../../../platform/core/text/utf8.ts';
import type { DuetOrder, DuetRunType } from '../duet.ts';
import { type OpenRun, openRun, type RunName } from './collect-runs.ts';

/** Made once a run, not once a row. */
type FoundRun = { readonly ok: true; readonly value: OpenRun };

/** The run that a row of a table belongs to. */
export class RunIndex {
  readonly #columns: TableColumns;
  /** Where the rows come from, for those that do not say where they ran. */
  readonly #origin: string;
  readonly #runs = new Map<string, FoundRun>();
  readonly #recent: Record<Side, RecentRun>;

  constructor(columns: TableColumns, origin: string) {
    this.#columns = columns;
    this.#origin = origin;
    this.#recent = { A: new RecentRun(columns.keys), B: new RecentRun(columns.keys) };
  }

  get runs(): readonly OpenRun[] {
    return [...this.#runs.values()].map(({ value }) => value);
  }

  /** The run of a row, or why the row has none. */
  find(record: CsvRecord, side: Side): Result<OpenRun> {
    // Rows of a run stand together, or A and B alternate: then nothing has to be made into text.
    const recent = this.#recent[side].matching(record);
    if (recent !== undefined) return recent;
    const key = JSON.stringify(this.#keyOf(record));
    let run = this.#runs.get(key);
    if (run === undefined) {
      const name = this.#nameOf(record);
      if (!name.ok) return name;
      run = ok(openRun(name.value));
      this.#runs.set(key, run);
    }
    this.#recent[side].keep(record, run);
    return run;
  }

  /** The identity of a run: all key columns but the pair. Run 7 is also run 7.0, as pandas may write it. */
  #keyOf(record: CsvRecord): readonly string[] {
    const { keys, pair, runid } = this.#columns;
    return Array.from(keys, (column) => {
      if (column === pair) return '';
      const text = cellText(record, column);
      return column === runid ? String(Number(text)) : text;
    });
  }

  #nameOf(record: CsvRecord): Result<RunName> {
    const { suite, benchmark, type, order, runid, places } = this.#columns;
    const number = Number(cellText(record, runid) || Number.NaN);
    if (!Number.isSafeInteger(number))
      return failed(`"runid" is "${cellText(record, runid)}", not a whole number`);
    const typeText = cellText(record, type);
    const runType = TYPES.get(typeText);
    if (runType === undefined)
      return failed(`"type" is "${typeText}", none of ${[...TYPES.keys()].slice(1).join(', ')}`);
    return ok({
      environment:
        places.map((column) => cellText(record, column)).find((text) => text !== '') ?? this.#origin,
      suite: cellText(record, suite),
      benchmark: cellText(record, benchmark),
      type: runType,
      runid: number,
      order: ORDERS.get(cellText(record, order)) ?? 'None',
    });
  }
}

/** `sequential` is the older name; a table without the column is one of duets. */
const TYPES = new Map<string, DuetRunType>([
  ['', 'duet'],
  ['duet', 'duet'],
  ['syncduet', 'syncduet'],
  ['seqn', 'seqn'],
  ['sequential', 'seqn'],
]);
const ORDERS = new Map<string, DuetOrder>([
  ['AB', 'AB'],
  ['BA', 'BA'],
]);

/** The text of a cell; empty where there is no such column. */
export function cellText({ bytes, starts, ends, count }: CsvRecord, column: number): string {
  if (column < 0 || column >= count) return '';
  const text = decodeUtf8(bytes, starts[column] as number, ends[column] as number);
  // Quotes in a cell are doubled only inside of quotes; a bare one never occurs in what we or pandas write.
  return text.includes('""') ? text.replaceAll('""', '"') : text;
}

/** The key cells of the last row, as bytes. */
class RecentRun {
  readonly #columns: Int32Array;
  readonly #lengths: Int32Array;
  #bytes = new Uint8Array(256);
  #run: FoundRun | undefined;

  constructor(columns: Int32Array) {
    this.#columns = columns;
    this.#lengths = new Int32Array(columns.length);
  }

  matching({ bytes, starts, ends }: CsvRecord): FoundRun | undefined {
    if (this.#run === undefined) return undefined;
    const columns = this.#columns;
    const kept = this.#bytes;
    let at = 0;
    for (let key = 0; key < columns.length; key++) {
      const column = columns[key] as number;
      const end = ends[column] as number;
      let byte = starts[column] as number;
      if (end - byte !== this.#lengths[key]) return undefined;
      while (byte < end) if (bytes[byte++] !== kept[at++]) return undefined;
    }
    return this.#run;
  }

  keep({ bytes, starts, ends }: CsvRecord, run: FoundRun): void {
    const cells = Array.from(this.#columns, (column) => bytes.subarray(starts[column], ends[column]));
    const length = cells.reduce((sum, cell) => sum + cell.length, 0);
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(length * 2);
    let at = 0;
    for (const [key, cell] of cells.entries()) {
      this.#lengths[key] = cell.length;
      this.#bytes.set(cell, at);
      at += cell.length;
    }
    this.#run = run;
  }
}

/** Where the columns of a table stand; -1 where it has none. */
export interface TableColumns {
  readonly iteration: number;
  readonly start: number;
  readonly end: number;
  readonly time: number;
  readonly pair: number;
  readonly suite: number;
  readonly benchmark: number;
  readonly type: number;
  readonly order: number;
  readonly runid: number;
  /** Columns with the label of the place, the most specific first. */
  readonly places: readonly number[];
  /** The columns that identify a run and its side. */
  readonly keys: Int32Array;
}

const NEEDED = ['benchmark', 'runid', 'pair', 'iteration', 'iteration_time_ns'];
const PLACES = ['environment', 'hostname', 'results'];
/** Artifacts are gathered once a folder: with them, run 0 of one folder is not run 0 of another. */
const OF_FOLDER = ['date', 'uname', 'lscpu', 'meminfo'];
const OF_RUN = ['pair', 'runid', 'benchmark', 'suite', 'type', 'order'];

export function findTableColumns(names: readonly string[], origin: string): TableColumns {
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw noTable(missing, names, origin);
  const at = (name: string) => names.indexOf(name);
  const there = (wanted: readonly string[]) => wanted.map(at).filter((index) => index >= 0);
  return {
    iteration: at('iteration'),
    start: at('iteration_start_ns'),
    end: at('iteration_end_ns'),
    time: at('iteration_time_ns'),
    pair: at('pair'),
    suite: at('suite'),
    benchmark: at('benchmark'),
    type: at('type'),
    order: at('order'),
    runid: at('runid'),
    places: there(PLACES),
    keys: Int32Array.from(there([...OF_RUN, ...PLACES, ...OF_FOLDER])),
  };
}

function noTable(missing: readonly string[], names: readonly string[], origin: string): NightmarkError {
  const shown = nearestFirst(missing[0] ?? '', names).slice(0, 12);
  return new NightmarkError(
    'DUET_NO_TABLE',
    `${origin} is not a table of iterations: it has no column ${missing.map((name) => `"${name}"`).join(', ')}.`,
    {
      hint: `It has: ${shown.join(', ')}. Make a table of a folder of results with "nightmark duet process DIR".`,
    },
  );
}
