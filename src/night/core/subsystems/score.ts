import { significant } from '../../../charts/core/chart-numbers.ts';
import { SCORE_KINDS, type ScoreKind } from '../../../home/core/subsystem-config.ts';
import { atPath } from '../../../kit/core/data-series.ts';
import type { Prerequisites } from '../../../kit/core/prerequisites.ts';
import { pythonRepr } from '../../../platform/core/python/python-values.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { geometricMean } from '../../../stats/means.ts';
import { median } from '../../../stats/summary.ts';

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

/** How a score is made of the values of the newest night. */
export interface ScoreRule {
  readonly name: string;
  /** Stands before the score in the report. */
  readonly label: string;
  readonly title?: string;
  readonly values: readonly ScoreValueRule[];
  readonly score: ScoreKind;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** What is counted, or the unit. */
  readonly noun: string;
  /** Fields that experiments must have in their configurations. */
  readonly needs: Prerequisites;
}

/** Values of an experiment by the path of their keys, "*" for any; divided by those of another path, where one is given. */
export interface ScoreValueRule {
  readonly experiment: string;
  readonly value: readonly string[];
  readonly over?: readonly string[];
}

export type ScoreRuleReading = ScoreRule | { readonly name: string; readonly problem: string };

/** The rule of one entry of score_confs; undefined for an unknown metric without rules for its values. */
export function readScoreRule(
  name: string,
  conf: JsonValue,
  networksOf: (experiment: string) => readonly string[],
): ScoreRuleReading | undefined {
  const fields = isJsonObject(conf) ? conf : {};
  if (name === 'rnn_score') return rnnScore(fields, networksOf('gluon_rnns'));
  if (!Object.hasOwn(fields, 'values')) return undefined;
  try {
    return declared(name, fields);
  } catch (error) {
    if (error instanceof RuleProblem) return { name, problem: `score_confs.${name}: ${error.message}` };
    throw error;
  }
}

/** Refuses a rule. */
class RuleProblem extends Error {}

/** The one score that the old dashboard computes. */
function rnnScore(fields: JsonObject, networks: readonly string[]): ScoreRule {
  const speedup = typeof fields['speedup'] === 'number' ? fields['speedup'] : 2;
  const versus = (experiment: string, framework: string, rest: readonly string[] = []) => ({
    experiment,
    value: ['cpu', framework, ...rest],
    over: ['cpu', 'Aot', ...rest],
  });
  return {
    name: 'rnn_score',
    label: `${speedup}x speedup on NLP`,
    ...titleOf(fields),
    values: [
      ...networks.map((network) => versus('gluon_rnns', 'MxNet', [network])),
      versus('char_rnn', 'Pytorch'),
      versus('treelstm', 'Pytorch'),
    ],
    score: 'count',
    atLeast: speedup,
    noun: 'RNNs',
    needs: {
      gluon_rnns: { frameworks: ['relay', 'mxnet'], relay_methods: ['aot'] },
      char_rnn: { frameworks: ['relay', 'pt'], relay_methods: ['aot'], relay_configs: ['loop'] },
      treelstm: { frameworks: ['relay', 'pt'], relay_methods: ['aot'] },
    },
  };
}

function declared(name: string, fields: JsonObject): ScoreRule {
  const list = fields['values'];
  if (!Array.isArray(list) || list.length === 0)
    throw new RuleProblem(`values is ${shown(list)}, expected a list of {"experiment", "value"}`);
  const values = list.map((item: JsonValue, index) => valueRule(item, `values[${index}]`));
  const score = (fields['score'] ?? 'count') as ScoreKind; // checked below
  if (!SCORE_KINDS.includes(score))
    throw new RuleProblem(`score is ${shown(fields['score'])}, expected one of ${SCORE_KINDS.join(', ')}`);
  const atLeast = limit(fields, 'at_least');
  const atMost = limit(fields, 'at_most');
  const title = titleOf(fields);
  return {
    name,
    label: title.title ?? name,
    ...title,
    values,
    score,
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost !== undefined && { atMost }),
    noun: typeof fields['noun'] === 'string' ? fields['noun'] : '',
    needs: Object.fromEntries(values.map(({ experiment }) => [experiment, {}])),
  };
}

function valueRule(item: JsonValue, where: string): ScoreValueRule {
  const fields = isJsonObject(item) ? item : {};
  const experiment = fields['experiment'];
  if (typeof experiment !== 'string' || experiment === '')
    throw new RuleProblem(`${where}.experiment is ${shown(experiment)}, expected the name of an experiment`);
  const value = pathOf(fields['value'], `${where}.value`);
  if (fields['over'] === undefined) return { experiment, value };
  const over = pathOf(fields['over'], `${where}.over`);
  const stars = (path: readonly string[]) => path.filter((key) => key === '*').length;
  if (stars(over) > stars(value)) throw new RuleProblem(`${where}.over has more "*" than its value`);
  return { experiment, value, over };
}

/** "cpu.Aot.*", or a list of keys where a key has a dot. */
function pathOf(value: JsonValue | undefined, where: string): readonly string[] {
  const keys: readonly JsonValue[] =
    typeof value === 'string' ? value.split('.') : Array.isArray(value) ? value : [];
  if (keys.length > 0 && keys.every((key): key is string => typeof key === 'string' && key !== ''))
    return keys;
  throw new RuleProblem(`${where} is ${shown(value)}, expected a path such as "cpu.Aot.*"`);
}

function limit(fields: JsonObject, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'number') return value;
  throw new RuleProblem(`${name} is ${shown(value)}, expected a number`);
}

function titleOf({ title }: JsonObject): { readonly title?: string } {
  return typeof title === 'string' && title !== '' ? { title } : {};
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'missing' : pythonRepr(value).slice(0, 60);
}
