import type { Format } from '../../../formats/core/format.ts';
import { openSqliteStore } from '../../../home/adapters/store/sqlite-store.ts';
import { homeArgument } from '../../../home/cli/home-argument.ts';
import { ensureIndex } from '../../../home/cli/home-index.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import { loadAll } from '../../../platform/cli/adapters.ts';
import { type CliContext, type Options, textOption } from '../../../platform/cli/command.ts';
import { optional, readLevel, readPercent } from '../../../platform/cli/option-values.ts';
import { DURATION, parseDuration } from '../../../platform/config/durations-and-sizes.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { resolvePath } from '../../../platform/core/path.ts';
import { basesOfExport } from '../../app/plan/bases-of-export.ts';
import { type PlanBases, readPlanBases } from '../../app/plan/read-plan-bases.ts';
import { exportedPairs } from '../../core/plan/exported-runs.ts';
import type { PlanAim, PlanInput } from '../../core/plan/plan.ts';
import { assumedPairs, measuredPairs } from '../../core/plan/plan-noise.ts';

export interface PlanRequest extends PlanSettings {
  readonly experiment?: string;
  readonly home?: string;
}

/** Reads how noisy a value is: from --noise, a file, or a home. */
export async function readBases(request: PlanRequest, context: CliContext): Promise<PlanBases> {
  const { noise, from, experiment, duet } = request;
  if ([noise, from, experiment].filter((one) => one !== undefined).length !== 1) {
    throw new NightmarkError(
      'PLAN_WHICH',
      'A plan needs one source of noise: an EXPERIMENT of a home, --from FILE, or --noise.',
      { hint: 'For example: nightmark plan sorting --detect 1%, or nightmark plan --noise 3% --time 200ms' },
    );
  }
  const pairs = duet === undefined ? undefined : await pairsOfFile(duet, context);
  if (noise !== undefined) return assumedBases(noise, request, pairs);
  if (from !== undefined) return fileBases(from, { ...request, ...(pairs && { pairs }) }, context);
  return homeBases({ ...request, experiment: experiment ?? '', ...(pairs && { pairs }) }, context);
}

function assumedBases(
  noise: number,
  { seconds }: PlanRequest,
  pairs: PlanInput['pairs'] | undefined,
): PlanBases {
  const alone = { between: Math.log1p(noise) ** 2, within: 0 };
  const time = seconds === undefined ? {} : { time: { fixed: seconds, each: 0 } };
  const input = { alone, pairs: pairs ?? assumedPairs(alone), iterations: 1, mayChoose: false, ...time };
  return { bases: [{ name: 'run', input, correlation: 0 }], left: [] };
}

interface WithPairs {
  readonly pairs?: PlanInput['pairs'];
}

async function fileBases(
  file: string,
  { metric, pairs }: PlanRequest & WithPairs,
  context: CliContext,
): Promise<PlanBases> {
  const text = await readWhole(file, context);
  const formats = await loadAll<Format>('formats');
  const found = basesOfExport({ text, origin: file, formats, ...(pairs && { pairs }) });
  if (metric === undefined) return found;
  const named = (one: { readonly name: string }) => one.name === metric;
  const chosen = { bases: found.bases.filter(named), left: found.left.filter(named) };
  if (chosen.bases.length + chosen.left.length > 0) return chosen;
  const names = [...found.bases, ...found.left].map(({ name }) => `"${name}"`);
  throw new NightmarkError('PLAN_NO_METRIC', `${file} has no results of "${metric}".`, {
    hint: `It has: ${names.slice(0, 8).join(', ')}.`,
  });
}

async function homeBases(
  {
    experiment,
    home: given,
    metric,
    seconds,
    pairs,
  }: PlanRequest & WithPairs & { readonly experiment: string },
  context: CliContext,
): Promise<PlanBases> {
  const home = await homeArgument(given, context);
  if (!(await ensureIndex(home, context))) {
    throw new NightmarkError('PLAN_NO_HISTORY', `${home} has no results yet.`, {
      hint: 'Run a night first (nightmark run), or give the noise: nightmark plan --noise 3% --time 200ms',
    });
  }
  const store = await openSqliteStore(homeLayout(home).index, { readOnly: true });
  try {
    const request = {
      experiment,
      ...(metric !== undefined && { metric }),
      ...(seconds !== undefined && { seconds }),
      ...(pairs && { pairs }),
    };
    return await readPlanBases(request, store);
  } finally {
    store.close();
  }
}

async function pairsOfFile(file: string, context: CliContext): Promise<PlanInput['pairs']> {
  const paired = exportedPairs(await readWhole(file, context)).filter(({ isPaired }) => isPaired);
  const [first] = paired;
  const pairs = first && measuredPairs(first.a, first.b, 1);
  if (pairs) return pairs;
  throw new NightmarkError('PLAN_NO_PAIRS', `${file} has no duet with at least five pairs that differ.`, {
    hint: 'Make one: nightmark duet "COMMAND" --runs 20 --export-json pairs.json',
  });
}

async function readWhole(file: string, { cwd, disk }: CliContext): Promise<string> {
  const text = await disk.readText(resolvePath(cwd, file));
  if (text !== undefined) return text;
  throw new NightmarkError('PLAN_NO_FILE', `There is no file ${file}.`, { hint: 'Check the path.' });
}

/** The options of a plan, understood. */
export interface PlanSettings {
  readonly aim: PlanAim;
  readonly minutes: number;
  readonly hasMinutes: boolean;
  readonly metric?: string;
  readonly seconds?: number;
  readonly noise?: number;
  readonly from?: string;
  readonly duet?: string;
}

export function readPlanOptions(options: Options): PlanSettings {
  const minutes = optional(options, 'minutes', readMinutes);
  const metric = textOption(options, 'metric');
  const seconds = optional(options, 'time', readTime);
  const noise = optional(options, 'noise', readShare);
  const [from, duet] = [textOption(options, 'from'), textOption(options, 'duet')];
  const detect = readShare(textOption(options, 'detect') ?? '1%', 'detect');
  const minEffect = optional(options, 'minEffect', readPercent);
  if (minEffect !== undefined && minEffect >= detect) {
    throw invalid(
      'No comparison finds an effect surely beyond itself: --detect must be larger than --min-effect.',
      'For example: --min-effect 1% --detect 2%',
    );
  }
  return {
    aim: {
      detect,
      ...(minEffect !== undefined && { minEffect }),
      power: readPower(textOption(options, 'power') ?? '90%'),
      level: readLevel(textOption(options, 'level') ?? '95%'),
    },
    minutes: minutes ?? 5,
    hasMinutes: minutes !== undefined,
    ...(metric !== undefined && { metric }),
    ...(seconds !== undefined && { seconds }),
    ...(noise !== undefined && { noise }),
    ...(from !== undefined && { from }),
    ...(duet !== undefined && { duet }),
  };
}

/** Above 0: nothing can find no effect at all, and without noise there is nothing to plan. */
function readShare(text: string, option: string): number {
  const share = readPercent(text, option);
  if (share > 0 && share <= 10) return share;
  throw invalid(`--${option} "${text}" is not between 0 and 1000 %.`, `For example: --${option} 1%`);
}

function readPower(text: string): number {
  const power = text.includes('%') ? readPercent(text, 'power') : Number(text);
  if (text.trim() !== '' && power >= 0.1 && power <= 0.9999) return power;
  throw invalid(`Invalid --power: "${text}" is not between 0.1 and 0.9999.`, 'For example: --power 0.9');
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= 1e6) return minutes;
  throw invalid(`Invalid --minutes: "${text}".`, 'For example: --minutes 5');
}

/** A duration here may be far shorter than a timeout: "200us" is a time of a run. */
function readTime(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms / 1000;
  throw invalid(`--time "${text}" is not ${DURATION}.`, 'For example: --time 200ms');
}

function invalid(message: string, hint: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', message, { hint });
}
