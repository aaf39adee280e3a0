import { identityOf } from '../../../formats/core/kpi/matrix-entry.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { pythonYaml } from '../../../platform/core/python/python-yaml.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Axis, MatrixDefinition, MatrixExperiment, PlannedTest } from '../matrix-definition.ts';
import {
  type Filled,
  fillCommand,
  fillTemplate,
  parseTemplate,
  type Template,
  type TextOf,
  templateText,
} from './fill-template.ts';

/** More than anybody waits for; the plan is held in memory. */
const MOST_TESTS = 200_000;

/** Where the matrix is written, and whose rules hold for its templates. */
type PlannedFile = Pick<MatrixDefinition, 'file' | 'dialect'>;

export interface MatrixPlan {
  readonly tests: readonly PlannedTest[];
  /** Tests that were there twice and are planned once. */
  readonly repeated: number;
}

/** The tests of the experiments, in the order of the file. The same definition gives the same plan. */
export function planTests(definition: PlannedFile, experiments: readonly MatrixExperiment[]): MatrixPlan {
  refuseTooMany(definition, experiments);
  const tests: PlannedTest[] = [];
  let repeated = 0;
  for (const experiment of experiments) {
    const toTest = testMaker(experiment, definition);
    const seen = new Set<string>();
    for (const combination of combinationsOf(experiment)) {
      const identity = identityOf(combination.settings);
      if (seen.has(identity)) repeated++;
      else tests.push(toTest(combination));
      seen.add(identity);
    }
  }
  return { tests, repeated };
}

/** By what a test is found again: its experiment and its settings. */
export function testKey({ experiment, settings }: Pick<PlannedTest, 'experiment' | 'settings'>): string {
  return `${experiment}\0${identityOf(settings)}`;
}

function refuseTooMany({ file }: PlannedFile, experiments: readonly MatrixExperiment[]): void {
  const count = experiments.reduce((sum, experiment) => sum + countCombinations(experiment), 0);
  if (count <= MOST_TESTS) return;
  throw new NightmarkError(
    'MATRIX_TOO_LARGE',
    `${file} makes ${count} combinations; at most ${MOST_TESTS} can be planned.`,
    { hint: 'Run some experiments at a time (--expe), or give an axis fewer values.' },
  );
}

/** File systems hold names of 255 bytes; a number and "__" come before. */
const LONGEST_PATH_BYTES = 240;

function testMaker(
  experiment: MatrixExperiment,
  { dialect }: PlannedFile,
): (combination: Combination) => PlannedTest {
  const { name, pathTemplate, run } = experiment;
  const command = parsed(run.template, dialect);
  const path = pathTemplate === undefined ? undefined : parsed(pathTemplate, dialect);
  const varying = varyingKeys(experiment);
  return ({ settings, texts }) => {
    const textOf: TextOf = (key) => {
      const known = [key, `@${key}`].find((it) => Object.hasOwn(settings, it));
      return known === undefined
        ? undefined
        : (texts[known] ?? templateText(settings[known] ?? null, dialect));
    };
    const folder: Filled = path
      ? fillTemplate(path, textOf)
      : { state: 'filled', text: usualPath(settings, varying, textOf) };
    const line = fillCommand(command, textOf);
    const problem = problemOf(folder, line, settings);
    return {
      experiment: name,
      settings,
      texts,
      path: folder.state === 'filled' ? asFolderName(folder.text) : '',
      command: line.state === 'filled' ? line.text : '',
      isScript: run.type === 'script',
      ...(problem !== undefined && { problem }),
    };
  };
}

/** The reader has checked templates already. */
function parsed(text: string, dialect: MatrixDefinition['dialect']): Template {
  const template = parseTemplate(text, dialect);
  if (typeof template !== 'string') return template;
  throw new NightmarkError('MATRIX_BAD_TEMPLATE', `The template "${text}" cannot be used: ${template}.`);
}

function problemOf(path: Filled, command: Filled, settings: JsonObject): string | undefined {
  for (const [what, filled] of [
    ['path', path],
    ['command', command],
  ] as const) {
    if (filled.state === 'filled') continue;
    const known = Object.keys(settings).join(', ') || 'none';
    return `the ${what} needs {${filled.name}}, which this test does not set (it has: ${known})`;
  }
  const withNul = Object.entries(settings).find(
    ([, value]) => typeof value === 'string' && value.includes('\0'),
  );
  return withNul && `the setting ${withNul[0]} contains a NUL character`;
}

function varyingKeys({ axes, repeats, include, conditions }: MatrixExperiment): ReadonlySet<string> {
  const several = [...axes, ...repeats].filter(({ values }) => values.length > 1);
  return new Set([
    ...several.flatMap((axis) => (axis.type === 'setting' ? [axis.key] : axis.values.flatMap(Object.keys))),
    ...include.flatMap(Object.keys),
    ...conditions.flatMap(({ set }) => Object.keys(set)),
  ]);
}

/** level=1,size=10: what distinguishes the tests of an experiment. */
function usualPath(settings: JsonObject, varying: ReadonlySet<string>, textOf: TextOf): string {
  const keys = Object.keys(settings).filter((key) => varying.has(key));
  return keys.map((key) => `${key.replace(/^@/, '')}=${textOf(key)}`).join(',') || 'test';
}

/** One part of a path that every file system takes; the number before it makes it unique. */
function asFolderName(path: string): string {
  let name = '';
  let bytes = 0;
  for (const character of path.replaceAll('/', '_').replace(/\p{Cc}/gu, '_')) {
    bytes += utf8Length(character.codePointAt(0) ?? 0);
    if (bytes > LONGEST_PATH_BYTES) return name;
    name += character;
  }
  return name;
}

function utf8Length(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** Settings of one test, and the numbers of them that are written in another way than their value is printed. */
export interface Combination {
  readonly settings: JsonObject;
  readonly texts: Readonly<Record<string, string>>;
}

/** How many combinations the axes of an experiment make, before any is left out. */
export function countCombinations({ axes, include, repeats }: MatrixExperiment): number {
  const product = (list: readonly Axis[]) => list.reduce((count, { values }) => count * values.length, 1);
  const included = include.reduce((sum, extra) => sum + product(toAxes(extra)), 0);
  return (product(axes) + included) * product(repeats);
}

/** All combinations of an experiment in their order: keys as in the file, the last axis fastest, included ones last. */
function* combinationsOf(experiment: MatrixExperiment): Generator<Combination> {
  const { axes, include, exclude, conditions, repeats } = experiment;
  for (const combination of product([...axes, ...repeats])) {
    const whole = withConditions(combination, conditions);
    if (!exclude.some((rule) => matches(whole.settings, rule))) yield whole;
  }
  const fixed = axes.filter(({ values }) => values.length === 1);
  for (const extra of include) {
    for (const combination of product([...fixed, ...toAxes(extra), ...repeats])) {
      yield withConditions(combination, conditions);
    }
  }
}

/** Whether the settings have all values of the rule; a list in the rule means any of its values. */
function matches(settings: JsonObject, rule: JsonObject): boolean {
  return Object.entries(rule).every(([key, wanted]) => {
    if (!Object.hasOwn(settings, key)) return false;
    const value = settings[key] as JsonValue;
    return Array.isArray(wanted) ? wanted.some((one) => isEqual(value, one)) : isEqual(value, wanted);
  });
}

function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return identityOf({ it: a }) === identityOf({ it: b });
}

/** Counts through the axes like the digits of a number. */
function* product(axes: readonly Axis[]): Generator<Combination> {
  if (axes.some(({ values }) => values.length === 0)) return;
  const digits = axes.map(() => 0);
  for (;;) {
    yield combine(axes, digits);
    let place = axes.length - 1;
    while (place >= 0 && digits[place] === (axes[place]?.values.length ?? 0) - 1) digits[place--] = 0;
    if (place < 0) return;
    digits[place] = (digits[place] ?? 0) + 1;
  }
}

function combine(axes: readonly Axis[], digits: readonly number[]): Combination {
  const settings: [string, JsonValue][] = [];
  const texts: [string, string][] = [];
  axes.forEach((axis, place) => {
    const digit = digits[place] ?? 0;
    if (axis.type === 'alternatives') settings.push(...Object.entries(axis.values[digit] ?? {}));
    else {
      const { value = null, text } = axis.values[digit] ?? {};
      settings.push([axis.key, value]);
      if (text !== undefined) texts.push([axis.key, text]);
    }
  });
  return withoutStale(settings, texts);
}

/** A later value of the same key wins, and with it its text. */
function withoutStale(
  settings: readonly (readonly [string, JsonValue])[],
  texts: readonly [string, string][],
): Combination {
  const merged = Object.fromEntries(settings);
  if (texts.length === 0) return { settings: merged, texts: {} };
  const good = texts.filter(([key, text]) => merged[key] === Number(text));
  return { settings: merged, texts: Object.fromEntries(good) };
}

function withConditions(combination: Combination, conditions: MatrixExperiment['conditions']): Combination {
  if (conditions.length === 0) return combination;
  let { settings } = combination;
  for (const { when, set } of conditions) if (matches(settings, when)) settings = { ...settings, ...set };
  return withoutStale(Object.entries(settings), Object.entries(combination.texts));
}

function toAxes(extra: JsonObject): readonly Axis[] {
  return Object.entries(extra).map(([key, value]) => ({
    type: 'setting',
    key,
    values: (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map((one) => ({ value: one })),
  }));
}

/** Names of what we write into the folder of a test. */
export const SETTINGS_FILE = 'settings.yaml';
export const LOG_FILE = 'run.log';
export const EXIT_CODE_FILE = 'exit_code';

/** The folder of a test below that of its experiment: 007__m1_4u. */
export function testFolderName(number: number, path: string): string {
  return `${String(number).padStart(3, '0')}__${path}`;
}

/** The number of a folder that a run made; undefined for any other. */
export function testFolderNumber(name: string): number | undefined {
  const digits = /^(\d{1,9})__/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** A file that is written beside the settings: a text as it is, any other value as YAML. */
export function testFileText(value: JsonValue): string {
  return typeof value === 'string' ? value : pythonYaml(value);
}
