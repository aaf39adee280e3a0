import { z } from 'zod';
import { plainText } from '../../../platform/config/schema-fields.ts';
import { percent } from './percent.ts';

/** How the repository that holds the file is compared with an older state of itself. */
export const duetBlock = z.strictObject({
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
});
