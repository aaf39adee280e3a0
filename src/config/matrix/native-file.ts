import type { Problem } from '../../core/model/home.ts';
import type { Axis, MatrixDefinition, MatrixExperiment } from '../../core/model/matrix-plan.ts';
import { baseName, dirName, resolvePath } from '../../core/path.ts';
import type { JsonObject, JsonValue } from '../../core/text/json.ts';
import type { Definition } from '../definition.ts';
import { dotted, problemAt, toProblems } from '../issues.ts';
import { keysAt } from '../schema-walk.ts';
import { checkAxis, readAxis } from './axis.ts';
import { type MatrixFileInput, matrixFileSchema, matrixWords } from './native-schema.ts';
import type { MatrixReading } from './read-matrix-file.ts';
import { checkTemplate } from './template.ts';
import { readTestFiles } from './test-files.ts';

/** A matrix in our own words. */
export function readNativeFile(definition: Definition, raw: JsonObject): MatrixReading {
  const dir = dirName(definition.file);
  const result = matrixFileSchema.safeParse(raw);
  if (!result.success) {
    const known = (path: readonly PropertyKey[]) => keysAt(matrixFileSchema, path);
    const problems = toProblems(result.error, { definition, path: [] }, known);
    return { definition: toDefinition({ matrix: {} }, { definition, dir, axes: [] }), problems };
  }
  const { data } = result;
  const settings = settingsOf(definition, raw['matrix'] as JsonObject); // a mapping, by the schema
  const files = readTestFiles(raw['files'], definition, ['files']);
  return {
    definition: {
      ...toDefinition(data, { definition, dir, axes: settings.axes }),
      testFiles: files.files,
    },
    problems: [
      ...settings.problems,
      ...files.problems,
      ...commandProblems(data, definition),
      ...['run', 'script', 'path'].flatMap((key) =>
        checkTemplate(raw[key], { definition, path: [key], style: 'native' }),
      ),
    ],
  };
}

function toDefinition(
  input: MatrixFileInput,
  {
    definition,
    dir,
    axes,
  }: { readonly definition: Definition; readonly dir: string; readonly axes: readonly Axis[] },
): MatrixDefinition {
  const { seed, timeout, results = 'results' } = input;
  return {
    file: definition.file,
    dialect: 'native',
    scriptDirs: [dir],
    resultsDir: resolvePath(dir, results),
    experiments: [toExperiment(input, axes, definition)],
    testFiles: {},
    isRemote: false,
    stopsOnError: input.stop_on_error ?? false,
    order: input.order ?? 'given',
    ...(seed !== undefined && { seed }),
    parallel: input.parallel ?? 1,
    ...(timeout !== undefined && { timeoutMs: timeout }),
    retries: input.retries ?? 0,
  };
}

function toExperiment(input: MatrixFileInput, axes: readonly Axis[], { file }: Definition): MatrixExperiment {
  const { matrix, path, run, script } = input;
  // The file was read as JSON values; the schema leaves those of settings as they are.
  const list = (rules: readonly object[] = []) => rules as readonly JsonObject[];
  return {
    name:
      input.name ??
      (baseName(file)
        .replace(/\.ya?ml$/, '')
        .replace(/^[._]+/, '') ||
        'matrix'),
    ...(path !== undefined && { pathTemplate: path }),
    run: run === undefined ? { type: 'script', template: script ?? '' } : { type: 'command', template: run },
    axes,
    include: list(matrix.include),
    exclude: list(matrix.exclude),
    conditions: (matrix.conditions ?? []) as MatrixExperiment['conditions'],
    repeats: [
      ...numbersAxis('@seed', matrix.seeds),
      ...(matrix.repetitions === undefined ? [] : numbersAxis('@repetition', matrix.repetitions)),
    ],
  };
}

/** A list, or 1 to the count. */
function numbersAxis(key: string, numbers: number | readonly number[] | undefined): readonly Axis[] {
  if (numbers === undefined) return [];
  const list =
    typeof numbers === 'number' ? Array.from({ length: numbers }, (_, index) => index + 1) : numbers;
  return [{ type: 'setting', key, values: list.map((value) => ({ value })) }];
}

function settingsOf(
  definition: Definition,
  matrix: JsonObject,
): { readonly axes: readonly Axis[]; readonly problems: readonly Problem[] } {
  const direct = Object.entries(matrix).filter(([key]) => !Object.hasOwn(matrixWords.shape, key));
  const named = Object.entries((matrix['settings'] ?? {}) as JsonObject);
  const places = [
    ...direct.map(([key, value]) => ({ key, value, path: ['matrix', key] })),
    ...named.map(([key, value]) => ({ key, value, path: ['matrix', 'settings', key] })),
  ];
  const twice = named
    .filter(([key]) => direct.some(([other]) => other === key))
    .map(([key]) => {
      const path = ['matrix', 'settings', key];
      return problemAt(definition, path, `${dotted(path)} is there twice: also directly below matrix`, {
        part: 'key',
      });
    });
  return {
    axes: places.map(({ key, value, path }) => readAxis(key, value as JsonValue, { definition, path })),
    problems: [...twice, ...places.flatMap(({ value, path }) => checkAxis(value, { definition, path }))],
  };
}

function commandProblems({ run, script }: MatrixFileInput, definition: Definition): readonly Problem[] {
  if ((run === undefined) !== (script === undefined)) return [];
  if (run === undefined) {
    const hint = 'For example: run: gzip -{level} --keep data';
    return [
      problemAt(definition, [], 'the file has neither run nor script: nothing says what to run', { hint }),
    ];
  }
  return [problemAt(definition, ['script'], 'run and script cannot both be there', { part: 'key' })];
}
