import { type Options, textOption } from '../../platform/cli/command.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { type ClusterPlace, type ExecutorId, HERE, type RunPlace } from '../core/place.ts';
import { executorOption, placeOf, resourcesOf } from './place-options.ts';

/** Where a definition says that commands run, and what the options say over it. */
export function chosenPlace(
  written: RunPlace | undefined,
  options: Options,
  { env }: Pick<CliContext, 'env'>,
): RunPlace {
  const executor = chosenExecutor(written, options);
  refuseStrange(executor, options);
  const resources = { ...written?.resources, ...resourcesOf(options) };
  return { ...HERE, executor, resources, place: overlay(written, { ...options, executor }, env) };
}

/** An image alone means a container. */
function chosenExecutor(written: RunPlace | undefined, options: Options): ExecutorId {
  const asked = executorOption(options);
  if (asked !== undefined) return asked;
  const usual = written?.executor ?? 'process';
  return usual === 'process' && textOption(options, 'image') !== undefined ? 'container' : usual;
}

function overlay(
  written: RunPlace | undefined,
  options: Options & { readonly executor: ExecutorId },
  env: CliContext['env'],
): ClusterPlace {
  const { container, kubernetes, slurm } = written?.place ?? {};
  const image = textOption(options, 'image') ?? kubernetes?.image ?? container?.image;
  if (image === undefined && NEED_IMAGES.includes(options.executor) && !env['JOBMONITOR_DOCKER_IMAGE'])
    throw new NightmarkError('CLI_INVALID_OPTION', `--executor ${options.executor} needs an image.`, {
      hint: 'Give --image NAME, or "image: NAME" in the file.',
    });
  const engine = textOption(options, 'engine') ?? container?.engine;
  const place = placeOf({ ...options, image, engine }, env);
  if (place.slurm) return { slurm: { ...slurm, ...place.slurm } };
  return place.kubernetes ? { kubernetes: { ...kubernetes, ...place.kubernetes } } : place;
}

const NEED_IMAGES: readonly ExecutorId[] = ['container', 'kubernetes'];
const BELONG: Readonly<Record<string, readonly ExecutorId[]>> = {
  image: ['container', 'kubernetes'],
  engine: ['container'],
  ...Object.fromEntries(
    ['partition', 'account', 'qos', 'constraint', 'sbatch'].map((name) => [name, ['slurm']]),
  ),
  ...Object.fromEntries(
    ['namespace', 'volume', 'nodeSelector', 'pullSecret', 'serviceAccount'].map((name) => [
      name,
      ['kubernetes'],
    ]),
  ),
};

/** An option that nobody would look at was meant otherwise. */
function refuseStrange(executor: ExecutorId, options: Options): void {
  for (const [name, executors] of Object.entries(BELONG)) {
    if (options[name] === undefined || executors.includes(executor)) continue;
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new NightmarkError('CLI_INVALID_OPTION', `${option} needs --executor ${executors.join(' or ')}.`, {
      hint: `The executor is ${executor}, which has no use for it.`,
    });
  }
}
