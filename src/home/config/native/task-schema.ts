import { z } from 'zod';
import {
  duration,
  env,
  plainText,
  retries,
  texts,
  timeoutOf,
} from '../../../platform/config/schema-fields.ts';
import { BUILT_IN_NAMES } from '../implementation.ts';

const command = plainText('a command');

/** What experiments and tasks have in common. */
export const commonFields = {
  active: z.boolean().optional().meta({ description: 'Whether it runs.', usual: true }),
  title: z.string().optional().describe('Name for people. Default: the name.'),
  description: z.string().optional().describe('What it is about.'),
  notify: texts.optional().describe('Who is told about a failure. Default: that of `defaults`.'),
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
