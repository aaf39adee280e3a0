import { isBucket, unitAtEnd, unitWord, wordsOf } from './name-words.ts';

/**
 * The unit in the names of a series: {"seconds": {"sort": 0.2}} and {"sort_ms": 200} say theirs. The innermost
 * name with a unit counts; "" where there is none. A single letter is not taken for a unit: it may be a name.
 */
export function inferUnit(path: readonly string[]): string {
  if (NUMBERS_OF_THINGS.has(path.at(-1) ?? '') || isBucket(path)) return '';
  for (let place = path.length - 1; place >= 0; place--) {
    const unit = unitOfName(path[place] ?? '');
    if (unit !== undefined) return unit;
  }
  return '';
}

/** Below "detailed" these count measurements, whatever was measured. */
const NUMBERS_OF_THINGS: ReadonlySet<string> = new Set(['n', 'count', 'samples']);

/** "seconds", "wall_ms", "wall (ms)", "size [bytes]", "ms_p95". A rate is not what it is a rate of. */
function unitOfName(name: string): string | undefined {
  const words = wordsOf(name);
  return words.includes('per') ? rateUnit(words) : unitAtEnd(words)?.unit;
}

/** "bytes_per_second", "MiB/s": other rates are numbers of things, which have no unit. */
function rateUnit(words: readonly string[]): string | undefined {
  const place = words.indexOf('per');
  const top = unitWord(words[place - 1]);
  const isPerSecond = /^s(?:ec(?:ond)?s?)?$/.test(words[place + 1] ?? '');
  if (!isPerSecond || words.length > place + 2) return undefined;
  return top?.of === 'size' ? `${top.unit === 'bytes' ? 'B' : top.unit}/s` : '1/s';
}
