import { z } from 'zod';
import { plainText } from '../../../platform/config/schema-fields.ts';
import { REDUCERS } from '../../core/workload/workload-definition.ts';

const FIELD_TYPES = [
  'text',
  'number',
  'integer',
  'boolean',
  'semver',
  'time',
  'numbers',
  'any',
  'links',
] as const;

const text = plainText('a text');
const SCALAR = 'a text, a number, true, false or null';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()], { error: SCALAR });

/** JSON of any shape. */
const anything = z.unknown();

const onlyTrue = z.literal(true, { error: 'true' });

const fieldSchema = z.strictObject({
  file: plainText('the name or pattern of a file')
    .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
      error: 'a path inside of the test directory',
    })
    .describe(
      'File in the test directory, by name or pattern: `*` stays within a name, `**` is any number of folders.',
    ),
  artifact: text.optional().describe('The file is in the folder of this artifact.'),
  json: text.optional().describe('Path in a JSON file: `$.a.b[0]`, `[*]`, `..key`, `["a key"]`.'),
  yaml: text.optional().describe('The same in a YAML file.'),
  regex: text
    .optional()
    .describe('Regular expression, matched line by line; its group `value`, or its first, is the value.'),
  csv: text.optional().describe('Name of a column of a table with a header.'),
  text: onlyTrue.optional().describe('The whole text, without blanks around it.'),
  number: onlyTrue.optional().describe('The numbers in the text.'),
  curve: z
    .strictObject({ x: text.describe('Column of the axis.'), y: text.describe('Column of the values.') })
    .optional()
    .describe('A learning curve: two columns of a table.'),
  type: z
    .enum([...FIELD_TYPES, 'quantity'])
    .optional()
    .describe('Default: text for `text`, number for `regex`, `csv` and `number`, any for others.'),
  unit: text.optional().describe('Unit of the value, for people.'),
  reduce: z
    .enum(REDUCERS)
    .optional()
    .describe('How several values are reduced. Default: the last; all of them for `csv`, `[*]` and `..key`.'),
  default: anything
    .optional()
    .describe('Used where nothing is found, without a warning; null: the field may be missing.'),
});

const valueSchema = z
  .strictObject({
    setting: text.optional().describe('The setting of this name.'),
    field: text.optional().describe('The field of this name; `data.run_id` selects inside of one.'),
    value: anything.optional().describe('A constant.'),
    type: z
      .enum(FIELD_TYPES)
      .optional()
      .meta({ description: 'Checked when payloads are stored.', usual: 'any' }),
    default: anything.optional().describe('Used where there is none.'),
  })
  .nullable();

const valueRules = z.record(z.string(), valueSchema);

export type FieldInput = z.output<typeof fieldSchema>;
export type ValueInput = z.output<typeof valueSchema>;

const plain = plainText('a text');
const names = z.array(plain, { error: 'a list of names' });

const kpiSchema = z.strictObject({
  value: plain
    .optional()
    .describe(
      'A field, or arithmetic over fields: `requests / duration`. Default: the field with the name of the KPI.',
    ),
  help: plain.describe('One sentence for people.'),
  unit: plain.describe('Unit of the value.'),
  better: z
    .enum(['lower', 'higher'])
    .optional()
    .describe(
      'Which direction is better. Default: inferred from name and unit, else unknown, and no change is called better or worse.',
    ),
  format: plain.optional().describe('How the value is written: `"{:.2f}"`.'),
  'full-format': plain
    .optional()
    .describe('The whole text instead: `"{p50:.1f} {unit}, at most {max:.1f}"`; see [KPIs](kpis.md).'),
  divisor: z
    .number({ error: 'a number other than 0' })
    .refine((number) => number !== 0, { error: 'a number other than 0' })
    .optional()
    .describe(
      'The value is divided by it before it is written; needs `format` or `full-format`, and `divisor-unit`.',
    ),
  'divisor-unit': plain.optional().describe('Unit of the divided value.'),
  'ignored-for-regression': z
    .boolean()
    .optional()
    .meta({ description: 'Stored, and never compared.', usual: false }),
});

const settingsSchema = z.strictObject({
  default: z
    .record(z.string(), value)
    .optional()
    .describe('Settings that a test may lack, with their values.'),
  rename: z.record(z.string(), plain).optional().describe('Old name: new name.'),
  map: z
    .record(z.string(), z.record(z.string(), value))
    .optional()
    .describe('By setting: replacements of its values.'),
  compute: z.record(z.string(), plain).optional().describe('Settings that are fields: `nodes: node_count`.'),
  drop: names.optional().describe('Settings to remove.'),
  gather: names
    .optional()
    .describe('Settings over which tests are gathered, such as `seed`: they become `@seed`.'),
});

const plotSchema = z
  .object({ plot: plain.describe('Id of a stock plot.') })
  .catchall(z.unknown())
  .describe('A stock plot; every other key is an option of it.');

/** A workload file. Rules over several keys are checked in workload-file.ts. */
export const workloadSchema = z.strictObject({
  name: plain.describe('Name of the workload.'),
  'important-files': names
    .optional()
    .describe('Files that the fields need, as names or patterns. Default: those of the fields.'),
  artifacts: z
    .record(z.string(), plain)
    .optional()
    .describe('Folders of a test directory, as patterns, by the names that fields use.'),
  marker: plain
    .optional()
    .describe('File that makes a folder a test directory. Default: a settings file does.'),
  fields: z.record(z.string(), fieldSchema).describe('The values, by name.'),
  settings: settingsSchema.optional().describe('How settings are rewritten, in the order of these keys.'),
  labels: valueRules
    .optional()
    .describe('What identifies a series. An empty value means the setting of that name.'),
  metadata: valueRules
    .optional()
    .describe('Further metadata of payloads. Default of `start` and `end`: the fields of these names.'),
  'test-id': z.enum(['file', 'hash']).optional().meta({
    description: 'The id of a test: the text of `.uuid`, where there is one, or a hash of path and settings.',
    usual: 'file',
  }),
  results: names
    .optional()
    .describe('Fields in payloads. Default: all that are neither labels nor metadata.'),
  kpis: z
    .record(z.string(), kpiSchema)
    .optional()
    .describe('The values that are tracked over time, by name.'),
  plots: z.array(plotSchema).optional().describe('Stock plots and reports with their options.'),
  'comparison-keys': names.optional().describe('Labels over which a test is compared, such as `version`.'),
  'ignored-keys': names.optional().describe('Labels that may differ between a test and its history.'),
  'sorting-keys': names.optional().describe('Labels by which reports are sorted first.'),
  'ignored-entries': z
    .record(z.string(), z.union([value, z.array(value)]))
    .optional()
    .describe('Values of labels whose tests are not compared.'),
});

export type WorkloadInput = z.output<typeof workloadSchema>;
export type KpiInput = z.output<typeof kpiSchema>;
