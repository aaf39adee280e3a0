import { z } from 'zod';
import { DURATION, LONGEST_TIMEOUT_MS, parseDuration } from '../../platform/config/durations-and-sizes.ts';
import { plainText } from '../../platform/config/schema-fields.ts';
import { whyInvalidName } from '../../platform/core/path.ts';

/** A plan is held in memory; more runs than this are a typing mistake. */
export const MAX_RUNS = 1_000_000;

/** A name that becomes part of file names; YAML takes 2024 for a number. */
function nameText(expected: string) {
  return z
    .union([z.string(), z.number()], { error: expected })
    .transform(String)
    .refine((name) => whyInvalidName(name) === undefined, {
      error: `${expected} that can be part of a file name: not empty, without "/" and NUL`,
    });
}

/** The original reads YAML 1.1, which has more spellings of a boolean. */
const yesOrNo = z
  .union([z.boolean(), z.enum(['yes', 'no', 'on', 'off'])], { error: 'true or false' })
  .transform((value) => value === true || value === 'yes' || value === 'on');

const TIMEOUT = `seconds as a number (0: none), or ${DURATION}`;

/** Milliseconds; 0 when there is no limit. */
const timeout = z
  .union([z.number(), z.string()], { error: TIMEOUT })
  .transform((value, context) => {
    const ms = typeof value === 'number' ? Math.max(0, Math.round(value * 1000)) : parseDuration(value);
    if (ms !== undefined) return ms;
    context.addIssue({ code: 'custom', message: TIMEOUT });
    return z.NEVER;
  })
  .refine((ms) => ms <= LONGEST_TIMEOUT_MS, { error: 'a timeout of at most 24 days, or 0 for none' });

const whole = z.int({ error: ({ code }) => (code === 'invalid_type' ? 'a whole number' : undefined) });
const repetitions = whole.min(0).max(MAX_RUNS).nullish();
const commandBase = z.string({ error: 'a text' }).nullish();
const order = z.enum(['random', 'swap', 'in_order']).nullish();
const unused = z.unknown().optional().describe('Not used here; only that of A and B is.');

/** Keys of a side; also of a duet and of duetbench, for the sides that do not say otherwise. */
const forSides = {
  image: plainText('the name of an image')
    .nullish()
    .describe('Container image. Without one the side is a process of this machine, in a folder of its own.'),
  results: z
    .array(plainText('a path'), { error: 'a list of paths' })
    .min(1)
    .nullish()
    .describe(
      'Files or folders to fetch after each run. Relative ones are paths in the folder where the command runs.',
    ),
  run_base: commandBase.describe('What is written before `run`, with a blank. Default: nothing.'),
  syncduet_run_base: commandBase.describe(
    'The same for synchronised runs; every `$$` becomes the name of the barrier. Default: there can be none.',
  ),
};

/** Keys of a duet; also of duetbench, for the duets that do not say otherwise. */
const forDuets = {
  suite: nameText('the name of a suite')
    .nullish()
    .describe('Says how results are read, and is part of their file names. Needed for each duet.'),
  remove_containers: yesOrNo
    .nullish()
    .meta({ description: 'Whether containers are removed after a run.', usual: true }),
  duet_repetitions: repetitions.meta({ description: 'Runs of both sides at once.', usual: 1 }),
  syncduet_repetitions: repetitions.meta({
    description: 'Runs of both sides at once, with a barrier before each iteration.',
    usual: 0,
  }),
  sequential_repetitions: repetitions.meta({
    description: 'Runs of each side alone, one after the other.',
    usual: 0,
  }),
  timeout: timeout.nullish().meta({
    description: 'Longest time of a run, in seconds or with its unit (5m); 0 is none.',
    usual: 0,
  }),
  order: order.meta({
    description: 'Which side of a pair is started first: random, swap (AB, BA, AB ...) or in_order (AB).',
    usual: 'random',
  }),
  duet_order: order.describe('Alias of `order`.'),
};

export const sideSchema = z.strictObject({
  run: plainText('a command').describe('The command; bash runs `run_base`, a blank and this.'),
  ...forSides,
});

export const duetSchema = z.strictObject({
  A: z.unknown().optional().describe('The baseline: a mapping, see below. It must be there.'),
  B: z
    .unknown()
    .optional()
    .describe('The contender: a mapping. Default: the same as A, to see how much two equal ones differ.'),
  ...forDuets,
  ...forSides,
  run: unused,
});

export const duetbenchSchema = z.strictObject({
  name: nameText('a name').nullish().describe('Name in logs and summaries. Default: the suite.'),
  duets: z
    .array(nameText('the name of a duet'), { error: 'a list of names of duets' })
    .min(1)
    .describe('The duets, in order: names of further blocks of the file.'),
  verbose: yesOrNo.nullish().meta({ description: 'Log more.', usual: false }),
  seed: whole
    .nullish()
    .describe('Seed of orders and schedule; 0 is one. Default: drawn for each start and recorded.'),
  docker_command: plainText('a command')
    .nullish()
    .meta({ description: 'The program that runs containers: docker or podman.', usual: 'docker' }),
  artifacts: z
    .record(z.string(), plainText('a command'), { error: 'a mapping of names to commands' })
    .nullish()
    .describe(
      'Commands, by name, whose output is kept in `artifacts/` of the results; run once, before all.',
    ),
  schedule: z
    .enum(['sequential', 'randomized_interleaving_trials'])
    .nullish()
    .meta({ description: 'As given, or all runs of all duets shuffled.', usual: 'sequential' }),
  ...forDuets,
  ...forSides,
  run: unused,
});

/** The whole file, for editors: blocks that `duets` does not name may hold anything. */
export const duetFileSchema = z
  .object({ duetbench: duetbenchSchema })
  .catchall(z.union([duetSchema.extend({ A: sideSchema, B: sideSchema.optional() }), z.unknown()]));

export type DuetInput = z.output<typeof duetSchema>;
export type DuetbenchInput = z.output<typeof duetbenchSchema>;
