import { type ExperimentBlock, readExperiment } from '../../home/config/matrix-block.ts';
import { type MatrixFileInput, matrixFileSchema } from '../../home/config/matrix-schema.ts';
import { placeThere, readPlace } from '../../home/config/run-place.ts';
import type { TelemetrySwitches } from '../../home/core/home.ts';
import type { MatrixDefinition, MatrixExperiment } from '../../home/core/matrix-definition.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { dotted, problemAt, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName, dirName, resolvePath, whyInvalidName } from '../../platform/core/path.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { type MatrixReading, readTestFiles } from './matrix-reading.ts';

/** Reads a matrix file in our own format. */
export function readNativeFile(definition: Definition, raw: JsonObject): MatrixReading {
  const result = matrixFileSchema.safeParse(raw);
  if (!result.success) {
    const known = (path: readonly PropertyKey[]) => keysAt(matrixFileSchema, path);
    const problems = toProblems(result.error, { definition, path: [] }, known);
    return { definition: toDefinition({}, definition, []), problems };
  }
  const { data } = result;
  const experiments = blocksOf(data, raw, definition).map((block) => readExperiment(block, definition));
  const files = readTestFiles(raw['files'], definition, ['files']);
  const all = toDefinition(
    data,
    definition,
    experiments.map(({ experiment }) => experiment),
  );
  return {
    definition: { ...all, testFiles: files.files },
    problems: [
      ...formProblems(data, definition),
      ...placeProblems(data, definition),
      ...experiments.flatMap(({ problems }) => problems),
      ...files.problems,
    ],
  };
}

function blocksOf(input: MatrixFileInput, raw: JsonObject, { file }: Definition): readonly ExperimentBlock[] {
  if (input.experiments === undefined) {
    const name = baseName(file)
      .replace(/\.ya?ml$/, '')
      .replace(/^[._]+/, '');
    const own = { ...input, matrix: input.matrix ?? {} };
    return [{ name: input.name ?? (name || 'matrix'), input: own, raw, path: [] }];
  }
  const blocks = raw['experiments'] as Readonly<Record<string, JsonObject>>; // mappings, by the schema
  return Object.entries(input.experiments).map(([name, own]) => ({
    name,
    input: own,
    raw: blocks[name] ?? {},
    path: ['experiments', name],
  }));
}

function toDefinition(
  input: MatrixFileInput,
  { file }: Definition,
  experiments: readonly MatrixExperiment[],
): MatrixDefinition {
  const { seed, timeout, parallel, results = 'results' } = input;
  const at = placeThere(readPlace(input));
  const dir = dirName(file);
  return {
    file,
    dialect: 'native',
    scriptDirs: [dir],
    resultsDir: resolvePath(dir, results),
    experiments,
    testFiles: {},
    isRemote: false,
    stopsOnError: input.stop_on_error ?? false,
    order: input.order ?? 'given',
    ...(seed !== undefined && { seed }),
    ...(parallel !== undefined && { parallel }),
    ...(timeout !== undefined && { timeoutMs: timeout }),
    retries: input.retries ?? 0,
    ...(at && { at }),
    ...(input.telemetry !== undefined && { telemetry: switchesOf(input.telemetry) }),
    ...(input.measure !== undefined && { measures: input.measure }),
  };
}

/** The default is each second: tests are shorter than nightly runs. */
function switchesOf(input: NonNullable<MatrixFileInput['telemetry']>): TelemetrySwitches {
  const { cpu, gpu = false, every = 1000 } = typeof input === 'object' ? input : { cpu: input };
  return { cpu: cpu ?? true, gpu, rateSeconds: every / 1000 };
}

function placeProblems(input: MatrixFileInput, definition: Definition): readonly Problem[] {
  const reading = readPlace(input);
  if (reading.state === 'usable') return [];
  return reading.faults.map(({ key, message, hint }) =>
    problemAt(definition, [key], message, { part: 'key', ...(hint !== undefined && { hint }) }),
  );
}

/** One matrix at the top, or several by name. */
function formProblems(input: MatrixFileInput, definition: Definition): readonly Problem[] {
  const { experiments } = input;
  if (experiments === undefined) {
    if (input.matrix !== undefined) return [];
    const hint = 'For example: matrix: {level: [1, 9]}';
    return [problemAt(definition, [], 'the file has no matrix', { hint })];
  }
  const beside = (['name', 'matrix', 'run', 'script', 'path'] as const).filter(
    (key) => input[key] !== undefined,
  );
  const misplaced = beside.map((key) => {
    const hint = 'Move it into an experiment.';
    return problemAt(definition, [key], `${key} cannot stand beside experiments`, { hint, part: 'key' });
  });
  const unnamed = Object.keys(experiments).flatMap((name) => {
    const reason = whyInvalidName(name) ?? (name.startsWith('.') ? 'it begins with "."' : undefined);
    if (reason === undefined) return [];
    const path = ['experiments', name];
    const message = `${dotted(path)} cannot be the name of a folder: ${reason}`;
    return [problemAt(definition, path, message, { part: 'key' })];
  });
  return [...misplaced, ...unnamed];
}
