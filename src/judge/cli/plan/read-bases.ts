import type { Format } from '../../../formats/core/format.ts';
import openSqliteStore from '../../../home/adapters/stores/sqlite/sqlite.ts';
import { homeArgument } from '../../../home/cli/home-argument.ts';
import { ensureIndex } from '../../../home/cli/index/ensure-index.ts';
import { homeLayout } from '../../../home/core/layout.ts';
import { loadAll } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/context.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { resolvePath } from '../../../platform/core/path.ts';
import { basesOfExport } from '../../app/plan/bases-of-export.ts';
import { type PlanBases, readPlanBases } from '../../app/plan/read-plan-bases.ts';
import { exportedPairs } from '../../core/plan/exported-runs.ts';
import type { PlanInput } from '../../core/plan/plan.ts';
import { assumedPairs, measuredPairs } from '../../core/plan/plan-noise.ts';
import type { PlanSettings } from './plan-options.ts';

export interface Asked extends PlanSettings {
  readonly experiment?: string;
  readonly home?: string;
}

/** Where the noise is known from: what the user says, a file, or a home. */
export async function readBases(asked: Asked, context: CliContext): Promise<PlanBases> {
  const { noise, from, experiment, duet } = asked;
  if ([noise, from, experiment].filter((one) => one !== undefined).length !== 1) {
    throw new NightmarkError(
      'PLAN_WHICH',
      'A plan needs one source of noise: an EXPERIMENT of a home, --from FILE, or --noise.',
      { hint: 'For example: nightmark plan sorting --detect 1%, or nightmark plan --noise 3% --time 200ms' },
    );
  }
  const pairs = duet === undefined ? undefined : await pairsOfFile(duet, context);
  if (noise !== undefined) return saidBases(noise, asked, pairs);
  if (from !== undefined) return fileBases(from, { ...asked, ...(pairs && { pairs }) }, context);
  return homeBases({ ...asked, experiment: experiment ?? '', ...(pairs && { pairs }) }, context);
}

function saidBases(noise: number, { seconds }: Asked, pairs: PlanInput['pairs'] | undefined): PlanBases {
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
  { metric, pairs }: Asked & WithPairs,
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
  { experiment, home: given, metric, seconds, pairs }: Asked & WithPairs & { readonly experiment: string },
  context: CliContext,
): Promise<PlanBases> {
  const home = await homeArgument(given, context);
  if (!(await ensureIndex(home, context))) {
    throw new NightmarkError('PLAN_NO_HISTORY', `${home} has no results yet.`, {
      hint: 'Run a night first (nightmark run), or say how noisy it is: nightmark plan --noise 3% --time 200ms',
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
