import { curveToJson, makeCurve } from '../../../charts/core/curves/curve.ts';
import { matchesOf, type Pattern } from '../../../platform/core/patterns/pattern.ts';
import { parseCsv } from '../../../platform/core/text/csv.ts';
import type { Collector } from './collect-values.ts';
import { numberIn } from './convert-value.ts';

/** Passes the lines of a file to all fields that read it: a log of a gigabyte is read once and never held in memory. */
export async function scanLines(
  blocks: AsyncIterable<readonly string[]>,
  collectors: readonly Collector[],
): Promise<void> {
  const readers = collectors.map(readerOf);
  const records = recordsOf(readers.filter((reader) => reader.record !== undefined));
  const canEnd = collectors.every(({ canBeDone }) => canBeDone);
  for await (const block of blocks) {
    for (const line of block) {
      for (const reader of readers) reader.line?.(line);
      records?.(line);
    }
    if (canEnd && collectors.every(({ isDone }) => isDone)) break;
  }
  for (const reader of readers) reader.finish?.();
}

interface Reader {
  line?(text: string): void;
  /** Of a table: its header first. */
  record?(cells: readonly string[]): void;
  finish?(): void;
}

const ANY_NUMBER = /(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g;

function readerOf(collector: Collector): Reader {
  const { source } = collector.field;
  collector.sawFile();
  switch (source.type) {
    case 'regex':
      return { line: (text) => match(text, source.pattern, collector) };
    case 'number':
      return { line: (text) => match(text, ANY_NUMBER, collector) };
    case 'csv':
      return columnReader(source.column, collector);
    case 'curve':
      return curveReader(source, collector);
    default:
      return {};
  }
}

/** The group called "value", else the first, else all that matched. Logs have millions of lines, most without a match. */
function match(line: string, pattern: RegExp | Pattern, collector: Collector): void {
  const matches =
    pattern instanceof RegExp ? matchesOf(pattern, line.slice(0, LONGEST_LINE)) : pattern.matchAll(line);
  for (const found of matches) {
    if (collector.isDone) return;
    collector.push(found.groups?.['value'] ?? found[1] ?? found[0]);
  }
}

/** JavaScript's regular expressions have no time limit: on longer lines a careless pattern of a module could hang. */
const LONGEST_LINE = 2000;

function columnReader(column: string, collector: Collector): Pick<Reader, 'record'> {
  let index: number | undefined;
  return {
    record: (cells) => {
      if (index === undefined) index = cells.indexOf(column);
      else if (index >= 0 && !collector.isDone) {
        const cell = cells[index];
        if (cell !== undefined && cell !== '') collector.push(cell);
      }
    },
  };
}

/** An empty cell is not a point; nan and inf are gaps. */
function curveReader(
  columns: { readonly x: string; readonly y: string },
  collector: Collector,
): Pick<Reader, 'record' | 'finish'> {
  const [xs, ys]: [number[], number[]] = [[], []];
  let places: readonly [number, number] | undefined;
  return {
    record: (cells) => {
      if (places === undefined) {
        places = [cells.indexOf(columns.x), cells.indexOf(columns.y)];
        return;
      }
      const [x, y] = [numberIn(cells[places[0]] ?? ''), numberIn(cells[places[1]] ?? '')];
      if (x === undefined || y === undefined) return;
      xs.push(x);
      ys.push(y);
    },
    finish: () => {
      if (xs.length > 0) collector.push(curveToJson(makeCurve(xs, ys)));
    },
  };
}

/** Joins the lines of a record with open quotes, and splits it into cells. */
function recordsOf(readers: readonly Reader[]): ((line: string) => void) | undefined {
  if (readers.length === 0) return undefined;
  let open = '';
  let isFirst = true;
  return (line) => {
    const text = open === '' ? line : `${open}\n${line}`;
    const hasQuotes = text.includes('"');
    const isOpen = hasQuotes && text.split('"').length % 2 === 0;
    open = isOpen && text.length < LONGEST_RECORD ? text : '';
    if (isOpen || text === '') return;
    const body = isFirst ? text.replace(/^\uFEFF/, '') : text;
    const cells = hasQuotes ? parseCsv(body)?.[0] : body.split(',');
    isFirst = false;
    if (cells === undefined) return;
    for (const reader of readers) reader.record?.(cells);
  };
}

/** A record this long means that a quote was never closed. */
const LONGEST_RECORD = 1_000_000;
