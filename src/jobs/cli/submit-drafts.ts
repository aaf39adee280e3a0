import { planTests } from '../../home/core/sweep/plan-tests.ts';
import { readMatrixFile } from '../../matrix/config/read-matrix-file.ts';
import { selectExperiments } from '../../matrix/core/select-experiments.ts';
import { type CliContext, listOption, type Options, textOption } from '../../platform/cli/command.ts';
import { describeProblem } from '../../platform/cli/describe-problem.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import type { JobDraft } from '../app/submit-jobs.ts';
import { parseAxis, parseJobConfig, parseSetting } from '../config/job-settings.ts';
import { setPath } from '../core/dotted-keys.ts';
import type { JobProgram } from '../core/job.ts';

const MOST_JOBS = 100_000;

/** One job, or one for each combination of a sweep or a matrix file. */
export async function draftsOf(
  base: JobDraft,
  options: Options,
  context: CliContext,
): Promise<readonly JobDraft[]> {
  const overrides = await overridesOf(options, context);
  const points = await sweepOf(options, context);
  if (points === undefined) return [{ ...base, overrides }];
  if (points.length === 0 || points.length > MOST_JOBS)
    throw new NightmarkError('JOBS_SWEEP', `The sweep has ${points.length} combinations.`, {
      hint: `At least one and at most ${MOST_JOBS} are taken at once.`,
    });
  const sweep = `${base.name}-${context.clock.now().toString(36)}`;
  return points.map((point) => ({
    ...base,
    sweep,
    name: `${base.name}_${pointName(point)}`.slice(0, 200),
    program: filled(base.program, point),
    overrides: Object.entries(point).reduce(
      (all, [key, value]) => setPath(all, key.split('.'), value),
      overrides,
    ),
  }));
}

async function overridesOf(options: Options, { cwd, disk }: CliContext): Promise<JsonObject> {
  const file = textOption(options, 'config');
  let config: JsonObject = {};
  if (file !== undefined) {
    const path = resolvePath(cwd, file);
    const text = await disk.readText(path, { maxBytes: 16 * 1024 * 1024 });
    if (text === undefined)
      throw new NightmarkError('JOBS_CONFIG', `There is no file ${path}.`, {
        hint: 'Check the path of --config.',
      });
    config = parseJobConfig(path, text);
  }
  for (const setting of listOption(options, 'set')) {
    const [path, value] = parseSetting(setting);
    config = setPath(config, path, value);
  }
  return config;
}

async function sweepOf(options: Options, context: CliContext): Promise<readonly JsonObject[] | undefined> {
  const axes = listOption(options, 'sweep').map(parseAxis);
  const file = textOption(options, 'matrix');
  if (axes.length === 0 && file === undefined) return undefined;
  const points = file === undefined ? [{}] : await matrixPoints(file, context);
  return axes.reduce<readonly JsonObject[]>((all, [key, values]) => {
    if (all.length * values.length > MOST_JOBS) return Array.from({ length: MOST_JOBS + 1 }, () => ({}));
    return all.flatMap((point) => values.map((value) => ({ ...point, [key]: value })));
  }, points);
}

async function matrixPoints(file: string, context: CliContext): Promise<readonly JsonObject[]> {
  const reading = await readMatrixFile(
    resolvePath(context.cwd, file),
    { cwd: context.cwd, hasCommaLists: false },
    context,
  );
  for (const problem of reading.problems) context.stderr.write(describeProblem(problem, context.cwd));
  if (reading.state === 'unusable')
    throw new NightmarkError('JOBS_SWEEP', `${file} cannot be used as a matrix.`, {
      hint: 'Its problems are listed above.',
    });
  const { experiments } = selectExperiments(reading.definition, undefined);
  return planTests(reading.definition, experiments).tests.map(({ settings }) => settings);
}

/** Replaces `{lr}` in arguments of a command; other braces stay. */
function filled(program: JobProgram, point: JsonObject): JobProgram {
  if (program.type === 'script') return program;
  const fill = (word: string) =>
    word.replace(/\{([\w.-]+)\}/g, (whole, key: string) =>
      Object.hasOwn(point, key) ? valueText(point[key]) : whole,
    );
  const [first, ...rest] = program.argv;
  return { type: 'command', argv: [fill(first), ...rest.map(fill)] };
}

function pointName(point: JsonObject): string {
  return Object.entries(point)
    .map(([key, value]) => `${key}=${valueText(value)}`)
    .join(',');
}

function valueText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
