import { HERE, type RunPlace } from '../../executors/core/place.ts';
import { checkTemplate } from '../../home/config/matrix-block.ts';
import type { MatrixDefinition } from '../../home/core/matrix-definition.ts';
import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { dirName, resolvePath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import { readBenchmarkExperiment } from './benchmark-experiment.ts';
import { type Flags, namesFlag, readFlags, typedFlag } from './benchmark-flags.ts';
import { type MatrixReading, type MatrixReadOptions, readTestFiles } from './matrix-reading.ts';

const KNOWN = ['common_settings', 'expe', 'test_files'];

/** Reads a benchmark file of the original tool. */
export function readBenchmarkFile(
  definition: Definition,
  raw: JsonObject,
  { cwd, hasCommaLists = false }: MatrixReadOptions,
): MatrixReading {
  const flags = readFlags(raw, definition);
  const options = readFlagValues(flags, definition, cwd);
  const files = readTestFiles(raw['test_files'], definition, ['test_files']);
  const common = mapping(raw, 'common_settings', definition);
  const expe = mapping(raw, 'expe', definition);
  const [pathTemplate, script] = ['path_tpl', 'script_tpl'].map((name) => flags.flags.get(name)?.value);
  const experiments = Object.entries(expe.value).map(([name, own]) =>
    readBenchmarkExperiment(name, own, {
      definition,
      common: common.value,
      pathTemplate: typeof pathTemplate === 'string' ? pathTemplate : undefined,
      scriptTemplate: typeof script === 'string' ? script : '',
      hasCommaLists,
    }),
  );
  return {
    definition: {
      file: definition.file,
      dialect: 'benchmark',
      // The original tool searches only the folder it was started in; we search that of the file as well.
      scriptDirs: [cwd, dirName(definition.file)],
      ...options.values,
      experiments: experiments.map(({ experiment }) => experiment),
      testFiles: files.files,
      order: 'given',
      retries: 0,
    },
    problems: [
      ...flags.problems,
      ...options.problems,
      ...[files, common, expe, ...experiments].flatMap(({ problems }) => problems),
      ...(flags.flags.has('script_tpl') ? [] : [noScript(definition)]),
      ...unknownKeys(raw, definition),
    ],
  };
}

type FlagValues = Pick<
  MatrixDefinition,
  'resultsDir' | 'wanted' | 'filters' | 'isRemote' | 'stopsOnError' | 'at'
>;

function readFlagValues(
  flags: Flags,
  definition: Definition,
  cwd: string,
): { readonly values: FlagValues; readonly problems: readonly Problem[] } {
  const text = (name: string) => typedFlag<string>(flags, name, { type: 'string', definition });
  const yes = (name: string) => typedFlag<boolean>(flags, name, { type: 'boolean', definition });
  const [results, filters] = [text('results_dirname'), text('filters')];
  const [stops, remote] = [yes('stop_on_error'), yes('remote_mode')];
  const [image, engine] = [text('image'), text('engine')];
  const wanted = namesFlag(flags, 'expe_to_run', definition);
  const templates = ['path_tpl', 'script_tpl'].flatMap((name) => {
    const { value, key = '' } = flags.flags.get(name) ?? {};
    return checkTemplate(value, { definition, path: [key], style: 'benchmark' });
  });
  return {
    values: {
      ...(results.value !== undefined && { resultsDir: resolvePath(cwd, results.value) }),
      ...(wanted.value && { wanted: wanted.value }),
      ...(filters.value !== undefined && { filters: filters.value }),
      ...(image.value !== undefined && {
        at: containerOf(image.value, engine.value),
      }),
      isRemote: remote.value ?? false,
      stopsOnError: stops.value ?? false,
    },
    problems: [
      ...[results, filters, image, engine, stops, remote, wanted].flatMap(({ problems }) => problems),
      ...templates,
    ],
  };
}

function mapping(
  raw: JsonObject,
  key: string,
  definition: Definition,
): { readonly value: JsonObject; readonly problems: readonly Problem[] } {
  const value = raw[key];
  if (isJsonObject(value)) return { value, problems: [] };
  const isNeeded = key === 'expe';
  if ((value === undefined || value === null) && !isNeeded) return { value: {}, problems: [] };
  const message = `${dotted([key])}: expected a mapping of names to settings, found ${describeValue(value)}`;
  return { value: {}, problems: [problemAt(definition, [key], message)] };
}

function noScript(definition: Definition): Problem {
  const hint = 'For example: --script-tpl: "run_{kind}.sh", a path from the folder you start in.';
  return problemAt(definition, [], 'the file has no --script-tpl: there is nothing to run', { hint });
}

/** The original tool ignores them; a typing mistake would go unnoticed. */
function unknownKeys(raw: JsonObject, definition: Definition): readonly Problem[] {
  return Object.keys(raw)
    .filter((key) => !key.startsWith('--') && !KNOWN.includes(key))
    .flatMap((key) => {
      const close = nearest(key, KNOWN);
      if (close === undefined) return [];
      const hint = `Did you mean "${close}"?`;
      const problem = problemAt(definition, [key], `${dotted([key])} is not used`, { hint, part: 'key' });
      return [{ ...problem, severity: 'warning' as const }];
    });
}

function containerOf(image: string, engine: string | undefined): RunPlace {
  const container = { image, ...(engine !== undefined && { engine }) };
  return { ...HERE, executor: 'container', place: { container } };
}
