import { z } from 'zod';
import {
  backups,
  duration,
  env,
  plainText,
  retentionOf,
  retries,
  seed,
  texts,
  timeoutOf,
  timezone,
} from '../../../platform/config/schema-fields.ts';
import { placeFields } from '../place-fields.ts';
import { namedSources } from '../sources.ts';
import { duetBlock } from './duet-schema.ts';
import { experiment } from './experiment-schema.ts';
import { jobs } from './jobs.ts';
import { pin, telemetry } from './measuring.ts';
import { metrics } from './metrics.ts';
import { notify, page } from './notify.ts';
import { publish } from './publish.ts';
import { regress } from './regress.ts';
import { schedule } from './schedule.ts';
import { task } from './task-schema.ts';

const path = plainText('a folder');

/** Values for all experiments and tasks that do not say otherwise. */
export const defaults = z.strictObject({
  timeout: timeoutOf(duration).optional().meta({
    description: 'Longest time of a stage, "none", or a mapping of stages to those.',
    usual: '24h',
  }),
  retries: retries.optional().meta({ description: 'How often a failed run stage is tried again.', usual: 0 }),
  env: env.optional().describe('Environment variables.'),
  notify: texts.optional().describe('Who is told about a failure.'),
  pin: pin.optional().describe('Processor cores of the run stage.'),
  telemetry: telemetry.optional().describe('What is sampled while the run stage goes on.'),
  ...placeFields,
});

const topFields = {
  project: plainText('a text').optional().describe('Name of the project. Default: the name of the folder.'),
  schedule: schedule
    .optional()
    .describe('When nights run under `nightmark schedule`: a cron expression, or {cron, new-commits}.'),
  timezone: timezone.optional().describe('Time zone of the schedule. Default: that of the machine.'),
  pull: z.boolean().optional().meta({
    description: 'Pull the repository that holds this file before each scheduled night.',
    usual: false,
  }),
  order: z.enum(['random', 'priority', 'given']).optional().meta({
    description:
      'Order of experiments: random (the seed is recorded), by falling priority and then name, or as given in this file (priorities are then not looked at).',
    usual: 'random',
  }),
  seed: seed
    .optional()
    .describe('Seed of the random order, also NIGHTMARK_SEED. Default: drawn each night and recorded.'),
  sources: namedSources
    .optional()
    .describe('Git repositories by name, fetched and built before the experiments that use them.'),
  defaults: defaults.optional().describe('Values for all experiments and tasks that do not say otherwise.'),
  folders: z
    .strictObject({
      tmp: path.optional().meta({ description: 'Raw data.', usual: '.nightmark/tmp' }),
      backup: path.optional().meta({ description: 'Backups of the home.', usual: '.nightmark/backups' }),
      setup: path.optional().meta({ description: 'What setup stages make.', usual: '.nightmark/setup' }),
      experiments: texts
        .optional()
        .meta({ description: 'Where `folder` of an experiment is looked for.', usual: ['experiments'] }),
      subsystems: texts
        .optional()
        .meta({ description: 'Where `folder` of a task is looked for.', usual: ['subsystem'] }),
    })
    .optional()
    .describe('Where things are; relative to this file.'),
  duet: duetBlock
    .optional()
    .describe('How `nightmark duet --against` compares the repository that has this file at its root.'),
  regress: regress
    .optional()
    .describe(
      'What counts as a change of a series. Only what is written here counts: no threshold is kept elsewhere.',
    ),
  metrics: metrics.optional().describe('Live metrics that `nightmark serve` takes.'),
  jobs: jobs.optional().describe('Jobs that are submitted to this home.'),
  page: page
    .optional()
    .describe('Where others see the page of this home: links in notices begin with this address.'),
  publish: publish.optional().describe('Where the pages go after a night: a list of targets.'),
  notify: notify.optional().describe('Who is told what: a list of routes.'),
  backups: backups.optional().describe('When the home is backed up.'),
  retention: retentionOf(duration)
    .optional()
    .meta({
      description: 'How long things are kept: an age such as 30d, or {count, age}.',
      usual: { backups: { count: 14 } },
    }),
};

/** The top level alone: each experiment is checked for itself, so that a bad one leaves the others usable. */
export const topSchema = z.strictObject({
  ...topFields,
  experiments: z.record(z.string(), z.unknown()).optional(),
  tasks: z.record(z.string(), z.unknown()).optional(),
});

/** The whole file, for editors and the reference. */
export const fileSchema = z.strictObject({
  ...topFields,
  experiments: z
    .record(z.string(), z.union([z.string(), experiment]))
    .optional()
    .describe('What is measured, by name. A text is short for `run`.'),
  tasks: z
    .record(z.string(), z.union([z.string(), task]))
    .optional()
    .describe('What is done after the experiments, by name. A text is short for `run`.'),
});

export type TopInput = z.output<typeof topSchema>;
