import { z } from 'zod';
import { plainText } from '../../../platform/config/schema-fields.ts';
import { fieldSchema, value, valueRules } from './field-schema.ts';

const text = plainText('a text');
const names = z.array(text, { error: 'a list of names' });

const kpiSchema = z.strictObject({
  value: text
    .optional()
    .describe(
      'A field, or arithmetic over fields: `requests / duration`. Default: the field with the name of the KPI.',
    ),
  help: text.describe('One sentence for people.'),
  unit: text.describe('Unit of the value.'),
  better: z
    .enum(['lower', 'higher'])
    .optional()
    .describe('Which direction is good. Default: unknown, and nothing is called better or worse.'),
  format: text.optional().describe('How the value is written: `"{:.2f}"`.'),
  'full-format': text
    .optional()
    .describe('The whole text instead: `"{p50:.1f} {unit}, at most {max:.1f}"`; see [KPIs](kpis.md).'),
  divisor: z
    .number({ error: 'a number other than 0' })
    .refine((number) => number !== 0, { error: 'a number other than 0' })
    .optional()
    .describe(
      'The value is divided by it before it is written; needs `format` or `full-format`, and `divisor-unit`.',
    ),
  'divisor-unit': text.optional().describe('Unit of the divided value.'),
  'ignored-for-regression': z
    .boolean()
    .optional()
    .meta({ description: 'Kept, and never judged.', usual: false }),
});

const settingsSchema = z.strictObject({
  default: z
    .record(z.string(), value)
    .optional()
    .describe('Settings that a test may lack, with their values.'),
  rename: z.record(z.string(), text).optional().describe('Old name: new name.'),
  map: z
    .record(z.string(), z.record(z.string(), value))
    .optional()
    .describe('By setting: what stands for which of its values.'),
  compute: z.record(z.string(), text).optional().describe('Settings that are fields: `nodes: node_count`.'),
  drop: names.optional().describe('Settings that do not count.'),
  gather: names
    .optional()
    .describe('Settings over which tests are gathered, such as `seed`: they become `@seed`.'),
});

const plotSchema = z
  .object({ plot: text.describe('Id of a stock plot.') })
  .catchall(z.unknown())
  .describe('A stock plot; every other key is an option of it.');

/** A workload file. What is said with several keys, or by names of other parts, is checked in read-workload.ts. */
export const workloadSchema = z.strictObject({
  name: text.describe('Name of the workload.'),
  'important-files': names
    .optional()
    .describe('Files that the fields need, as names or patterns. Default: those of the fields.'),
  artifacts: z
    .record(z.string(), text)
    .optional()
    .describe('Folders of a test directory, as patterns, by the names under which fields ask for them.'),
  marker: text
    .optional()
    .describe('File that makes a folder a test directory. Default: a settings file does.'),
  fields: z.record(z.string(), fieldSchema).describe('The values, by name.'),
  settings: settingsSchema.optional().describe('How settings are rewritten, in the order of these keys.'),
  labels: valueRules
    .optional()
    .describe('What a series is known by. Nothing behind a name means the setting of that name.'),
  metadata: valueRules
    .optional()
    .describe('Further facts of payloads. `start` and `end` are the fields of these names unless told.'),
  'test-id': z.enum(['file', 'hash']).optional().meta({
    description: 'The id of a test: the text of `.uuid`, where there is one, or a hash of path and settings.',
    usual: 'file',
  }),
  results: names
    .optional()
    .describe('Fields that payloads carry. Default: all that are neither labels nor metadata.'),
  kpis: z
    .record(z.string(), kpiSchema)
    .optional()
    .describe('The values that are followed for years, by name.'),
  plots: z.array(plotSchema).optional().describe('Stock plots and reports with their options.'),
  'comparison-keys': names.optional().describe('Labels over which a test is compared, such as `version`.'),
  'ignored-keys': names.optional().describe('Labels that may differ between a test and its history.'),
  'sorting-keys': names.optional().describe('Labels by which reports are sorted first.'),
  'ignored-entries': z
    .record(z.string(), z.union([value, z.array(value)]))
    .optional()
    .describe('Values of labels whose tests are not judged.'),
});

export type WorkloadInput = z.output<typeof workloadSchema>;
export type KpiInput = z.output<typeof kpiSchema>;
