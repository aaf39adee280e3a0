import { z } from 'zod';
import {
  backups,
  cron,
  env,
  plainText,
  retentionOf,
  retries,
  secondsOrDuration,
  seed,
  texts,
  timeoutOf,
  timezone,
} from '../../platform/config/schema-fields.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { isTruthy } from '../core/status.ts';
import { SCORE_KINDS } from '../core/subsystem-config.ts';
import { namedSources, sourceList } from './source-schema.ts';

/** The original never checks types: a switch is whatever Python takes for true. */
const truthy = z.unknown().transform((value) => isTruthy(value as JsonValue));

const number = z
  .union([z.number(), z.boolean()], { error: 'a number' })
  .transform(Number)
  .refine(Number.isFinite, { error: 'a number' });

const label = z.union([z.string(), z.number()], { error: 'a text' }).transform(String);

const dir = plainText('a folder as a text ("~" is your home)');

const subsystemArguments = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? value.trim().split(/\s+/) : value).join(' '))
  .pipe(z.enum(['config home output', 'config output home']));

const timeout = timeoutOf(secondsOrDuration);

/** HOME/config.json. Unknown fields are fine: subsystems keep settings of their own there. */
export const topSchema = z.looseObject({
  tmp_data_dir: dir.describe('Folder for raw data of a night, until it is archived there.'),
  backup_dir: dir.describe('Folder for backups of the home.'),
  setup_dir: dir.describe('Folder for what setup.sh makes, kept between nights.'),
  randomize: truthy.optional().meta({
    description: 'Run experiments in a random order; false: by falling priority, then name.',
    usual: true,
  }),
  telemetry_rate: number.optional().meta({
    description: 'Seconds between telemetry samples; 0 or less switches telemetry off.',
    usual: 15,
  }),
  run_cpu_telemetry: truthy.optional().meta({ description: 'Sample CPU telemetry.', usual: false }),
  run_gpu_telemetry: truthy.optional().meta({ description: 'Sample GPU telemetry.', usual: false }),
  subsystem_arguments: subsystemArguments.optional().meta({
    description:
      'Order of the arguments of a subsystem: "config home output" or "config output home". Default: the first for HOME/config.json, the second for HOME/config/config.json.',
  }),
  seed: seed.optional().meta({
    description: 'Seed of the random order, also NIGHTMARK_SEED. Default: drawn each night and recorded.',
  }),
  timeout: timeout.optional().meta({
    description:
      'Longest time of a stage: seconds, a text such as "2h", "none", or a mapping of stages to those. For all tasks.',
    usual: '24h',
  }),
  retries: retries
    .optional()
    .meta({ description: 'How often a failed run stage is tried again. For all tasks.', usual: 0 }),
  env: env.optional().describe('Environment variables of all tasks.'),
  sources: namedSources
    .optional()
    .describe('Git repositories by name, fetched and built before the experiments that use them.'),
  schedule: cron.optional().describe('Cron expression for `nightmark schedule`.'),
  timezone: timezone.optional().describe('Time zone of the schedule. Default: that of the machine.'),
  pull: truthy.optional().meta({
    description: 'Pull the repository that holds the experiments before each night.',
    usual: false,
  }),
  backups: backups.optional().describe('When the home is backed up.'),
  retention: retentionOf(secondsOrDuration)
    .optional()
    .describe('How long things are kept: {"count": 14, "age": "30d"} or an age. Default: for ever.'),
});

const taskFields = {
  active: z.unknown().describe('Whether it runs, as Python sees truth.'),
  title: label.optional().describe('Name for people. Default: the name of the folder.'),
  description: label.optional().describe('What it is about.'),
  notify: z
    .union([texts, z.null()], { error: 'a list of texts' })
    .transform((value) => value ?? [])
    .optional()
    .meta({ description: 'Who is notified of a failure.', usual: [] }),
  priority: number
    .optional()
    .meta({ description: 'Higher runs earlier (experiments: when randomize is false).', usual: 0 }),
  timeout: timeout
    .optional()
    .describe('Longest time of a stage, as in the top file. Default: that of the top file, else "24h".'),
  retries: retries
    .optional()
    .describe('How often a failed run stage is tried again. Default: of the top file, else 0.'),
  after: texts.optional().meta({ description: 'Tasks that must have succeeded first.', usual: [] }),
  env: env.optional().describe('Environment variables, added to those of the top file.'),
};

/** config/subsystem/<name>/config.json. */
export const subsystemSchema = z.looseObject(taskFields);

/** config/experiments/<name>/config.json. */
export const experimentSchema = z.looseObject({
  ...taskFields,
  rerun_setup: truthy.optional().meta({ description: 'Run setup.sh every night.', usual: false }),
  tvm_remote: label
    .optional()
    .meta({ description: 'Repository of TVM to build for this experiment.', usual: 'origin' }),
  tvm_branch: label
    .optional()
    .meta({ description: 'Branch of TVM to build for this experiment.', usual: 'master' }),
  telemetry_rate: number.optional().describe('As in the top file, for this experiment.'),
  run_cpu_telemetry: truthy.optional().describe('As in the top file, for this experiment.'),
  run_gpu_telemetry: truthy.optional().describe('As in the top file, for this experiment.'),
  process_pinning: z
    .looseObject({
      enable: truthy.optional().meta({ description: 'Whether run.sh is pinned.', usual: false }),
      cores: z.unknown().optional().describe('A CPU list such as "0-3,7" or a mask such as "0x3".'),
    })
    .optional()
    .describe('Pins run.sh to processor cores.'),
  sources: sourceList.optional().describe('Names of sources of the top file, or repositories of its own.'),
});

export type TopInput = z.output<typeof topSchema>;
export type ExperimentInput = z.output<typeof experimentSchema>;

const path = z.union([plainText('a path such as "cpu.Aot.*"'), z.array(z.string()).min(1)], {
  error: 'a path such as "cpu.Aot.*", or a list of keys',
});

const value = z.looseObject({
  experiment: plainText('the name of an experiment').describe('Whose data.'),
  value: path.describe('Keys of the value in its data, joined by dots; "*" is any key, each one is a value.'),
  over: path
    .optional()
    .describe('What the value is divided by; the first "*" is the key that the first "*" of the value is.'),
});

const metric = z.looseObject({
  title: z.string().optional().describe('Stands before the score. Default: the name of the metric.'),
  values: z
    .array(value)
    .min(1)
    .optional()
    .describe('What the score is made of. Without it only rnn_score is supported.'),
  score: z
    .enum(SCORE_KINDS)
    .optional()
    .meta({ description: 'How the values become one number.', usual: 'count' }),
  at_least: z.number().optional().describe('Count values from here on.'),
  at_most: z.number().optional().describe('Count values up to here.'),
  noun: z.string().optional().describe('What is counted, or the unit: stands after the score.'),
  speedup: z.number().optional().describe('Of rnn_score: count ratios from here on. Default: 2.'),
});

/** config.json of the built-in subsystem score. */
export const scoreSchema = subsystemSchema.extend({
  score_confs: z.record(z.string(), metric).optional().describe('Scores by name.'),
});
