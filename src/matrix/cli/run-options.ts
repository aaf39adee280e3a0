import { chosenPlace } from '../../executors/cli/place-options.ts';
import { MEASURES, type Measure } from '../../executors/core/measures.ts';
import { isElsewhere, type RunPlace } from '../../executors/core/place.ts';
import type { TelemetrySwitches } from '../../home/core/home.ts';
import type { MatrixDefinition } from '../../home/core/matrix-definition.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { parseDuration } from '../../platform/config/durations-and-sizes.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { RunMode } from '../app/run/run-matrix.ts';

/** The settings of a run: those of the file, overridden by the command line. */
export interface RunSettings {
  readonly resultsDir: string;
  readonly names?: readonly string[];
  readonly filter: string;
  readonly jobs: number;
  readonly order: 'given' | 'random';
  readonly seed: number;
  readonly timeoutMs?: number;
  readonly retries: number;
  readonly stopsOnError: boolean;
  readonly mode: RunMode;
  readonly isRemote: boolean;
  readonly at: RunPlace;
  readonly telemetry?: TelemetrySwitches;
  readonly measures?: readonly Measure[];
}

export function runSettings(
  definition: MatrixDefinition,
  options: Options,
  context: CliContext,
): RunSettings {
  const names = textOption(options, 'expe')?.split(',') ?? definition.wanted;
  const timeoutMs = durationOption(options, 'timeout') ?? definition.timeoutMs;
  const at = chosenPlace(definition.at, options, context);
  const telemetry = telemetryOption(options) ?? definition.telemetry;
  const measures = measureOption(options) ?? definition.measures;
  return {
    resultsDir: resultsDirOf(definition, options, context),
    ...(names !== undefined && { names }),
    filter: textOption(options, 'filter') ?? definition.filters ?? '',
    jobs: countOption(options, 'jobs', { from: 1, to: 1024 }) ?? definition.parallel ?? defaultJobs(at),
    order: orderOption(options) ?? definition.order,
    seed:
      countOption(options, 'seed', { from: 0, to: 2 ** 32 - 1 }) ?? definition.seed ?? context.randomSeed(),
    ...(timeoutMs !== undefined && { timeoutMs }),
    retries: countOption(options, 'retries', { from: 0, to: 100 }) ?? definition.retries,
    stopsOnError: flag(options, 'stopOnError') || definition.stopsOnError,
    mode: modeOf(options),
    isRemote: flag(options, 'remoteScript') || definition.isRemote,
    at,
    ...(telemetry && { telemetry }),
    ...(measures && { measures }),
  };
}

/** On one machine parallel tests disturb each other; a cluster has a queue and several machines. */
function defaultJobs(at: RunPlace): number {
  return isElsewhere(at) ? 100 : 1;
}

function resultsDirOf({ file, resultsDir }: MatrixDefinition, options: Options, { cwd }: CliContext): string {
  const given = textOption(options, 'results');
  if (given !== undefined) return resolvePath(cwd, given);
  if (resultsDir !== undefined) return resultsDir;
  throw new NightmarkError('MATRIX_NO_RESULTS_FOLDER', `${file} does not set the folder of the results.`, {
    hint: 'Give --results DIR, or "--results-dirname: DIR" in the file.',
  });
}

function modeOf(options: Options): RunMode {
  const [isAll, isFailed] = [flag(options, 'force'), flag(options, 'rerunFailed')];
  if (isAll && isFailed) throw invalid('--force and --rerun-failed exclude each other.', 'Give one of them.');
  return isAll ? 'all' : isFailed ? 'failed' : 'missing';
}

function orderOption(options: Options): 'given' | 'random' | undefined {
  const order = textOption(options, 'order');
  if (order === undefined || order === 'given' || order === 'random') return order;
  throw invalid(`--order is given or random, not "${order}".`, 'A random order is recorded with its seed.');
}

function measureOption(options: Options): readonly Measure[] | undefined {
  const names = textOption(options, 'measure')?.split(',');
  return names?.map((name) => {
    const measure = MEASURES.find((one) => one === name);
    if (measure !== undefined) return measure;
    throw invalid(`--measure cannot be "${name}".`, `One or several of: ${MEASURES.join(', ')}.`);
  });
}

/** --telemetry alone samples the CPU each second. */
function telemetryOption(options: Options): TelemetrySwitches | undefined {
  const given = options['telemetry'];
  if (given === undefined || given === false) return undefined;
  const parts = typeof given === 'string' ? given.split(',') : ['cpu'];
  const every = parts.filter((part) => part !== 'cpu' && part !== 'gpu');
  const ms = every[0] === undefined ? 1000 : parseDuration(every[0]);
  if (ms === undefined || ms <= 0 || every.length > 1)
    throw invalid(
      `--telemetry is cpu, gpu and the time between samples, with commas between them, not "${given}".`,
      'For example: --telemetry, or --telemetry cpu,gpu,5s.',
    );
  const hasNames = parts.length > every.length;
  return {
    cpu: parts.includes('cpu') || !hasNames,
    gpu: parts.includes('gpu'),
    rateSeconds: ms / 1000,
  };
}

function countOption(
  options: Options,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= from && count <= to) return count;
  throw invalid(`--${name} is a whole number from ${from} to ${to}, not "${text}".`);
}

function durationOption(options: Options, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw invalid(`--${name} is a time with its unit, not "${text}".`, 'For example: 30s, 15m, 2h.');
}

function invalid(message: string, hint?: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', message, hint === undefined ? {} : { hint });
}
