/**
 * The words of a metric's name: "http_req_duration", "nsPerOp", "Requests/s", "wall (ms)". A slash between a thing and what
 * it is counted by is "per". Numbers stay: "p(95)" is "p", "95".
 */
export function wordsOf(name: string): readonly string[] {
  // Nearly all names are so, and a home has thousands.
  if (/^[a-z][a-z0-9_]*$/.test(name)) return name.split('_').filter((word) => word !== '');
  // An address or a folder is a label, whatever words are in it.
  if (/^(?:\/|[a-z]+:\/\/)/i.test(name)) return [];
  return (
    name
      // Not "Ki B".
      .replace(
        /(^|[^A-Za-z])([kKMGT]i?B)(?![A-Za-z])/g,
        (_, before: string, unit: string) => `${before}${unit.toLowerCase()}`,
      )
      .replace(/(?<=[A-Za-z0-9%)])\s*\/\s*(?=([A-Za-z]+))/g, (_, by: string) =>
        isCountedBy(by.toLowerCase()) ? ' per ' : ' ',
      )
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .toLowerCase()
      // The point of "99.9" stays.
      .split(/[^a-z0-9%.]+|(?<!\d)\.+|\.+(?!\d)/)
      .filter((word) => word !== '')
  );
}

/** Words that say which of many values it is, and not what was measured. */
const STATISTICS: ReadonlySet<string> = new Set([
  ...['avg', 'average', 'mean', 'geomean', 'median', 'med', 'min', 'minimum', 'max', 'maximum', 'value'],
  ...[
    'worst',
    'best',
    'peak',
    'agg',
    'p',
    'q',
    'quantile',
    'quantiles',
    'percentiles',
    'estimate',
    'current',
    'final',
  ],
]);

export function isStatistic(word: string): boolean {
  return STATISTICS.has(word) || /^[pq]?\d+(?:\.\d+)?(?:th|st|nd|rd|%)?$/.test(word);
}

/** Without the statistics at either end: "p95 latency", "latency 99th percentile", "seconds_mean". */
export function withoutStatistics(words: readonly string[]): readonly string[] {
  let [start, end] = [0, words.length];
  for (;;) {
    const last = words[end - 1];
    const isOrdinal = last === 'percentile' && (end === 1 || isStatistic(words[end - 2] ?? ''));
    if (end > start && last !== undefined && (isOrdinal || isStatistic(last))) end--;
    else break;
  }
  while (start < end && isStatistic(words[start] ?? '')) start++;
  return words.slice(start, end);
}

/** A row of a histogram, {"latency_us": {"250": 12.5}}, is a share of the values, and not one of them. */
export function isBucket(path: readonly string[]): boolean {
  const [name = '', key = ''] = path.slice(-2);
  const words = wordsOf(name);
  return (
    path.length > 1 && /^[<>=]*\d+$/.test(key) && words.length > 1 && unitWord(words.at(-1))?.of === 'time'
  );
}

export type Dimension = 'time' | 'size' | 'share';

interface NamedUnit {
  readonly unit: string;
  readonly of: Dimension;
}

const UNITS: ReadonlyMap<string, NamedUnit> = new Map([
  ...named('s', 'time', ['seconds', 'secs', 'sec']),
  ...named('ms', 'time', ['milliseconds', 'millis', 'msecs', 'msec', 'ms']),
  ...named('us', 'time', ['microseconds', 'micros', 'usecs', 'usec', 'us']),
  ...named('ns', 'time', ['nanoseconds', 'nanos', 'nsecs', 'nsec', 'ns']),
  ...named('bytes', 'size', ['bytes']),
  ...['kB', 'MB', 'GB', 'TB', 'KiB', 'MiB', 'GiB', 'TiB'].flatMap((unit) =>
    named(unit, 'size', [unit.toLowerCase()]),
  ),
  ...named('%', 'share', ['percent', 'percentage', 'pct', '%']),
]);

function named(unit: string, of: Dimension, names: readonly string[]) {
  return names.map((name): [string, NamedUnit] => [name, { unit, of }]);
}

/** The unit that a word is; "s" is none, as many names end so. */
export function unitWord(word: string | undefined): NamedUnit | undefined {
  return word === undefined ? undefined : UNITS.get(word);
}

/** The unit at the end of a name, before its statistics: "wall_ms", "seconds_mean". "16 bytes" is an argument. */
export function unitAtEnd(words: readonly string[]): NamedUnit | undefined {
  const last = withoutStatistics(words).at(-1) ?? '';
  const before = words[words.lastIndexOf(last) - 1] ?? '';
  return /^\d+$/.test(before) ? undefined : unitWord(last);
}

/** What a rate is by: "s" of "requests per second". */
export function isTimeOfRate(word: string | undefined): boolean {
  return (
    unitWord(word)?.of === 'time' || /^(?:s|(?:milli|micro|nano)?second|min|minute|hour)$/.test(word ?? '')
  );
}

/** What is done again and again: more of it in a second is better, and less cost for each of it. */
export const DONE: ReadonlySet<string> = new Set(
  `op ops operation operations req reqs request requests query queries transaction transactions txn txns tx iter iters
   iteration iterations item items record records row rows event events message messages msg msgs packet packets
   frame frames token tokens sample samples image images step steps call calls job jobs task tasks doc docs document
   documents read reads write writes insert inserts lookup lookups bit bits byte line lines hash hashes point points
   order orders`.split(/\s+/),
);

/** Whether a slash before it means "per": "ns/op", and not "sort/quick". */
function isCountedBy(word: string): boolean {
  return isTimeOfRate(word) || DONE.has(word);
}
