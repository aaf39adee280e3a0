import { NightmarkError } from '../../platform/core/errors.ts';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import { parseCsv } from '../../platform/core/text/csv.ts';
import { columnNames, showCell } from './cell.ts';
import type { IterationReading } from './format.ts';
import { createIterationList, decimalNs, type IterationList, nsProblem } from './iteration-reading.ts';

const TIME = 'iteration_time_ns';
const HINT =
  'It needs a header line with "iteration_time_ns", and "start_unix" or "total_ms" for the timestamps of iterations.';

/**
 * The table that the harnesses of DaCapo and ScalaBench write when they are built for duets: a line an iteration, counted
 * from 1. `start_unix` is the start of the iteration in milliseconds since 1970; older files have only `total_ms`, counted
 * from the start of the virtual machine.
 */
export function readJvmIterations(text: string): IterationReading {
  const [header = [], ...rows] = recordsOf(text);
  const names = columnNames(header);
  const columns = columnsOf(names);
  const list = createIterationList();
  const clock = clockOf(names, rows, columns);
  const kept: (readonly string[])[] = [];
  for (const [index, row] of rows.entries()) {
    const usable = readRow(row, { columns, clock, width: names.length });
    if (!usable.ok) list.failed.push(`iteration ${index + 1}: ${usable.error}`);
    else {
      list.add(index + 1, usable.value.start, usable.value.time);
      kept.push(row);
    }
  }
  if (columns.start < 0)
    list.notes.push('it has neither "start_unix" nor "total_ms": iterations have no timestamps');
  return finish(list, { names, kept, clock });
}

/** The extra columns, from the header line. */
export function jvmColumns(head: string): readonly string[] {
  return headerOf(head).filter((name) => name !== TIME);
}

/** A header line with the column of times and at least one other. */
export const JVM_HEADER = new RegExp(
  `^\\uFEFF?\\s*(?!\\s)(?=[^\\r\\n]*,)(?:[^\\r\\n]*,)?[ \\t]*(?:"[ \\t]*)?${TIME}[ \\t]*(?:"[ \\t]*)?(?:[,\\r\\n]|$)`,
);

function headerOf(head: string): readonly string[] {
  const [line = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r\n|\n|\r/, 1);
  return columnNames(parseCsv(line)?.[0] ?? []);
}

interface Columns {
  readonly time: number;
  /** start_unix, else total_ms; -1 where there is neither. */
  readonly start: number;
}

interface Timebase {
  readonly clock: 'unix' | 'harness';
  readonly originMs: number;
}

function recordsOf(text: string): readonly (readonly string[])[] {
  const records = parseCsv(text);
  if (records === undefined) {
    throw new NightmarkError('IMPORT_BROKEN_CSV', 'It is not valid CSV: a quote is not closed.', {
      hint: HINT,
    });
  }
  if (records.length > 1) return records;
  const what =
    records.length === 0 ? 'There is nothing in it.' : 'There is a header line, but no iteration below it.';
  throw new NightmarkError('IMPORT_EMPTY', what, { hint: HINT });
}

function columnsOf(names: readonly string[]): Columns {
  const time = names.indexOf(TIME);
  if (time < 0) {
    const there = names
      .slice(0, 12)
      .map((name) => JSON.stringify(name))
      .join(', ');
    throw new NightmarkError('IMPORT_NO_COLUMN', `There is no column "${TIME}".`, {
      hint: `${HINT} There are: ${there}.`,
    });
  }
  const unix = names.indexOf('start_unix');
  return { time, start: unix < 0 ? names.indexOf('total_ms') : unix };
}

/** Timestamps count from the first whole millisecond that can be read. */
function clockOf(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  { start }: Columns,
): Timebase {
  if (names[start] !== 'start_unix') return { clock: 'harness', originMs: 0 };
  const first = rows.map((row) => Math.floor(Number(row[start] || Number.NaN))).find(Number.isSafeInteger);
  return { clock: 'unix', originMs: first ?? 0 };
}

interface RowContext {
  readonly columns: Columns;
  readonly clock: Timebase;
  readonly width: number;
}

function readRow(
  row: readonly string[],
  { columns, clock, width }: RowContext,
): Result<{ readonly time: number; readonly start: number | undefined }> {
  if (row.length !== width) return failed(`it has ${row.length} cells for ${width} columns`);
  const timeCell = row[columns.time] ?? '';
  const time = Math.round(numberOf(timeCell));
  const timeProblem = time < 0 ? 'less than nothing' : nsProblem(time);
  if (timeProblem !== undefined) return failed(`"${TIME}" is ${showCell(timeCell)}, ${timeProblem}`);
  if (columns.start < 0) return ok({ time, start: undefined });
  const cell = row[columns.start] ?? '';
  const start = offsetNs(cell, clock.originMs);
  const startProblem = nsProblem(start);
  if (startProblem !== undefined) return failed(`its start is ${showCell(cell)}, ${startProblem}`);
  return ok({ time, start });
}

function numberOf(cell: string): number {
  return cell.trim() === '' ? Number.NaN : Number(cell);
}

/** Whole milliseconds are exact in doubles; fractions are read from their digits. */
function offsetNs(cell: string, originMs: number): number {
  const ms = numberOf(cell);
  if (Number.isSafeInteger(ms)) return (ms - originMs) * 1e6;
  const exact = decimalNs(cell, 6);
  return exact === undefined ? Number.NaN : Number(exact - BigInt(originMs) * 1_000_000n);
}

interface Finished {
  readonly names: readonly string[];
  readonly kept: readonly (readonly string[])[];
  readonly clock: Timebase;
}

function finish(list: IterationList, { names, kept, clock }: Finished): IterationReading {
  const extra = new Map(
    names.flatMap((name, index) =>
      name === TIME ? [] : [[name, kept.map((row) => (row[index] ?? '').trim())]],
    ),
  );
  return list.finish({ originNs: BigInt(clock.originMs) * 1_000_000n, clock: clock.clock, extra });
}
