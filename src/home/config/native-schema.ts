import { z } from 'zod';
import { MEASURES } from '../../executors/core/measures.ts';
import { SHORTEST_WATCH_MS } from '../../platform/config/durations-and-sizes.ts';
import {
  backups,
  cron,
  duration,
  env,
  plainText,
  retentionOf,
  retries,
  seed,
  texts,
  timeoutOf,
  timezone,
} from '../../platform/config/schema-fields.ts';
import type { HomeJobs, Schedule } from '../core/home.ts';
import { directions } from './directions-block.ts';
import { metrics } from './metrics-block.ts';
import { experiment, task } from './native-task-schema.ts';
import { notify, page } from './notify-block.ts';
import { publish } from './publish-block.ts';
import { percent, regress } from './regress-block.ts';
import { placeFields } from './run-place.ts';
import { namedSources } from './source-schema.ts';
import { measure, pin, telemetry } from './task-policies.ts';

/** Jobs of the home. */
const jobs = z.strictObject({
  store: z.enum(['sqlite', 'postgres']).optional().meta({
    description:
      'Where the queue is stored: in the home, or in the database that NIGHTMARK_POSTGRES_URL names.',
    usual: 'sqlite',
  }),
  results: plainText('a folder').optional().meta({
    description: 'Where the folders of jobs are made; relative to this file.',
    usual: 'results/jobs',
  }),
});

export function toJobs(input: z.output<typeof jobs> | undefined): HomeJobs | undefined {
  if (input === undefined) return undefined;
  const { store = 'sqlite', results } = input;
  return { store, ...(results !== undefined && { results }) };
}

const FORMS = 'a cron expression such as "0 2 * * *", or a mapping with cron and new-commits';

/** A cron expression, or a mapping. */
export const schedule = z
  .union(
    [
      cron,
      z.strictObject({
        cron: cron.optional().describe('Cron expression: minute, hour, day of month, month, day of week.'),
        'new-commits': duration
          .refine((ms) => ms >= SHORTEST_WATCH_MS, { error: 'a duration of at least 10s' })
          .optional()
          .describe('Run a night when a source has a new commit, and how often to check: 10m.'),
      }),
    ],
    { error: FORMS },
  )
  .refine(
    (input) => typeof input === 'string' || input.cron !== undefined || input['new-commits'] !== undefined,
    {
      error: FORMS,
    },
  );

export function toSchedule(
  input: z.output<typeof schedule> | undefined,
  rest: Pick<Schedule, 'pull'> & { readonly timezone: string | undefined },
): Schedule | undefined {
  if (input === undefined) return undefined;
  const given = typeof input === 'string' ? { cron: input } : input;
  const commitsEveryMs = 'new-commits' in given ? given['new-commits'] : undefined;
  return {
    ...(given.cron !== undefined && { cron: given.cron }),
    ...(commitsEveryMs !== undefined && { commitsEveryMs }),
    ...(rest.timezone !== undefined && { timezone: rest.timezone }),
    pull: rest.pull,
  };
}

/** How the repository that holds the file is compared with an older state of itself. */
const duetBlock = z.strictObject({
  build: plainText('a command')
    .optional()
    .describe('Builds a version, run at its root. Default: nothing is built.'),
  run: plainText('a command')
    .optional()
    .describe('What is measured, run at the root of a version. Default: what stands after `--`.'),
  'min-effect': percent
    .optional()
    .meta({ description: 'The smallest difference that matters.', usual: '1%' }),
  runs: z.int().min(2).max(1_000_000).optional().describe('Pairs of runs. Default: as many as fit.'),
  allow: percent
    .optional()
    .meta({ description: 'How much slower the working tree may be before the exit code is 3.', usual: '0%' }),
  measure: z
    .enum(['auto', ...MEASURES])
    .optional()
    .meta({
      description:
        'What decides: `wall`, `cpu`, `instructions`, `cycles` or `cache-misses`; `auto`: wall time, and CPU time where that is undecided and the command only computes.',
      usual: 'auto',
    }),
});

const path = plainText('a folder');

/** Defaults of all experiments and tasks. */
export const defaults = z.strictObject({
  timeout: timeoutOf(duration).optional().meta({
    description: 'Longest time of a stage, "none", or a mapping of stages to those.',
    usual: '24h',
  }),
  retries: retries.optional().meta({ description: 'How often a failed run stage is tried again.', usual: 0 }),
  env: env.optional().describe('Environment variables.'),
  notify: texts.optional().describe('Who is notified of a failure.'),
  pin: pin.optional().describe('Processor cores of the run stage.'),
  telemetry: telemetry.optional().describe('What is sampled during the run stage.'),
  measure: measure.optional().describe('What is measured of the command `run` itself, as in an experiment.'),
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
      'Order of experiments: random (the seed is recorded), by falling priority and then name, or as given in this file (priorities are then ignored).',
    usual: 'random',
  }),
  seed: seed
    .optional()
    .describe('Seed of the random order, also NIGHTMARK_SEED. Default: drawn each night and recorded.'),
  sources: namedSources
    .optional()
    .describe('Git repositories by name, fetched and built before the experiments that use them.'),
  defaults: defaults.optional().describe('Defaults of all experiments and tasks.'),
  folders: z
    .strictObject({
      tmp: path.optional().meta({ description: 'Raw data.', usual: '.nightmark/tmp' }),
      backup: path.optional().meta({ description: 'Backups of the home.', usual: '.nightmark/backups' }),
      setup: path.optional().meta({ description: 'What setup stages make.', usual: '.nightmark/setup' }),
      experiments: texts
        .optional()
        .meta({ description: 'Where `folder` of an experiment is searched.', usual: ['experiments'] }),
      subsystems: texts
        .optional()
        .meta({ description: 'Where `folder` of a task is searched.', usual: ['subsystem'] }),
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
  directions: directions
    .optional()
    .describe(
      'Which direction of a series is good: patterns over its name (`experiment/path`, or the path alone) to `lower`, `higher` or `none` (counts, sizes of inputs). The last pattern that matches counts. Default: as the results say, else inferred from names and units.',
    ),
  metrics: metrics.optional().describe('Live metrics that `nightmark serve` takes.'),
  jobs: jobs.optional().describe('Jobs that are submitted to this home.'),
  page: page
    .optional()
    .describe('Where others see the page of this home: links in notices begin with this address.'),
  publish: publish.optional().describe('Where the pages go after a night: a list of targets.'),
  notify: notify.optional().describe('Who is notified of what: a list of routes.'),
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
