import { NightmarkError } from '../../../platform/core/errors.ts';
import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import type { Format } from '../../core/format.ts';
import {
  createReading,
  type ReadingBuilder,
  requireNumbers,
  type SetKey,
} from '../../core/reading-builder.ts';

const HEADER = /^(.*) fastest +│ slowest +│ median +│ mean +│ samples +│ iters/;

/** The tree that `cargo bench` prints for benchmarks of divan: https://docs.rs/divan */
const divan: Format = {
  id: 'divan',
  title: 'divan (text)',
  recognizes: [new RegExp(HEADER.source, 'm'), /^(?:│ {2}| {3})*[├╰]─ /m],
  read(text) {
    const reading = createReading();
    let tree: Tree | undefined;
    for (const line of withoutSequences(text).split(/\r?\n/)) {
      const header = HEADER.exec(line);
      if (header) {
        tree?.finish();
        tree = createTree(header[1] ?? '', reading);
      } else tree?.add(line);
    }
    if (tree === undefined)
      throw new NightmarkError('IMPORT_SHAPE', 'There is no line with the names of the columns.', {
        hint: HINT,
      });
    tree.finish();
    return requireNumbers(reading.finish(), HINT);
  },
};

export default divan;

const HINT =
  'Use what "cargo bench" prints for benchmarks of divan, from the line "NAME fastest │ slowest │ ..." on.';
const ROW = /^((?:│ {2}| {3})*)[├╰]─ (.*)$/;
const MEDIAN = 2;

interface Tree {
  add(line: string): void;
  finish(): void;
}

/** Rows of one binary. `title` is as wide as the column of names. */
function createTree(title: string, reading: ReadingBuilder): Tree {
  const path = [title.trim()];
  /** The last row, while it has neither numbers nor rows below it. */
  let open: string | undefined;
  let section = '';
  const finish = () => {
    if (open !== undefined) reading.failed.push(`${open} has no result`);
  };
  return {
    add(line) {
      const [names, numbers] = [line.slice(0, title.length + 1), line.slice(title.length + 1)];
      const [, indent = '', padded] = ROW.exec(names) ?? [];
      const cells = numbers.split('│').map((cell) => cell.trim());
      const median = cells[MEDIAN] ?? '';
      if (padded === undefined) {
        if (cells[0]?.endsWith(':')) section = cells[0].slice(0, -1);
        else if (median !== '') addCounter(keyOf(path), { section, text: median }, reading);
        return;
      }
      const depth = indent.length / 3 + 1;
      const isBelow = depth >= path.length;
      if (!isBelow) finish();
      open = undefined;
      path.splice(depth, path.length, padded.trim());
      section = '';
      const name = path.join(' / ');
      if (cells[0] === '(ignored)') reading.skipped.push(`${name} is ignored`);
      else if (median === '') open = name;
      else addTime(keyOf(path), median, reading);
    },
    finish,
  };
}

type Key = Pick<SetKey, 'benchmark' | 'settings'>;

/** "t=2" is the number of threads. Other arguments look like functions, and stay in the name. */
function keyOf(path: readonly string[]): Key {
  const threads = /^t=(\d+)$/.exec(path.at(-1) ?? '')?.[1];
  return threads === undefined
    ? { benchmark: [...path] }
    : { benchmark: path.slice(0, -1), settings: { threads: Number(threads) } };
}

/** Units of divan that are not known elsewhere. */
const TIMES: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['ps', [1e-3, 'ns']],
  ['m', [1, 'min']],
  ['d', [24, 'h']],
]);

function addTime(key: Key, text: string, reading: ReadingBuilder): void {
  const [, number, written = ''] = /^([\d.]+) (\S+)$/.exec(text) ?? [];
  const [factor, unit] = TIMES.get(written) ?? [1, written];
  if (number === undefined || !/^(?:[nuµμm]?s|min|h)$/.test(unit))
    reading.failed.push(`${key.benchmark.join(' / ')}: the median is "${text}", not a time`);
  else
    reading.set({ ...key, metric: 'time', unit })(Number(number) * factor, () => key.benchmark.join(' / '));
}

const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P'];
const THINGS: Readonly<Record<string, string>> = { 'item/s': 'items', 'char/s': 'chars', Hz: 'cycles' };

/** Throughput, and what the profiler of allocations counted: a number and a size in each section. */
function addCounter(key: Key, row: { section: string; text: string }, reading: ReadingBuilder): void {
  const where = () => `${key.benchmark.join(' / ')}: ${row.section} ${row.text}`;
  const [, number, unit = ''] = /^([\d.]+)(?: (\S+))?$/.exec(row.text) ?? [];
  const [, prefix = '', thing = ''] = /^([KMGTP]?)(item\/s|char\/s|Hz)$/.exec(unit) ?? [];
  const value = Number(number) * 1000 ** PREFIXES.indexOf(prefix);
  if (row.section !== '') {
    const metric = `${row.section} ${unit === '' ? 'count' : 'size'}`;
    reading.set({ ...key, metric, unit, better: 'lower' })(value, where);
  } else if (thing !== '')
    reading.set({ ...key, metric: `${THINGS[thing]}_per_second`, unit: '1/s', better: 'higher' })(
      value,
      where,
    );
  else if (/^[KMGTP]?i?B\/s$/.test(unit))
    reading.set({ ...key, metric: 'bytes_per_second', unit, better: 'higher' })(value, where);
  else reading.failed.push(`${where()} is not known`);
}
