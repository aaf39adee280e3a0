import { checkAxis, checkTemplate, readAxis } from '../../home/config/matrix-block.ts';
import type { Axis, MatrixExperiment } from '../../home/core/matrix-definition.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { readFlags } from './benchmark-flags.ts';

export interface ExperimentPlace {
  readonly definition: Definition;
  readonly common: JsonObject;
  readonly pathTemplate: string | undefined;
  readonly scriptTemplate: string;
  readonly hasCommaLists: boolean;
}

export interface ExperimentReading {
  readonly experiment: MatrixExperiment;
  readonly problems: readonly Problem[];
}

/** The settings of an experiment override the common ones; a key keeps its first position. */
export function readBenchmarkExperiment(
  name: string,
  raw: JsonValue,
  place: ExperimentPlace,
): ExperimentReading {
  const { definition, common } = place;
  const path = ['expe', name];
  const own = isJsonObject(raw) ? raw : {};
  const flags = readFlags(own, definition, path);
  const ownPath = flags.flags.get('path_tpl');
  const template = ownPath?.value ?? place.pathTemplate;
  const settings = Object.keys({ ...common, ...own }).filter((key) => !key.startsWith('--'));
  const axes = settings.map((key) => {
    const isOwn = Object.hasOwn(own, key);
    const at = isOwn ? [...path, key] : ['common_settings', key];
    return readSetting(key, (isOwn ? own : common)[key] ?? null, { ...place, path: at });
  });
  return {
    experiment: {
      name,
      pathTemplate: typeof template === 'string' ? template : '',
      run: { type: 'script', template: place.scriptTemplate },
      axes: axes.map(({ axis }) => axis),
      include: [],
      exclude: [],
      conditions: [],
      repeats: [],
    },
    problems: [
      ...nameProblems(name, raw, definition),
      ...flags.problems,
      ...checkTemplate(ownPath?.value, {
        definition,
        path: [...path, ownPath?.key ?? ''],
        style: 'benchmark',
      }),
      ...(template === undefined ? [noPath(name, definition)] : []),
      ...axes.flatMap(({ problems }) => problems),
    ],
  };
}

interface SettingReading {
  readonly axis: Axis;
  readonly problems: readonly Problem[];
}

function readSetting(
  key: string,
  value: JsonValue,
  place: {
    readonly definition: Definition;
    readonly path: readonly string[];
    readonly hasCommaLists: boolean;
  },
): SettingReading {
  if (key === 'extra') return readExtra(value, place);
  const isOldList = place.hasCommaLists && typeof value === 'string' && value.includes(',');
  const values = isOldList ? value.split(',').map((part) => part.trim()) : value;
  return { axis: readAxis(key, values, place), problems: checkAxis(values, place) };
}

/** "k=v, k2=v2" on each line: alternatives whose values are texts. */
function readExtra(
  value: JsonValue,
  { definition, path }: { readonly definition: Definition; readonly path: readonly string[] },
): SettingReading {
  const problems: Problem[] = [...checkAxis(value, { definition, path })];
  const hint = 'Each alternative is a text such as "opt=a, lvl=1".';
  if (!Array.isArray(value)) {
    const message = `${dotted(path)}: expected a list of texts, found ${describeValue(value)}`;
    problems.push(problemAt(definition, path, message, { hint }));
    return { axis: { type: 'alternatives', values: [] }, problems };
  }
  const values = (value as readonly JsonValue[]).map((item, index): JsonObject => {
    const pairs = typeof item === 'string' ? item.split(', ').map((pair) => pair.split(/=(.*)/s)) : [];
    if (pairs.length > 0 && pairs.every((pair) => pair.length > 1))
      return Object.fromEntries(pairs.map(([key = '', text = '']) => [key, text]));
    const at = [...path, index];
    const message = `${dotted(at)}: expected "key=value, key=value", found ${describeValue(item)}`;
    problems.push(problemAt(definition, at, message, { hint }));
    return {};
  });
  return { axis: { type: 'alternatives', values }, problems };
}

function nameProblems(name: string, raw: JsonValue, definition: Definition): readonly Problem[] {
  const path = ['expe', name];
  const reason = whyInvalidName(name) ?? (name.startsWith('.') ? 'it begins with "."' : undefined);
  const problems =
    reason === undefined
      ? []
      : [
          problemAt(definition, path, `${dotted(path)} cannot be the name of a folder: ${reason}`, {
            part: 'key',
          }),
        ];
  if (raw === null || isJsonObject(raw)) return problems;
  const message = `${dotted(path)}: expected a mapping of settings, found ${describeValue(raw)}`;
  return [...problems, problemAt(definition, path, message)];
}

function noPath(name: string, definition: Definition): Problem {
  const hint = 'For example: --path-tpl: "{model_name}/{virtual_users}u".';
  const message = `${dotted(['expe', name])} has no --path-tpl, there and in the file`;
  return problemAt(definition, ['expe', name], message, { hint, part: 'key' });
}
