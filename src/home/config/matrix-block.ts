import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { pythonFloat } from '../../platform/core/python/python-values.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { Axis, AxisValue, MatrixExperiment } from '../core/matrix-definition.ts';
import { parseTemplate, type TemplateStyle } from '../core/sweep/fill-template.ts';
import { type MatrixExperimentInput, matrixKeys } from './matrix-schema.ts';

/** An experiment in the file and where it stands. */
export interface ExperimentBlock {
  readonly name: string;
  readonly input: MatrixExperimentInput;
  readonly raw: JsonObject;
  readonly path: readonly string[];
}

export function readExperiment(
  { name, input, raw, path }: ExperimentBlock,
  definition: Definition,
): { readonly experiment: MatrixExperiment; readonly problems: readonly Problem[] } {
  const { matrix, run, script } = input;
  const settings = settingsOf((raw['matrix'] ?? {}) as JsonObject, { definition, path: [...path, 'matrix'] }); // a mapping, by the schema
  // The file was read as JSON values; the schema leaves those of settings as they are.
  const list = (rules: readonly object[] = []) => rules as readonly JsonObject[];
  const experiment: MatrixExperiment = {
    name,
    ...(input.path !== undefined && { pathTemplate: input.path }),
    run: run === undefined ? { type: 'script', template: script ?? '' } : { type: 'command', template: run },
    axes: settings.axes,
    include: list(matrix.include),
    exclude: list(matrix.exclude),
    conditions: (matrix.conditions ?? []) as MatrixExperiment['conditions'],
    repeats: [...numbersAxis('@seed', matrix.seeds), ...numbersAxis('@repetition', matrix.repetitions)],
  };
  const templates = ['run', 'script', 'path'].flatMap((key) =>
    checkTemplate(raw[key], { definition, path: [...path, key], style: 'native' }),
  );
  const commands = commandProblems(input, { definition, path });
  return { experiment, problems: [...settings.problems, ...commands, ...templates] };
}

/** A list, or 1 to the count. */
function numbersAxis(key: string, numbers: number | readonly number[] | undefined): readonly Axis[] {
  if (numbers === undefined) return [];
  const list =
    typeof numbers === 'number' ? Array.from({ length: numbers }, (_, index) => index + 1) : numbers;
  return [{ type: 'setting', key, values: list.map((value) => ({ value })) }];
}

interface Place {
  readonly definition: Definition;
  readonly path: readonly string[];
}

function settingsOf(
  matrix: JsonObject,
  { definition, path }: Place,
): { readonly axes: readonly Axis[]; readonly problems: readonly Problem[] } {
  const direct = Object.entries(matrix).filter(([key]) => !Object.hasOwn(matrixKeys.shape, key));
  const named = Object.entries((matrix['settings'] ?? {}) as JsonObject);
  const places = [
    ...direct.map(([key, value]) => ({ key, value, path: [...path, key] })),
    ...named.map(([key, value]) => ({ key, value, path: [...path, 'settings', key] })),
  ];
  const twice = named
    .filter(([key]) => Object.hasOwn(matrix, key) && !Object.hasOwn(matrixKeys.shape, key))
    .map(([key]) => {
      const at = [...path, 'settings', key];
      const message = `${dotted(at)} is there twice: also directly below matrix`;
      return problemAt(definition, at, message, { part: 'key' });
    });
  return {
    axes: places.map(({ key, value, path: at }) => readAxis(key, value, { definition, path: at })),
    problems: [
      ...twice,
      ...places.flatMap(({ value, path: at }) => checkAxis(value, { definition, path: at })),
    ],
  };
}

function commandProblems(
  { run, script }: MatrixExperimentInput,
  { definition, path }: Place,
): readonly Problem[] {
  if ((run === undefined) !== (script === undefined)) return [];
  const what = path.length === 0 ? 'the file' : dotted(path);
  if (run === undefined) {
    const hint = 'For example: run: gzip -{level} --keep data';
    const message = `${what} has neither run nor script: nothing says what to run`;
    return [problemAt(definition, path, message, { hint, part: 'key' })];
  }
  const message = `${what} has run and script: only one of them is allowed`;
  return [problemAt(definition, [...path, 'script'], message, { part: 'key' })];
}

/** A value of a setting and where it stands. */
export interface SettingPlace {
  readonly definition: Definition;
  readonly path: readonly PropertyKey[];
}

/** A list is an axis of its values, anything else has one value. */
export function readAxis(key: string, value: JsonValue, place: SettingPlace): Axis {
  const values = Array.isArray(value)
    ? (value as readonly JsonValue[]).map((one, index) => axisValue(one, [...place.path, index], place))
    : [axisValue(value, place.path, place)];
  return { type: 'setting', key, values };
}

/** An axis without values makes no test at all, which cannot be meant. */
export function checkAxis(value: JsonValue, { definition, path }: SettingPlace): readonly Problem[] {
  if (!Array.isArray(value) || value.length > 0) return [];
  const hint = 'Give it values, or remove the key.';
  return [problemAt(definition, path, `${dotted(path)}: expected at least one value, found []`, { hint })];
}

/** 1.0 and 1 are one number but two texts, in names of folders as in settings.yaml. */
function axisValue(value: JsonValue, path: readonly PropertyKey[], { definition }: SettingPlace): AxisValue {
  if (typeof value !== 'number' || !Number.isInteger(value)) return { value };
  const source = definition.sourceOf?.(path) ?? '';
  return /^[-+\d.][\d_]*[.eE]/.test(source) ? { value, text: pythonFloat(value) } : { value };
}

/** What can be wrong with a template before it is filled. */
export function checkTemplate(
  value: JsonValue | undefined,
  { definition, path, style }: TemplatePlace,
): readonly Problem[] {
  if (value === undefined) return [];
  if (typeof value !== 'string' || value === '') {
    const message = `${dotted(path)}: expected a text with {setting} in it, found ${describeValue(value)}`;
    return [problemAt(definition, path, message)];
  }
  if (value.includes('\0'))
    return [problemAt(definition, path, `${dotted(path)}: a template cannot hold a NUL character`)];
  const template = parseTemplate(value, style);
  return typeof template === 'string' ? [problemAt(definition, path, `${dotted(path)}: ${template}`)] : [];
}

export interface TemplatePlace {
  readonly definition: Definition;
  readonly path: readonly string[];
  readonly style: TemplateStyle;
}
