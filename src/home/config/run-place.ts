import { z } from 'zod';
import {
  EXECUTOR_IDS,
  type ExecutorId,
  HERE,
  type Resources,
  type RunPlace,
} from '../../executors/core/place.ts';
import { parseSize } from '../../platform/config/durations-and-sizes.ts';
import { duration, plainText } from '../../platform/config/schema-fields.ts';

const SIZE = 'a size with its unit, such as 512MB or 16GB';
const texts = z.record(z.string(), z.string(), { error: 'a mapping of names to texts' });

const resources = z.strictObject({
  cpus: z.int().min(1).max(100_000).optional().describe('Processors.'),
  memory: z
    .string({ error: SIZE })
    .transform((text, context) => {
      const bytes = parseSize(text);
      if (bytes !== undefined) return bytes;
      context.addIssue({ code: 'custom', message: SIZE });
      return z.NEVER;
    })
    .optional()
    .describe('Memory, such as 16GB.'),
  gpus: z.int().min(0).max(10_000).optional().describe('GPUs.'),
  time: duration.optional().describe('The longest that a command may run, also requested from the cluster.'),
});

const slurm = z.strictObject({
  partition: plainText('the name of a partition').optional().describe('Partition.'),
  account: plainText('the name of an account').optional().describe('Account that is charged.'),
  qos: plainText('the name of a quality of service').optional().describe('Quality of service.'),
  constraint: plainText('a constraint').optional().describe('Features that the node must have.'),
  options: z
    .array(plainText('an option of sbatch'), { error: 'a list of options such as --exclusive' })
    .optional()
    .describe('Further options of sbatch, as they are.'),
});

const kubernetes = z.strictObject({
  namespace: plainText('a namespace').optional().describe('Namespace. Default: that of the context.'),
  image: plainText('the name of an image').optional().describe('Image of the pods. Default: `image`.'),
  volumes: texts
    .optional()
    .describe('Persistent volume claims by name, and where they are seen; the results must be on one.'),
  node_selector: texts.optional().describe('Labels that the node must have.'),
  pull_secrets: z
    .array(plainText('the name of a secret'), { error: 'a list of names' })
    .optional()
    .describe('Secrets for the registry of the image.'),
  service_account: plainText('a service account').optional().describe('Service account of the pods.'),
  entrypoint: z
    .array(plainText('a word'), { error: 'a list of words' })
    .optional()
    .describe('What stands before the command in the image.'),
});

/** Where commands run, in every definition file the same. */
export const placeFields = {
  executor: z.enum(EXECUTOR_IDS).optional().meta({
    description:
      'Where commands run: docs/guide/where-things-run.md. Container where only an image is named.',
    usual: 'process',
  }),
  image: plainText('the name of an image')
    .optional()
    .describe('Image of the containers that commands run in (container, kubernetes).'),
  engine: plainText('docker, podman or a path')
    .optional()
    .describe('What runs the containers. Default: the first of docker and podman that is installed.'),
  resources: resources.optional().describe('Resources that a command needs.'),
  slurm: slurm.optional().describe('Options for Slurm.'),
  kubernetes: kubernetes.optional().describe('Options for Kubernetes.'),
};

const placeSchema = z.object(placeFields);
type PlaceOutput = z.output<typeof placeSchema>;
export type PlaceInput = { readonly [key in keyof PlaceOutput]?: PlaceOutput[key] | undefined };

/** What is wrong with a place, at which key. */
export interface PlaceFault {
  readonly key: keyof PlaceInput;
  readonly message: string;
  readonly hint?: string;
}

export type PlaceReading =
  | { readonly state: 'usable'; readonly place: RunPlace }
  | { readonly state: 'faulty'; readonly faults: readonly PlaceFault[] };

/** Reads where commands run; the task's own keys go before the common ones. */
export function readPlace(own: PlaceInput, common: PlaceInput = {}): PlaceReading {
  const executor = executorOf(own, common);
  const faults = faultsOf(executor, own, common);
  if (faults.length > 0) return { state: 'faulty', faults };
  const resources = toResources({ ...common.resources, ...own.resources });
  return { state: 'usable', place: { ...HERE, executor, resources, place: placeOf(executor, own, common) } };
}

/** Absent: faulty, or processes of this machine without further settings. */
export function placeThere(reading: PlaceReading): RunPlace | undefined {
  if (reading.state === 'faulty') return undefined;
  const { executor, resources } = reading.place;
  return executor === 'process' && Object.keys(resources).length === 0 ? undefined : reading.place;
}

/** An image alone means a container. */
function executorOf(own: PlaceInput, common: PlaceInput): ExecutorId {
  if (own.executor !== undefined) return own.executor;
  if (own.image !== undefined && (common.executor ?? 'process') === 'process') return 'container';
  return common.executor ?? (common.image === undefined ? 'process' : 'container');
}

function faultsOf(executor: ExecutorId, own: PlaceInput, common: PlaceInput): readonly PlaceFault[] {
  const hint = 'For example: image: docker.io/library/debian:12';
  if (executor === 'container' && (own.image ?? common.image) === undefined)
    return [{ key: 'executor', message: 'executor: container needs an image', hint }];
  if (executor === 'kubernetes' && podImage(own, common) === undefined)
    return [{ key: 'executor', message: 'executor: kubernetes needs an image', hint }];
  const faults: PlaceFault[] = [];
  if (own.image !== undefined && executor === 'process')
    faults.push({ key: 'image', message: 'image: processes of this machine have none' });
  if (own.image !== undefined && executor === 'slurm')
    faults.push({
      key: 'image',
      message: 'image: batch jobs of Slurm have none',
      hint: 'Start the container in the command.',
    });
  for (const key of ['slurm', 'kubernetes'] as const)
    if (own[key] !== undefined && executor !== key)
      faults.push({
        key,
        message: `${key}: the executor is ${executor}`,
        hint: `Write executor: ${key}, or leave it out.`,
      });
  return faults;
}

function podImage(own: PlaceInput, common: PlaceInput): string | undefined {
  return own.kubernetes?.image ?? own.image ?? common.kubernetes?.image ?? common.image;
}

function placeOf(executor: ExecutorId, own: PlaceInput, common: PlaceInput): RunPlace['place'] {
  const image = own.image ?? common.image;
  const engine = own.engine ?? common.engine;
  if (executor === 'container')
    return { container: { image: image ?? '', ...(engine !== undefined && { engine }) } };
  if (executor === 'slurm') return { slurm: without({ ...common.slurm, ...own.slurm }) };
  if (executor !== 'kubernetes') return {};
  const { node_selector, pull_secrets, service_account, ...rest } = {
    ...common.kubernetes,
    ...own.kubernetes,
  };
  const pods = {
    ...rest,
    image: podImage(own, common),
    nodeSelector: node_selector,
    imagePullSecrets: pull_secrets,
    serviceAccount: service_account,
  };
  return { kubernetes: without(pods) };
}

function toResources({ cpus, memory, gpus, time }: NonNullable<PlaceInput['resources']>): Resources {
  return without({ cpus, memoryBytes: memory, gpus, timeMs: time });
}

type Without<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

/** Leaves out what is undefined. */
function without<T extends object>(fields: T): Without<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Without<T>;
}
