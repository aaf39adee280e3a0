import { z } from 'zod';
import { plainText } from '../../../platform/config/fields.ts';
import { SCORE_KINDS } from '../../core/subsystem-config.ts';
import { subsystemSchema } from './schema.ts';

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
    .describe('What the score is made of. Without it only rnn_score is known.'),
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
