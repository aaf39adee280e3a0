import type { IterationReading } from '../../../formats/core/format.ts';
import { pythonFloat } from '../../../platform/core/python/python-values.ts';
import {
  type Cells,
  KNOWN_ARTIFACTS,
  otherCells,
  type TableFile,
  type TableForm,
} from './iteration-table.ts';

/** What pandas makes of a column: whole numbers, doubles, or text. */
type Kind = 'whole' | 'double' | 'text';

/** Finds out, file by file, which columns the original's table has, and of which kind each is. */
interface CompatColumns {
  look(file: TableFile): void;
  finish(): TableForm;
}

/**
 * The table as the original writes it. A column of whole numbers turns into doubles for all rows as soon as one file lacks it
 * or has a gap or a fraction in it, so all files have to be read before the first row is written.
 */
export function compatColumns(): CompatColumns {
  const kinds = new Map<string, Set<Kind>>();
  const counts = new Map<string, number>();
  const artifacts = new Set<string>();
  let files = 0;
  return {
    look(file) {
      files++;
      for (const [column, kind] of frameOf(file)) {
        kinds.set(column, (kinds.get(column) ?? new Set()).add(kind));
        counts.set(column, (counts.get(column) ?? 0) + 1);
      }
      for (const { name } of file.artifacts) if (KNOWN_ARTIFACTS.includes(name)) artifacts.add(name);
    },
    finish() {
      const isWhole = (column: string) => counts.get(column) === files && kinds.get(column)?.size === 1;
      const asDouble = new Set(
        [...kinds].flatMap(([column, found]) => (found.has('text') || isWhole(column) ? [] : [column])),
      );
      const columns = [...new Set([...kinds.keys(), ...artifacts])];
      return { columns, cells: (file, column) => compatCells(file, column, asDouble.has(column)) };
    },
  };
}

const OF_NAME = ['suite', 'type', 'order', 'pair', 'runid'];
const TIMESTAMPS = ['iteration_start_ns', 'iteration_end_ns'];

/** The columns of one file in the order in which the original's readers make them. */
function frameOf({ name, reading }: TableFile): ReadonlyMap<string, Kind> {
  const { extra } = reading;
  const timeKind: Kind = name.suite === 'speccpu' ? 'double' : 'whole';
  const ofFile = [...extra].map(([column, texts]) => [column, kindOf(texts)] as const);
  const counted = ['iteration', ...TIMESTAMPS].map(
    (column) => [column, column === 'iteration' ? 'whole' : 'double'] as const,
  );
  const named = OF_NAME.map((column) => [column, 'text'] as const);
  const frame = [
    ['benchmark', 'text'] as const,
    ...ofFile,
    ['iteration_time_ns', timeKind] as const,
    ...named,
    ...counted,
  ];
  return new Map([...frame, ['benchmark', 'text']]);
}

function kindOf(texts: readonly string[]): Kind {
  if (texts.every((text) => /^[+-]?\d{1,18}$/.test(text))) return 'whole';
  return texts.every((text) => text === '' || Number.isFinite(Number(text)) || /^nan$/i.test(text))
    ? 'double'
    : 'text';
}

function compatCells(file: TableFile, column: string, asDouble: boolean): Cells {
  const { name, reading } = file;
  if (column === 'benchmark') return name.benchmark;
  if (OF_NAME.includes(column)) return String(name[column as 'suite']);
  if (column === 'iteration') return Array.from(reading.numbers, String);
  if (column === 'iteration_time_ns' || TIMESTAMPS.includes(column)) return ofTimes(file, column, asDouble);
  const cells = otherCells(column, { ...file, extra: reading.extra });
  if (typeof cells === 'string') return cells;
  return asDouble || kindOf(cells) === 'double' ? cells.map(doubleText) : cells;
}

function ofTimes({ name, reading }: TableFile, column: string, asDouble: boolean): Cells {
  const { starts, ends, times } = compatTimes(name.suite, reading);
  if (column === 'iteration_start_ns') return Array.from(starts, pythonFloat);
  if (column === 'iteration_end_ns') return Array.from(ends, pythonFloat);
  return Array.from(times, asDouble || name.suite === 'speccpu' ? pythonFloat : String);
}

function doubleText(text: string): string {
  const value = text === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? '' : pythonFloat(value);
}

/** Why the original would refuse such a file; undefined when it would read it. */
export function compatProblem(
  suite: string,
  { failed, extra, starts }: IterationReading,
): string | undefined {
  if (suite === 'speccpu' && failed.length > 0) return `the original refuses it: ${failed[0]}`;
  if (suite === 'renaissance' && (!extra.has('epoch_start_ms') || extra.get('uptime_ns')?.includes('')))
    return 'the original refuses it: it does not say when iterations began';
  return starts === undefined ? 'the original refuses it: iterations have no timestamps' : undefined;
}

interface CompatTimes {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly times: Float64Array;
}

const BILLION = 1_000_000_000n;

/** Timestamps as the original computes them: in doubles, step by step, so that each is rounded as it is there. */
function compatTimes(suite: string, reading: IterationReading): CompatTimes {
  if (suite === 'speccpu') return ofSeconds(reading);
  return suite === 'renaissance' ? ofUptime(reading) : ofMilliseconds(reading);
}

/** Seconds as they stand in the log, times a billion. */
function ofSeconds(reading: IterationReading): CompatTimes {
  const starts = inDoubles(reading, reading.starts);
  const ends = inDoubles(reading, reading.ends);
  return { starts, ends, times: ends.map((end, index) => end - (starts[index] as number)) };
}

function inDoubles({ originNs }: IterationReading, offsets: Float64Array | undefined): Float64Array {
  return (offsets ?? new Float64Array()).map((offset) => {
    const ns = originNs + BigInt(offset);
    return Number(`${ns / BILLION}.${String(ns % BILLION).padStart(9, '0')}`) * 1e9;
  });
}

/** Start of the virtual machine plus uptime; the sum is rounded before the duration is added. */
function ofUptime({ originNs, starts = new Float64Array(), times }: IterationReading): CompatTimes {
  const epoch = Number(originNs);
  return withEnds(
    starts.map((offset) => epoch + offset),
    times,
  );
}

/** Milliseconds times a million. Where they count from the start of the harness, the date is added to both ends. */
function ofMilliseconds({
  clock,
  originNs,
  starts = new Float64Array(),
  times,
}: IterationReading): CompatTimes {
  if (clock === 'unix')
    return withEnds(
      starts.map((offset) => Number(originNs + BigInt(offset))),
      times,
    );
  const epoch = Number(originNs);
  const { ends } = withEnds(starts, times);
  return { starts: starts.map((start) => epoch + start), ends: ends.map((end) => epoch + end), times };
}

function withEnds(starts: Float64Array, times: Float64Array): CompatTimes {
  return { starts, ends: starts.map((start, index) => start + (times[index] as number)), times };
}
