import { SCORE_KINDS, type ScoreKind } from '../../../home/core/subsystem-config.ts';
import type { Prerequisites } from '../../../kit/core/prerequisites.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { pythonRepr } from '../../../platform/core/text/python-repr.ts';

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

/** The rule of one entry of score_confs; undefined for a metric that nobody knows and that says nothing of its values. */
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
  const score = (fields['score'] ?? 'count') as ScoreKind; // looked at below
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
