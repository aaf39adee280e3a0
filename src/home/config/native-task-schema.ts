import { z } from 'zod';
import { duration, env, plainText, retries, texts, timeoutOf } from '../../platform/config/schema-fields.ts';
import { directions } from './directions-block.ts';
import { BUILT_IN_NAMES } from './home-inspection.ts';
import { matrixBlock } from './matrix-schema.ts';
import { regress } from './regress-block.ts';
import { placeFields } from './run-place.ts';
import { source, sourceList } from './source-schema.ts';
import { measure, pin, telemetry } from './task-policies.ts';

const command = plainText('a command');

/** What experiments and tasks have in common. */
const commonFields = {
  active: z.boolean().optional().meta({ description: 'Whether it runs.', usual: true }),
  title: z.string().optional().describe('Name for people. Default: the name.'),
  description: z.string().optional().describe('What it is about.'),
  notify: texts.optional().describe('Who is notified of a failure. Default: that of `defaults`.'),
  priority: z.number().optional().meta({ description: 'Higher runs earlier.', usual: 0 }),
  after: texts.optional().meta({ description: 'Tasks that must have succeeded first.', usual: [] }),
  env: env.optional().describe('Environment variables, added to those of `defaults`.'),
  timeout: timeoutOf(duration)
    .optional()
    .describe(
      'Longest time of a stage, "none", or a mapping of stages to those. Default: of `defaults`, else 24h.',
    ),
  retries: retries
    .optional()
    .describe('How often a failed run stage is tried again. Default: that of `defaults`, else 0.'),
  run: command.optional().describe('Command of the run stage, by a shell, in the folder of this file.'),
  cwd: plainText('a folder')
    .optional()
    .describe('Folder in which commands run. Default: the folder of this file.'),
  folder: plainText('a folder')
    .optional()
    .describe('Folder with stage scripts (run.sh ...) instead of commands.'),
  config: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Free settings; the scripts find them as config.json in their configuration folder.'),
};

/** Something that runs after the experiments. */
export const task = z.strictObject({
  ...commonFields,
  uses: z
    .enum(BUILT_IN_NAMES as [string, ...string[]])
    .optional()
    .describe('A built-in task instead of commands.'),
});

export type TaskInput = z.output<typeof task>;

const stageCommand = plainText('a command').optional();
const keys = z.union([z.string(), z.array(z.string())], { error: 'a text or a list of texts' });

/** "{out}/x.json" and "x.json" are the same: both are in the output folder of the run stage. */
const resultPath = z
  .string()
  .transform((path) => path.replace(/^\{out\}\/+/, ''))
  .refine((path) => path !== '' && !path.startsWith('/') && !/[\0]/.test(path), {
    error: 'a path below the output folder',
  })
  .refine((path) => !path.split('/').includes('..'), { error: 'a path without ".."' });

const results = z.strictObject({
  path: resultPath
    .optional()
    .describe('File in the output folder of the run stage. Default: what the command printed.'),
  format: z.string().min(1).optional().describe('Format of the file. Default: recognised by its content.'),
  value: keys.optional().describe('Generic formats: column or key of the values.'),
  name: keys.optional().describe('Generic formats: column or key that names what was measured.'),
  unit: z.string().optional().describe('Generic formats: unit of the values.'),
  better: z.enum(['lower', 'higher']).optional().describe('Generic formats: which direction is better.'),
});

/** Something that is measured. */
export const experiment = z.strictObject({
  ...commonFields,
  setup: stageCommand.describe('Command of the setup stage; runs when it or its files changed.'),
  analyze: stageCommand.describe('Command of the analyze stage. Default: the results become data.json.'),
  visualize: stageCommand.describe('Command of the visualize stage.'),
  summarize: stageCommand.describe('Command of the summarize stage.'),
  matrix: matrixBlock
    .optional()
    .describe(
      'Settings; `run` is run at each combination of them, with {setting} where a value belongs. Each is a series of its own.',
    ),
  results: z
    .union([resultPath, results], {
      error: 'a path, or a mapping with path, format, value, name, unit, better',
    })
    .optional()
    .describe('Where the numbers are found and how they are read. A text is short for `path`.'),
  measure: measure
    .optional()
    .describe(
      'What is measured of `run` itself, beside its results: `wall`, `cpu` (user and system time), `instructions`, `cycles`, `cache-misses`; one or a list. Each is a series `command/MEASURE`. Default: that of `defaults`, else nothing.',
    ),
  'rerun-setup': z.boolean().optional().meta({ description: 'Run setup every night.', usual: false }),
  pin: pin.optional().describe('Processor cores of the run stage. Default: that of `defaults`.'),
  telemetry: telemetry
    .optional()
    .describe('What is sampled during the run stage. Default: that of `defaults`, else the CPU every 15s.'),
  ...placeFields,
  regress: regress.optional().describe('What counts as a change of its series; added to that of the file.'),
  directions: directions
    .optional()
    .describe('Which direction of its series is good; counts before `directions` of the file.'),
  source: z
    .union([z.string(), source], {
      error: 'the name of a source, or a repository such as { git: https://... }',
    })
    .optional()
    .describe('The repository that is measured: a name of `sources`, or one of its own.'),
  sources: sourceList.optional().describe('The same for several repositories.'),
});

export type ExperimentInput = z.output<typeof experiment>;
export type TelemetryInput = z.output<typeof telemetry>;
