import { directionOf, toBase } from '../../../../platform/core/units.ts';

/** What a name says about a value; each part may be wrong, and the draft says so. */
export interface Guess {
  readonly unit?: string;
  readonly better?: 'lower' | 'higher';
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/(?:_per_sec(?:ond)?|_ps)$/, '1/s'],
  [/(?:req(?:uest)?s?_per_s\w*|rps|qps|throughput)/, 'req/s'],
  [/tokens?_per_s\w*|tps/, 'tokens/s'],
  [/(?:^|_)(?:ms|msec|millis\w*)(?:_|$)/, 'ms'],
  [/(?:^|_)(?:us|usec|micros\w*)(?:_|$)/, 'us'],
  [/(?:^|_)(?:ns|nsec|nanos\w*)(?:_|$)/, 'ns'],
  [/(?:^|_)(?:s|secs?|seconds?|duration|elapsed|latency|runtime)(?:_|$)/, 's'],
  [/(?:^|_)(?:bytes?|rss|size)(?:_|$)/, 'B'],
  [/(?:^|_)(?:percent|pct|ratio)(?:_|$)/, '%'],
  [/(?:^|_)(?:count|num|total|errors?|failures?|requests?)(?:_|$)/, 'count'],
];
const SIZES: Readonly<Record<string, string>> = {
  kb: 'kB',
  mb: 'MB',
  gb: 'GB',
  tb: 'TB',
  kib: 'KiB',
  mib: 'MiB',
  gib: 'GiB',
};

const GOOD_HIGH =
  /throughput|_per_s|rps|qps|tps|accuracy|score|success|reward|return|f1|bandwidth|hits?(?:_|$)|speedup/;
const GOOD_LOW =
  /latency|duration|elapsed|time|memory|rss|error|fail|loss|miss|cpu|p\d{2}|overhead|retries|energy/;

/** Unit and direction of a value, by the words of its name. */
export function guessKpi(name: string): Guess {
  const unit = unitOf(name);
  const byUnit = unit === undefined ? 'unknown' : directionOf(toBase(unit).unit);
  const better = GOOD_HIGH.test(name) ? 'higher' : GOOD_LOW.test(name) ? 'lower' : byUnit;
  return { ...(unit === undefined ? {} : { unit }), ...(better === 'unknown' ? {} : { better }) };
}

function unitOf(name: string): string | undefined {
  const size = /(?:^|_)([kmgt]i?b)(?:_|$)/.exec(name)?.[1];
  if (size !== undefined) return SIZES[size];
  return UNITS.find(([words]) => words.test(name))?.[1];
}
