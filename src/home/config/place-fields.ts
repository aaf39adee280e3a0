import { z } from 'zod';
import { EXECUTOR_IDS } from '../../executors/core/place.ts';
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
  time: duration.optional().describe('The longest that a command may run, also asked of the cluster.'),
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
    .describe('Persistent volume claims by name, and where they are seen; the results must lie on one.'),
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
  resources: resources.optional().describe('What a command needs of the machine it gets.'),
  slurm: slurm.optional().describe('What Slurm is told.'),
  kubernetes: kubernetes.optional().describe('What Kubernetes is told.'),
};

const placeSchema = z.object(placeFields);
type PlaceOutput = z.output<typeof placeSchema>;
export type PlaceInput = { readonly [key in keyof PlaceOutput]?: PlaceOutput[key] | undefined };
