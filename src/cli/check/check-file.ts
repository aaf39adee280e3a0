import { readDuetFile } from '../../duet/config/read-duet-file.ts';
import { loadExecutor } from '../../executors/cli/place-options.ts';
import { type ExecutorId, isElsewhere, type RunPlace } from '../../executors/core/place.ts';
import type { Task } from '../../home/core/home.ts';
import { planTests } from '../../home/core/sweep/plan-tests.ts';
import { loadWorkload } from '../../matrix/cli/load-workload.ts';
import { readMatbenchFile } from '../../matrix/config/matbench-file.ts';
import { readPlotsFile } from '../../matrix/config/plots-file.ts';
import { isBenchmarkFile, isNativeMatrix, readMatrixFile } from '../../matrix/config/read-matrix-file.ts';
import { readUrlFile } from '../../matrix/config/url-file.ts';
import { readWorkloadFile } from '../../matrix/config/workload/workload-file.ts';
import { selectExperiments } from '../../matrix/core/select-experiments.ts';
import { type CliContext, EXIT, type ExitCode } from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { LARGEST_BYTES, parseYamlDefinition } from '../../platform/config/definition.ts';
import { DefinitionError } from '../../platform/config/definition-problems.ts';
import { messageOf, NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { baseName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { counted } from '../../platform/core/text/numbers.ts';

export interface CheckPlace {
  readonly context: CliContext;
  readonly json: boolean;
}

/** Recognises a definition file by its content, and reports every problem. */
export async function checkFile(file: string, { context, json }: CheckPlace): Promise<ExitCode> {
  const { kinds, problems, seen } = await checkByKind(file, context);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  if (json) {
    const facts = { file, kinds, isUsable: errors === 0, errors, warnings, problems };
    context.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  } else {
    for (const problem of problems) context.stdout.write(describeProblem(problem, context.cwd));
    const summary = seen.length === 0 ? '' : `; ${seen.join('; ')}`;
    context.stdout.write(`${counted(errors, 'error')}, ${counted(warnings, 'warning')}${summary}\n`);
  }
  return errors > 0 ? EXIT.error : EXIT.fine;
}

interface FileCheck {
  readonly kinds: readonly FileKind[];
  readonly problems: readonly Problem[];
  readonly seen: readonly string[];
}

async function checkByKind(file: string, context: CliContext): Promise<FileCheck> {
  if (/\.(?:m?js|m?ts)$/.test(file)) return runChecks(file, { workload: () => checkModule(file, context) });
  const text = await context.disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  const found = recognizeFile(file, text ?? '');
  if (found.state === 'broken') return { kinds: [], problems: found.problems, seen: [] };
  if (found.state === 'unknown') return { kinds: [], problems: [unknownFile(file, found.keys)], seen: [] };
  const checks = found.kinds.map((kind) => [kind, () => checkKind(kind, file, context)] as const);
  return runChecks(file, Object.fromEntries(checks));
}

type Checks = { readonly [kind in FileKind]?: () => Promise<Checked> };

async function runChecks(file: string, checks: Checks): Promise<FileCheck> {
  const kinds = Object.keys(checks) as FileKind[];
  const problems: Problem[] = [];
  const seen: string[] = [];
  for (const kind of kinds) {
    const checked = await checks[kind]?.().catch((error: unknown) => ({ problems: problemsOf(error, file) }));
    problems.push(...(checked?.problems ?? []));
    if (checked && 'seen' in checked) seen.push(checked.seen);
  }
  return { kinds, problems, seen };
}

function problemsOf(error: unknown, file: string): readonly Problem[] {
  if (error instanceof DefinitionError) return error.problems;
  if (!(error instanceof NightmarkError)) throw error;
  const { hint } = error;
  return [{ severity: 'error', file, message: messageOf(error), ...(hint !== undefined && { hint }) }];
}

function unknownFile(file: string, keys: readonly string[]): Problem {
  const found = keys.length === 0 ? 'no keys' : keys.slice(0, 5).join(', ');
  return {
    severity: 'error',
    file,
    message: `${baseName(file)} is not a known definition file: found ${found}`,
    hint: 'Known are duet.yml (duetbench:), matrices (matrix: and run:, or expe:), workloads (fields:), plots (visualize:), url files (download:) and matbench blocks (matbench:); a home is checked by its folder.',
  };
}

const FILE_KINDS = ['duet', 'matbench', 'plots', 'urls', 'workload', 'matrix'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The kinds of a definition file by its keys; one file may be of several kinds, and one with broken YAML of none. */
export type RecognizedFile =
  | { readonly state: 'recognized'; readonly kinds: readonly FileKind[] }
  | { readonly state: 'broken'; readonly problems: readonly Problem[] }
  | { readonly state: 'unknown'; readonly keys: readonly string[] };

function recognizeFile(file: string, text: string): RecognizedFile {
  const parsed = parseYamlDefinition(file, text, { mergesKeys: true, hasOldBooleans: true });
  if (parsed.state === 'broken') return { state: 'broken', problems: parsed.problems };
  const { value } = parsed.definition;
  if (!isJsonObject(value)) return { state: 'unknown', keys: [] };
  const kinds = FILE_KINDS.filter((kind) => SIGNS[kind](value));
  return kinds.length > 0 ? { state: 'recognized', kinds } : { state: 'unknown', keys: Object.keys(value) };
}

const has = (key: string) => (value: JsonObject) => Object.hasOwn(value, key);
const isWorkload = (value: JsonObject) => has('fields')(value) || has('kpis')(value);

const SIGNS: Readonly<Record<FileKind, (value: JsonObject) => boolean>> = {
  duet: has('duetbench'),
  matbench: has('matbench'),
  plots: has('visualize'),
  urls: has('download'),
  workload: isWorkload,
  // A workload has "settings" and "name" as a matrix has, a whole configuration may have anything.
  matrix: (value) =>
    isBenchmarkFile(value) || (isNativeMatrix(value) && !isWorkload(value) && !has('matbench')(value)),
};

export interface Checked {
  readonly problems: readonly Problem[];
  /** A short summary of what was read. */
  readonly seen: string;
}

/** Reads a file as one kind; throws or returns its problems. */
function checkKind(kind: FileKind, file: string, context: CliContext): Promise<Checked> {
  return KINDS[kind](file, context);
}

/** A module has to be loaded to know what it is. */
async function checkModule(file: string, context: CliContext): Promise<Checked> {
  const { kpis } = await loadWorkload(file, context);
  return { problems: [], seen: `a workload with ${counted(kpis.length, 'KPI')}` };
}

const KINDS: Readonly<Record<FileKind, (file: string, context: CliContext) => Promise<Checked>>> = {
  async duet(file, context) {
    const reading = await readDuetFile(file, context);
    const seen =
      reading.state === 'usable'
        ? `${reading.suite.name}: ${reading.suite.benchmarks.length} duets`
        : 'duets';
    return { problems: reading.problems, seen };
  },
  async matbench(file, context) {
    const { block, warnings } = await readMatbenchFile(file, context);
    return { problems: warnings, seen: `a matbench block for the workload ${block.workload}` };
  },
  async plots(file, context) {
    const entries = await readPlotsFile(file, context);
    const plots = entries.flatMap(({ generate, filters }) => filters.flatMap(() => generate));
    return { problems: [], seen: `${counted(plots.length, 'plot')} to draw` };
  },
  async urls(file, context) {
    const entries = await readUrlFile(file, context);
    return { problems: [], seen: `${counted(entries.length, 'tree')} to fetch` };
  },
  async workload(file, context) {
    const { workload, problems } = await readWorkloadFile(file, context);
    const { name, fields, kpis } = workload;
    return {
      problems,
      seen: `workload ${name}: ${counted(fields.length, 'field')}, ${counted(kpis.length, 'KPI')}`,
    };
  },
  async matrix(file, context) {
    const reading = await readMatrixFile(file, { cwd: context.cwd }, context);
    if (reading.state === 'unusable') return { problems: reading.problems, seen: 'a matrix' };
    const { definition, problems } = reading;
    const { tests } = planTests(definition, selectExperiments(definition).experiments);
    const missing = await checkPlaces(file, definition.at ? [definition.at] : []);
    return { problems: [...problems, ...missing], seen: `a matrix of ${counted(tests.length, 'test')}` };
  },
};

/** Problems that would keep the experiments of a home from running on their executors. */
export function checkTaskPlaces(file: string, tasks: readonly Task[]): Promise<readonly Problem[]> {
  return checkPlaces(
    file,
    tasks.flatMap(({ state, at }) => (state === 'active' && at ? [at] : [])),
  );
}

/** Clusters that cannot be reached from here: warnings, because the definition may be meant for another machine. No image is fetched. */
async function checkPlaces(file: string, places: readonly RunPlace[]): Promise<readonly Problem[]> {
  const used = new Set(places.filter(isElsewhere).map(({ executor }) => executor));
  const problems = await Promise.all([...used].map((executor) => whyNotReady(executor, file)));
  return problems.flat();
}

async function whyNotReady(id: ExecutorId, file: string): Promise<readonly Problem[]> {
  try {
    const executor = await loadExecutor(id);
    await executor.ready();
    return [];
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    const { hint } = error;
    const message = `executor: ${id} cannot be used from here: ${messageOf(error)}`;
    return [{ severity: 'warning', file, message, ...(hint !== undefined && { hint }) }];
  }
}
