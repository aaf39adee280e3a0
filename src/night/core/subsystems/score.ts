import { significant } from '../../../charts/core/significant.ts';
import type { ScoreKind } from '../../../home/core/subsystem-config.ts';
import { atPath } from '../../../kit/core/data-series.ts';
import { isJsonObject, type JsonObject } from '../../../platform/core/text/json.ts';
import { geometricMean } from '../../../stats/geometric-mean.ts';
import { median } from '../../../stats/summary.ts';
import type { ScoreRule, ScoreValueRule } from './score-rules.ts';

export interface Score {
  readonly score: number;
  /** How many values it is made of. */
  readonly total: number;
  /** How many that should be there are not. */
  readonly missing: number;
  readonly items: readonly { readonly label: string; readonly value: number }[];
}

/** The score by the newest entry of each experiment; undefined when there is no value at all. */
export function computeScore(
  rule: ScoreRule,
  newest: (experiment: string) => JsonObject | undefined,
): Score | undefined {
  const found = rule.values.flatMap((value) => [...valuesOf(value, newest(value.experiment) ?? {})]);
  const items = found.filter((item) => item.value !== undefined) as readonly Score['items'][number][];
  if (items.length === 0) return undefined;
  const values = items.map(({ value }) => value);
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = rule;
  const score =
    rule.score === 'count'
      ? values.filter((value) => value >= atLeast && value <= atMost).length
      : combine(rule.score, values);
  return { score, total: items.length, missing: found.length - items.length, items };
}

/** "2x speedup on NLP: 3 of 5 RNNs" */
export function scoreText({ label, noun, score: kind }: ScoreRule, { score, total, missing }: Score): string {
  const what = kind === 'count' ? `${score} of ${total}` : significant(score, 4);
  const lacking = missing === 0 ? '' : ` (${missing} more without a value)`;
  return `${label}: ${what}${noun === '' ? '' : ` ${noun}`}${lacking}`;
}

interface FoundValue {
  readonly label: string;
  readonly value: number | undefined;
}

function* valuesOf({ experiment, value, over }: ScoreValueRule, entry: JsonObject): Generator<FoundValue> {
  for (const path of matches(value, entry)) {
    const stars = path.filter((_, index) => value[index] === '*');
    const label = [experiment, ...(stars.length > 0 ? stars : path)].join(' ');
    const top = atPath(entry, path);
    if (over === undefined) {
      yield { label, value: usable(top) };
      continue;
    }
    const bound = [...stars];
    const below = atPath(
      entry,
      over.map((key) => (key === '*' ? (bound.shift() ?? key) : key)),
    );
    const isRatio = typeof top === 'number' && typeof below === 'number' && below !== 0;
    yield { label, value: isRatio ? usable(top / below) : undefined };
  }
}

/** The paths that a pattern stands for; one without "*" stands for itself, there or not. */
function* matches(
  pattern: readonly string[],
  entry: JsonObject,
  done: readonly string[] = [],
): Generator<readonly string[]> {
  const [key, ...rest] = pattern;
  if (key === undefined) {
    yield done;
  } else if (key !== '*') {
    yield* matches(rest, entry, [...done, key]);
  } else {
    const here = atPath(entry, done);
    for (const name of isJsonObject(here) ? Object.keys(here) : [])
      yield* matches(rest, entry, [...done, name]);
  }
}

function usable(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function combine(kind: Exclude<ScoreKind, 'count'>, values: readonly number[]): number {
  const sum = () => values.reduce((a, b) => a + b, 0);
  switch (kind) {
    case 'sum':
      return sum();
    case 'mean':
      return sum() / values.length;
    case 'min':
      return values.reduce((a, b) => Math.min(a, b));
    case 'max':
      return values.reduce((a, b) => Math.max(a, b));
    case 'geomean':
      return geometricMean(values);
    case 'median':
      return median(values);
  }
}
