import type { Command as Parser } from 'commander';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { kebab } from '../../platform/cli/option-values.ts';
import { parseDuration, parseSize } from '../../platform/config/durations-and-sizes.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { Executor } from '../core/executor.ts';
import {
  type ClusterPlace,
  EXECUTOR_IDS,
  type ExecutorId,
  HERE,
  type KubernetesPlace,
  type Resources,
  type RunPlace,
  type SlurmPlace,
} from '../core/place.ts';

/** Options that say where commands run. */
export function declarePlace(parser: Parser, usual?: ExecutorId): void {
  parser
    .option('--executor <name>', 'process, container, slurm or kubernetes', usual)
    .option('--engine <program>', 'docker or podman (container)');
  declareNeeds(parser);
}

/** What is requested of a machine or a cluster. */
export function declareNeeds(parser: Parser): void {
  parser
    .option('--cpus <n>', 'processors it needs')
    .option('--memory <size>', 'memory it needs, such as 16GB')
    .option('--gpus <n>', 'GPUs it needs')
    .option('--time <duration>', 'the longest it may run, such as 2h')
    .option('--image <name>', 'container image (container, kubernetes)')
    .option('--partition <name>', 'Slurm partition')
    .option('--account <name>', 'Slurm account')
    .option('--qos <name>', 'Slurm quality of service')
    .option('--constraint <text>', 'Slurm constraint')
    .option('--sbatch <option>', 'a further option of sbatch, as it is; may be given several times', also)
    .option('--namespace <name>', 'Kubernetes namespace')
    .option('--volume <claim=path>', 'Kubernetes volume claim and its path; several times', also)
    .option('--node-selector <key=value>', 'Kubernetes nodes with this label only; several times', also)
    .option('--pull-secret <name>', 'Kubernetes secret for the registry of the image; several times', also)
    .option('--service-account <name>', 'Kubernetes service account');
}

/** One value each time: options that take all that follows would take the commands of a duet. */
function also(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

const OF_PLACES = [
  ...['executor', 'cpus', 'memory', 'gpus', 'time', 'image', 'engine', 'partition', 'account', 'qos'],
  ...['constraint', 'sbatch', 'namespace', 'volume', 'nodeSelector', 'pullSecret', 'serviceAccount'],
];

/** The first option that says where commands run; undefined: none does. */
export function firstPlaceOption(options: Options): string | undefined {
  const name = OF_PLACES.find((option) => options[option] !== undefined);
  return name === undefined ? undefined : `--${kebab(name)}`;
}

/** The requested executor. */
function executorOption(options: Options): ExecutorId | undefined {
  const text = textOption(options, 'executor');
  const known = EXECUTOR_IDS.find((id) => id === text);
  if (text === undefined || known !== undefined) return known;
  throw new NightmarkError('CLI_INVALID_OPTION', `Unknown executor: "${text}".`, {
    hint: `One of: ${EXECUTOR_IDS.join(', ')}. See docs/guide/where-things-run.md.`,
  });
}

export function resourcesOf(options: Options): Resources {
  const cpus = numberOption(options, 'cpus');
  const gpus = numberOption(options, 'gpus');
  const memory = textOption(options, 'memory');
  const time = textOption(options, 'time');
  return {
    ...(cpus !== undefined && { cpus }),
    ...(gpus !== undefined && { gpus }),
    ...(memory !== undefined && { memoryBytes: sizeOf(memory) }),
    ...(time !== undefined && { timeMs: durationOf(time) }),
  };
}

export function placeOf(options: Options, env: Readonly<Record<string, string>>): ClusterPlace {
  const image = textOption(options, 'image') ?? env['JOBMONITOR_DOCKER_IMAGE'];
  const engine = textOption(options, 'engine');
  switch (executorOption(options)) {
    case 'container':
      if (image === undefined) throw noImage();
      return { container: { image, ...(engine !== undefined && { engine }) } };
    case 'slurm':
      return { slurm: slurmOf(options) };
    case 'kubernetes':
      return { kubernetes: kubernetesOf(options, image, env) };
    default:
      return {};
  }
}

function slurmOf(options: Options): SlurmPlace {
  const extra = options['sbatch'];
  return {
    ...textFields(options, ['partition', 'account', 'qos', 'constraint']),
    ...(Array.isArray(extra) && { options: extra }),
    ...(options['mpi'] === true && { isMpi: true }),
  };
}

function kubernetesOf(
  options: Options,
  image: string | undefined,
  env: Readonly<Record<string, string>>,
): KubernetesPlace {
  if (image === undefined) throw noImage();
  const namespace = textOption(options, 'namespace') ?? env['JOBMONITOR_KUBERNETES_NAMESPACE'];
  const secrets = options['pullSecret'];
  return {
    image,
    ...(namespace !== undefined && { namespace }),
    ...textFields(options, ['serviceAccount']),
    ...(Array.isArray(secrets) && { imagePullSecrets: secrets }),
    ...pairsField(options, 'volume', 'volumes'),
    ...pairsField(options, 'nodeSelector', 'nodeSelector'),
  };
}

function textFields(options: Options, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOption(options, name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function pairsField(options: Options, option: string, field: string): Record<string, Record<string, string>> {
  const pairs = pairsOption(options, option);
  return Object.keys(pairs).length === 0 ? {} : { [field]: pairs };
}

/** `--env A=1 --env B=2`. */
export function pairsOption(options: Options, name: string): Record<string, string> {
  const given = options[name];
  const pairs = (Array.isArray(given) ? given : []).map((pair: string) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key !== undefined && value !== undefined) return [key, value] as const;
    throw new NightmarkError('JOBS_PAIR', `--${kebab(name)} "${pair}" is not a pair.`, {
      hint: 'Write key=value.',
    });
  });
  return Object.fromEntries(pairs);
}

export function numberOption(options: Options, name: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value)) return value;
  throw new NightmarkError('JOBS_NUMBER', `--${kebab(name)} is a whole number, not "${text}".`, {
    hint: `For example: --${kebab(name)} 2`,
  });
}

function sizeOf(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new NightmarkError('JOBS_SIZE', `"${text}" is not a size of memory.`, {
    hint: 'For example: 512MB or 16GB.',
  });
}

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new NightmarkError('JOBS_TIME', `"${text}" is not a duration.`, {
    hint: 'For example: 90s, 45m or 2h.',
  });
}

function noImage(): NightmarkError {
  return new NightmarkError('JOBS_NO_IMAGE', 'This executor needs a container image.', {
    hint: 'Give --image NAME, or set JOBMONITOR_DOCKER_IMAGE.',
  });
}

/** Where a definition says that commands run, and what the options say over it. */
export function chosenPlace(
  written: RunPlace | undefined,
  options: Options,
  { env }: Pick<CliContext, 'env'>,
): RunPlace {
  const executor = chosenExecutor(written, options);
  refuseIgnored(executor, options);
  const resources = { ...written?.resources, ...resourcesOf(options) };
  return { ...HERE, executor, resources, place: overlay(written, { ...options, executor }, env) };
}

/** An image alone means a container. */
function chosenExecutor(written: RunPlace | undefined, options: Options): ExecutorId {
  const requested = executorOption(options);
  if (requested !== undefined) return requested;
  const fallback = written?.executor ?? 'process';
  return fallback === 'process' && textOption(options, 'image') !== undefined ? 'container' : fallback;
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

/** An option that would be ignored was meant otherwise. */
function refuseIgnored(executor: ExecutorId, options: Options): void {
  for (const [name, executors] of Object.entries(BELONG)) {
    if (options[name] === undefined || executors.includes(executor)) continue;
    const option = `--${kebab(name)}`;
    throw new NightmarkError('CLI_INVALID_OPTION', `${option} needs --executor ${executors.join(' or ')}.`, {
      hint: `The executor is ${executor}, which has no use for it.`,
    });
  }
}

export function loadExecutor(id: ExecutorId): Promise<Executor> {
  return loadAdapter<Executor>('executors', id);
}
