import { identityOf } from '../../../formats/core/kpi/matrix-entry.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { type Combination, combinationsOf, countCombinations } from './expand-axes.ts';
import {
  type Filled,
  fillCommand,
  fillTemplate,
  parseTemplate,
  type Template,
  type TextOf,
  templateText,
} from './fill-template.ts';
import type { MatrixDefinition, MatrixExperiment, PlannedTest } from './matrix-plan.ts';

/** More than anybody waits for; the plan is held in memory. */
export const MOST_TESTS = 200_000;

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

/** The reader has looked at templates already. */
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
    return `the ${what} asks for {${filled.name}}, which this test has not set (it has: ${known})`;
  }
  const hostile = Object.entries(settings).find(
    ([, value]) => typeof value === 'string' && value.includes('\0'),
  );
  return hostile && `the setting ${hostile[0]} contains a NUL character`;
}

function varyingKeys({ axes, repeats, include, conditions }: MatrixExperiment): ReadonlySet<string> {
  const several = [...axes, ...repeats].filter(({ values }) => values.length > 1);
  return new Set([
    ...several.flatMap((axis) => (axis.type === 'setting' ? [axis.key] : axis.values.flatMap(Object.keys))),
    ...include.flatMap(Object.keys),
    ...conditions.flatMap(({ set }) => Object.keys(set)),
  ]);
}

/** level=1,size=10: what tells the tests of an experiment apart. */
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
