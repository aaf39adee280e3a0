import { z } from 'zod';
import { duration, plainText, retries, seed } from '../../platform/config/schema-fields.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import { placeFields } from './run-place.ts';
import { measure, telemetry } from './task-policies.ts';

const SETTINGS = 'a mapping of settings to values';
const settings = z.record(z.string(), z.unknown(), { error: SETTINGS });
const rules = z.array(settings, { error: 'a list of mappings of settings to values' });

/** What is known by name below `matrix`; every other key is a setting. */
export const matrixKeys = z.object({
  settings: settings
    .optional()
    .describe(
      'Settings, for names that mean something else here; beside those written directly below `matrix`.',
    ),
  include: rules.optional().describe('Further combinations; a list in one is an axis of its own.'),
  exclude: rules
    .optional()
    .describe(
      'Combinations that are left out: those that have all the values; a list means any of its values.',
    ),
  conditions: z
    .array(
      z.strictObject({
        when: settings.describe('Values that other settings must have; a list means any of its values.'),
        set: settings.describe('Settings of such a test.'),
      }),
      { error: 'a list of mappings with when and set' },
    )
    .optional()
    .describe('Settings that hold only where others have certain values, one after the other.'),
  repetitions: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: 'How often each test is run; the setting `@repetition` counts from 1.', usual: 1 }),
  seeds: z
    .union([z.int().min(1).max(100_000), z.array(z.int()).min(1)], {
      error: 'a count, or a list of whole numbers',
    })
    .optional()
    .describe('Each test is run with each seed, the setting `@seed`: a list, or so many from 1 on.'),
});

const folderName = z
  .string({ error: 'a name' })
  .refine((text) => whyInvalidName(text) === undefined && !/^[._]/.test(text), {
    error: 'a name for a folder: not empty, without "/", and neither "." nor "_" in front',
  });

export const matrixBlock = matrixKeys
  .catchall(z.unknown())
  .describe(
    'The settings: a list is an axis, each combination of the axes is a test. The keys below are not settings.',
  );

const experimentFields = {
  matrix: matrixBlock,
  run: plainText('a command')
    .optional()
    .describe(
      'Command for bash, run in the folder of the test, with {setting} where a value belongs. Or `script`.',
    ),
  script: plainText('a script')
    .optional()
    .describe(
      'Script with its arguments, relative to the folder of this file, with {setting} in it. Or `run`.',
    ),
  path: plainText('a text with {setting} in it')
    .optional()
    .describe('Name of the folder of a test, behind its number. Default: the settings that vary.'),
};

const experimentSchema = z.strictObject(experimentFields);

export const matrixFileSchema = z.strictObject({
  name: folderName
    .optional()
    .describe('Name of the folder of the tests below `results`. Default: the name of the file.'),
  ...experimentFields,
  matrix: experimentFields.matrix.optional(),
  experiments: z
    .record(z.string(), experimentSchema, { error: 'a mapping of names to experiments' })
    .optional()
    .describe(
      'Several matrices in one file, by name: each with `matrix`, `run` or `script`, and `path` of its own. Then there are none of these beside it.',
    ),
  results: plainText('a folder').optional().meta({
    description: 'Where the folders of the tests are made, relative to this file.',
    usual: 'results',
  }),
  files: z
    .record(z.string(), z.unknown(), { error: 'a mapping of file names to contents' })
    .optional()
    .describe(
      'Files written into the folder of each test before it runs: a text, or a value that becomes YAML.',
    ),
  parallel: z.int().min(1).max(1024).optional().meta({
    description: 'Tests that run at once; on a cluster as many as it takes, at most 100.',
    usual: 1,
  }),
  order: z
    .enum(['given', 'random'])
    .optional()
    .meta({ description: 'Order of the tests; the seed of a random one is recorded.', usual: 'given' }),
  seed: seed.optional().describe('Seed of the random order. Default: drawn for each run and recorded.'),
  timeout: duration.optional().describe('Longest time of a test; it is then ended with all its processes.'),
  retries: retries.optional().meta({ description: 'How often a failed test is tried again.', usual: 0 }),
  ...placeFields,
  measure: measure
    .optional()
    .describe(
      'What is measured of the command of each test, into `measures.json` in its folder: `wall`, `cpu` (user and system time), `instructions`, `cycles`, `cache-misses`; one or a list.',
    ),
  telemetry: telemetry
    .optional()
    .describe(
      'What is sampled beside each test, into its folder `telemetry`; by default nothing, or each second.',
    ),
  stop_on_error: z
    .boolean()
    .optional()
    .meta({ description: 'Start no further test after one has failed.', usual: false }),
});

export type MatrixFileInput = z.output<typeof matrixFileSchema>;
export type MatrixExperimentInput = z.output<typeof experimentSchema>;
