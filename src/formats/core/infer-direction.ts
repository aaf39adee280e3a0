import { toBase } from '../../platform/core/units.ts';
import {
  DONE,
  isBucket,
  isTimeOfRate,
  unitAtEnd,
  unitWord,
  withoutStatistics,
  wordsOf,
} from './name-words.ts';

export type InferredDirection = 'lower' | 'higher' | 'unknown';

/**
 * Which direction is good, by the names of a series (outermost first) and its unit. A wrong answer is worse than none: it
 * needs a word that means one thing wherever it is used, and what two names contradict is unknown.
 */
export function inferDirection(path: readonly string[], unit = ''): InferredDirection {
  if (isBucket(path)) return 'unknown';
  // A name such as "p95" or "value" says nothing of what was measured.
  const names = joinRelative(path.map(wordsOf).filter((words) => withoutStatistics(words).length > 0));
  const hints = [...names.map(hintOfName), hintOfUnit(unit, names.flat())];
  if (hints.includes('no direction')) return 'unknown';
  const [first, ...others] = new Set(hints.filter((hint) => hint !== undefined));
  return others.length > 0 ? 'unknown' : ((first as 'lower' | 'higher' | undefined) ?? 'unknown');
}

/** Undefined: the name says nothing. "no direction": it says that the value has none, whatever else is named so. */
type Hint = 'lower' | 'higher' | 'no direction' | undefined;

/** Names that mean nothing without the one before: {"http_reqs": {"rate": 90}}. */
const RELATIVE: ReadonlySet<string> = words('rate ratio percent percentage pct % count total number fails');

function joinRelative(names: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const last = names.at(-1) ?? [];
  if (names.length < 2 || last.length !== 1 || !RELATIVE.has(last[0] ?? '')) return names;
  return [...names.slice(0, -2), [...(names.at(-2) ?? []), ...last]];
}

function hintOfName(all: readonly string[]): Hint {
  if (isSpread(all) || isOfTest(all)) return 'no direction';
  const isRate = all.includes('per');
  // "samples_per_second" is not a number of samples.
  if (all.some((word) => WITHOUT_DIRECTION.has(word) && !(isRate && DONE.has(word)))) return 'no direction';
  if (isRate) return hintOfRate(all);
  const named = withoutStatistics(all);
  const unit = unitOf(all, named);
  const rest = withoutStatistics(unit === undefined ? named : named.slice(0, -1));
  const byHead = hintOfHead(rest, all);
  if (byHead === 'no direction' || unit === undefined) return byHead;
  if (unit === 'time') return byHead === 'higher' ? 'no direction' : 'lower';
  if (byHead !== undefined) return byHead;
  return hintOfSize(rest, named.at(-1) ?? '');
}

/** The dimension of the unit at the end of a name. A single "s" is one only behind a word for a time: "latency_s". */
function unitOf(all: readonly string[], named: readonly string[]): 'time' | 'size' | undefined {
  if (named.at(-1) === 's') return TIMES.has(named.at(-2) ?? '') ? 'time' : undefined;
  const dimension = unitAtEnd(all)?.of;
  return dimension === 'share' ? undefined : dimension;
}

/** English names end in what they are: an "error_handling" is no error, a "latency_target" no latency. */
function hintOfHead(rest: readonly string[], all: readonly string[]): Hint {
  const [head = '', before = ''] = [rest.at(-1), rest.at(-2)];
  const isAlone = all.length === 1;
  if (RELATIVE.has(head)) return hintOfShare(head, rest.slice(0, -1));
  // Alone it may be a time of day, and an exit code.
  if (head === 'time') return isAlone ? undefined : SET_TIMES.has(before) ? 'no direction' : 'lower';
  if (head === 'return') return isAlone ? undefined : 'higher';
  if (head === 'loss')
    return all.every((word) => word === head || LOSSES.has(word)) ? 'lower' : 'no direction';
  if (head === 'score') return rest.some((word) => BAD_SCORES.has(word)) ? 'no direction' : 'higher';
  if (head === 'size') return rest.some((word) => PRODUCTS.has(word)) ? 'lower' : 'no direction';
  if (USES.has(head)) return rest.some((word) => MEMORY.has(word)) ? 'lower' : undefined;
  if (MEMORY.has(head)) return rest.some((word) => NOT_OWN.has(word)) ? 'no direction' : 'lower';
  if (LOWER.has(head) || FAILED.has(before)) return rest.some(isGood) ? 'no direction' : 'lower';
  if (HIGHER.has(head)) return rest.some(isBad) ? 'no direction' : 'higher';
  return undefined;
}

/** "error_rate", "hit ratio", "failure count"; and of a rate alone what is done: "http_reqs/rate". */
function hintOfShare(head: string, of: readonly string[]): Hint {
  const [isBadShare, isGoodShare] = [of.some(isBad), of.some(isGood)];
  if (head === 'fails') return isBadShare || isGoodShare ? 'no direction' : 'lower';
  if (isBadShare) return isGoodShare ? 'no direction' : 'lower';
  if (head === 'count' || head === 'total' || head === 'number') return 'no direction';
  if (isGoodShare) return 'higher';
  const done = of.at(-1) ?? '';
  // The "sample_rate" was set.
  const isWork = done === 'frame' || (DONE.has(done) && done.endsWith('s'));
  return head === 'rate' && isWork ? 'higher' : undefined;
}

/** "testRunDurationMs" was set. */
function isOfTest(all: readonly string[]): boolean {
  return all.includes('test') && all.includes('run');
}

/** Memory and products should be small; what was read, sent or given as input is as large as it is. */
function hintOfSize(rest: readonly string[], unit: string): Hint {
  if (rest.some((word) => CARRIED.has(word) || NOT_OWN.has(word))) return 'no direction';
  return rest.length > 0 || unit === 'bytes' ? 'lower' : undefined;
}

/** "requests per second", "ns per op", "errors per minute". */
function hintOfRate(all: readonly string[]): Hint {
  const place = all.indexOf('per');
  const [top, below] = [withoutStatistics(all.slice(0, place)), all[place + 1]];
  const head = top.at(-1) ?? all[place - 1] ?? '';
  if (top.some(isBad)) return 'lower';
  const isSize = unitWord(head)?.of === 'size' || head === 'b';
  if (isTimeOfRate(below)) return DONE.has(head) || isSize || head === '1' ? 'higher' : undefined;
  const isCost = isSize || isTimeOfRate(head) || head === 'time' || COSTS.has(head);
  return DONE.has(below ?? '') && isCost ? 'lower' : undefined;
}

/** What the results themselves give as unit; a name may take it back: a size in bytes of an input, errors in 1/s. */
function hintOfUnit(unit: string, names: readonly string[]): Hint {
  const base = toBase(unit).unit;
  if (base === '') return undefined;
  if (base === 's') return 'lower';
  if (base === 'B') return hintOfSize(names, 'bytes');
  const all = wordsOf(base);
  if (all.includes('per')) return names.some(isBad) ? 'lower' : hintOfRate(all);
  return all.length === 1 && RATES.has(all[0] ?? '') ? 'higher' : undefined;
}

function isSpread(all: readonly string[]): boolean {
  const pairs = all.slice(1).map((word, place) => `${all[place]} ${word}`);
  return all.at(-1) === 'dev' || pairs.some((pair) => SPREADS.has(pair));
}

function isBad(word: string): boolean {
  return BAD.has(word) || FAILED.has(word);
}

function isGood(word: string): boolean {
  return GOOD.has(word);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Spreads, counts, times of day, and what was set rather than measured. */
const WITHOUT_DIRECTION = words(
  `std stddev stdev sd variance iqr mad sem stderr cv skewness kurtosis confidence bound interval intervals
   n samples sum passes passed timestamp unix epoch date since seed version id uuid pid port groupid eta
   target limit threshold timeout deadline budget quota window depth period ttl age uptime mtbf remaining
   warmup sleep think idle backoff after between session video audio media playback sla slo expected allowed
   nominal baseline reference thresholds options config`,
);
const SPREADS = new Set(['standard error', 'standard deviation', 'std dev', 'abs dev']);
/** With "time": set, or a time of day. */
const SET_TIMES = words(
  'start end begin stop finish total run test sampling measurement created modified updated up',
);

const BAD = words(
  `error errors err errs fail fails failure failures miss misses retry retries timeouts crash crashes exception
   exceptions fault faults stall stalls violation violations retransmit retransmits retransmissions drop drops
   deadlock deadlocks conflicts leak leaks`,
);
/** Before what went wrong: "dropped_iterations". */
const FAILED = words(
  'failed dropped lost missed rejected aborted invalid unsuccessful corrupted skipped leaked',
);
const GOOD = words('hit hits success successes successful accuracy succeeded');

const LOWER = words(
  `latency latencies duration durations walltime cputime overhead jitter lag rtt ttfb ttft slowdown makespan
   errors error err failures failure failed fails misses miss faults exceptions crashes retries retransmits timeouts
   drops dropped stalls leaks violations deadlocks perplexity wer cer mse rmse mae mape energy allocs allocations`,
);
const HIGHER = words(
  `throughput goodput bandwidth bw iops fps qps rps tps mbps gbps kbps accuracy speedup f1 auc bleu reward rewards`,
);
/** As units. */
const RATES = words('iops fps qps rps tps mbps gbps kbps');
const TIMES = words('latency time duration runtime elapsed wall walltime cputime overhead lag');
const MEMORY = words('memory mem rss maxrss peakmem heap footprint');
const USES = words('usage used use consumption');
/** Of a machine or a pool, not of the program. */
const NOT_OWN = words('free available avail total limit capacity reserved shared bandwidth');
/** Sizes of what goes through, or comes in. */
const CARRIED = words(
  `read reads write writes written sent send received receive recv rx tx in out input inputs output io data dataset
   payload request requests response content message messages block blocks chunk page buffer cache processed
   transferred transfer total file files download downloaded upload uploaded corpus stream size`,
);
/** Things that are built: they should be small. */
const PRODUCTS = words('binary bundle executable exe wasm package artifact apk app code library lib');
const BAD_SCORES = words('brier anomaly risk penalty error perplexity loss crps log');
const LOSSES = words('train training val valid validation test eval packet mean avg final best min');
const COSTS = words('latency duration allocs allocations instructions cycles energy joules');
