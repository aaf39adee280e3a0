/**
 * The unit that the names of a data file tell: {"seconds": {"sort": 0.2}} and {"sort_ms": 200} say theirs. The innermost
 * name that tells one counts; "" where none does. A single letter is no unit: it may be anybody's name.
 */
export function unitOfPath(path: readonly string[]): string {
  if (NUMBERS_OF_THINGS.has(path.at(-1) ?? '')) return '';
  for (let place = path.length - 1; place >= 0; place--) {
    const unit = unitOfName(path[place] ?? '');
    if (unit !== undefined) return unit;
  }
  return '';
}

/** Below "detailed" these count measurements, whatever was measured. */
const NUMBERS_OF_THINGS: ReadonlySet<string> = new Set(['n', 'count', 'samples']);

const UNITS: ReadonlyMap<string, string> = new Map([
  ...['seconds', 'secs'].map((name) => [name, 's'] as const),
  ...['milliseconds', 'millis', 'msec', 'ms'].map((name) => [name, 'ms'] as const),
  ...['microseconds', 'micros', 'usec', 'us'].map((name) => [name, 'us'] as const),
  ...['nanoseconds', 'nanos', 'nsec', 'ns'].map((name) => [name, 'ns'] as const),
  ['bytes', 'bytes'],
  ['kib', 'KiB'],
  ['mib', 'MiB'],
  ['gib', 'GiB'],
  ['percent', '%'],
]);

/** "seconds", "wall_ms", "wall (ms)", "size [bytes]". A rate is not what it is a rate of: "bytes_per_second" has no unit here. */
function unitOfName(name: string): string | undefined {
  const words = name.toLowerCase().split(/[^a-z0-9%/]+/);
  if (words.includes('per')) return undefined;
  while (words.at(-1) === '') words.pop();
  return UNITS.get(words.at(-1) ?? '');
}
