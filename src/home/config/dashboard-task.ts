import type { Pinning } from '../../executors/core/executor.ts';
import type { Source } from '../../git/core/source-control.ts';
import { type Definition, readDefinition } from '../../platform/config/definition.ts';
import { describeValue, problemAt, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import type { HomeFolders, Implementation, Task } from '../core/home.ts';
import { isTruthy } from '../core/status.ts';
import {
  type ExperimentInput,
  experimentSchema,
  scoreSchema,
  subsystemSchema,
  type TopInput,
} from './dashboard-schema.ts';
import { asBroken, builtIn, findFolder, type ReadContext, type TaskReading } from './home-inspection.ts';
import { toSources } from './source-schema.ts';
import { CORES, parseCores, toTimeouts } from './task-policies.ts';

/** What all tasks of a home share. */
export interface CommonSettings {
  readonly input: TopInput;
  readonly sources: ReadonlyMap<string, Source>;
  readonly folders: HomeFolders;
  readonly context: ReadContext;
}

export interface TaskPlace {
  readonly kind: Task['kind'];
  readonly name: string;
  readonly configDir: string;
}

/** Reads one task. Whatever is wrong with it stays with it: the task is broken, the home goes on. */
export async function readTask(place: TaskPlace, common: CommonSettings): Promise<TaskReading> {
  const { name, configDir } = place;
  const file = joinPath(configDir, 'config.json');
  const implementation = await findImplementation(place, common);
  const empty = toTask(place, { active: true }, { common, implementation });
  const parsed = await readDefinition(file, common.context.disk);
  const problem = `config.json for ${name} is missing or fails to parse`;
  if (parsed?.state !== 'parsed' || !isJsonObject(parsed.definition.value)) {
    const causes = parsed?.state === 'broken' ? parsed.problems : [];
    const problems = causes.length > 0 ? causes : [{ severity: 'error' as const, file, message: problem }];
    return { task: asBroken(empty, problem), problems: problems.map(named(problem)), path: [] };
  }
  const { definition } = parsed;
  const reading = readFields(place, definition, { common, implementation, empty });
  return { ...reading, definition, path: [] };
}

interface Parts {
  readonly common: CommonSettings;
  readonly implementation: Implementation;
}

function readFields(
  place: TaskPlace,
  definition: Definition,
  { common, implementation, empty }: Parts & { readonly empty: Task },
): { readonly task: Task; readonly problems: readonly Problem[] } {
  const config = definition.value as JsonObject; // checked by the caller
  if (!Object.hasOwn(config, 'active')) {
    const message = `config.json for ${place.name} has no 'active' field`;
    return { task: asBroken(empty, message), problems: [problemAt(definition, [], message)] };
  }
  const isActive = isTruthy(config['active'] ?? null);
  const schema = schemaOf(place, implementation);
  const result = schema.safeParse(config);
  const input = (result.success ? result.data : { active: isActive }) as ExperimentInput;
  const problems = result.success
    ? whyRefused(place, input, { definition, common })
    : toProblems(result.error, { definition, path: [] }, (path) => keysAt(schema, path));
  const task = toTask(place, input, { common, implementation });
  const state: Task = { ...task, state: isActive ? 'active' : 'inactive' };
  if (problems.length === 0) return { task: state, problems };
  if (!isActive) return { task: state, problems: problems.map((p) => ({ ...p, severity: 'warning' })) };
  const messages = problems.map(({ message }) => message).join('; ');
  return { task: asBroken(state, `config.json for ${place.name}: ${messages}`), problems };
}

function schemaOf({ kind }: TaskPlace, implementation: Implementation) {
  if (kind === 'experiment') return experimentSchema;
  return implementation.type === 'built-in' && implementation.id === 'score' ? scoreSchema : subsystemSchema;
}

function toTask(
  { kind, name, configDir }: TaskPlace,
  input: ExperimentInput,
  { common, implementation }: Parts,
): Task {
  const { input: top } = common;
  const pinning = toPinning(input);
  const isExperiment = kind === 'experiment';
  return {
    kind,
    name,
    state: 'active',
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.description === undefined ? {} : { description: input.description }),
    notify: input.notify ?? [],
    priority: input.priority ?? 0,
    after: input.after ?? [],
    configDir,
    implementation,
    env: { ...top.env, ...input.env },
    timeoutMs: toTimeouts(kind, input.timeout, top.timeout),
    retries: input.retries ?? top.retries ?? 0,
    rerunSetup: isExperiment && (input.rerun_setup ?? false),
    ...(isExperiment && pinning ? { pinning } : {}),
    telemetry: {
      cpu: isExperiment && (input.run_cpu_telemetry ?? top.run_cpu_telemetry ?? false),
      gpu: isExperiment && (input.run_gpu_telemetry ?? top.run_gpu_telemetry ?? false),
      rateSeconds: (isExperiment ? input.telemetry_rate : undefined) ?? top.telemetry_rate ?? 15,
    },
    sources: isExperiment ? [...tvmSource(input, common), ...sourcesOf(input, common)] : [],
  };
}

function toPinning(input: ExperimentInput): Pinning | undefined {
  return wantsPinning(input) ? parseCores(input.process_pinning?.cores) : undefined;
}

/** The original builds another TVM for the experiment; here that is a source like any other. */
function tvmSource(input: ExperimentInput, { context }: CommonSettings): readonly Source[] {
  const { tvm_remote: remote = 'origin', tvm_branch: branch = 'master' } = input;
  if (remote === 'origin' && branch === 'master') return [];
  const git = remote === 'origin' ? (context.env['TVM_HOME'] ?? '') : remote;
  return [{ name: 'tvm', git, ref: branch, build: 'make -j', skipWhenUnchanged: false, keep: 5 }];
}

function sourcesOf(input: ExperimentInput, { sources, context }: CommonSettings): readonly Source[] {
  return toSources(input.sources, sources, context).sources;
}

async function findImplementation(
  { kind, name }: TaskPlace,
  common: CommonSettings,
): Promise<Implementation> {
  const { folders, context } = common;
  const searched = kind === 'experiment' ? folders.experiments : folders.subsystems;
  const dir = await findFolder(name, searched, context.disk);
  if (dir === undefined && kind === 'subsystem') return builtIn(name) ?? { type: 'scripts', dir };
  return { type: 'scripts', dir };
}

/** The cause with its place, and the sentence that the night will record. */
function named(sentence: string): (problem: Problem) => Problem {
  return (problem) =>
    problem.message === sentence ? problem : { ...problem, message: `${sentence}: ${problem.message}` };
}

/** What the schema alone cannot check. */
function whyRefused(
  { kind, name }: TaskPlace,
  input: ExperimentInput,
  { definition, common }: { readonly definition: Definition; readonly common: CommonSettings },
): readonly Problem[] {
  const problems: Problem[] = [];
  if (kind === 'subsystem') return problems;
  if (name === 'telemetry') {
    const hint = 'Give the experiment another name.';
    problems.push(
      problemAt(definition, [], 'the name "telemetry" is taken by the folder of raw telemetry', { hint }),
    );
  }
  if (wantsPinning(input) && parseCores(input.process_pinning?.cores) === undefined) {
    const cores = describeValue(input.process_pinning?.cores as JsonValue);
    const message = `process_pinning.cores: expected ${CORES}, found ${cores}`;
    problems.push(problemAt(definition, ['process_pinning', 'cores'], message));
  }
  const { tvm_remote: remote = 'origin', tvm_branch: branch = 'master' } = input;
  if (remote === 'origin' && branch !== 'master' && !common.context.env['TVM_HOME']) {
    const message = `tvm_branch is ${JSON.stringify(branch)}, but TVM_HOME is not set`;
    problems.push(
      problemAt(definition, ['tvm_branch'], message, { hint: 'Set TVM_HOME to a checkout of TVM.' }),
    );
  }
  for (const unknown of toSources(input.sources, common.sources, common.context).unknown) {
    const message = `sources: there is no source ${JSON.stringify(unknown)} in the top file`;
    problems.push(problemAt(definition, ['sources'], message));
  }
  return problems;
}

/** Both fields are needed, as in the original. */
function wantsPinning({ process_pinning: pinning }: ExperimentInput): boolean {
  return (pinning?.enable ?? false) && isTruthy((pinning?.cores ?? null) as JsonValue);
}
