import { z } from 'zod';
import { plainText } from '../../../platform/config/schema-fields.ts';
import { REDUCERS } from '../../core/workload/definition.ts';

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

export const value = z.union([z.string(), z.number(), z.boolean(), z.null()], { error: SCALAR });

/** JSON of any shape. */
const anything = z.unknown();

const onlyTrue = z.literal(true, { error: 'true' });

export const fieldSchema = z.strictObject({
  file: plainText('the name or pattern of a file')
    .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), {
      error: 'a path inside of the test directory',
    })
    .describe(
      'File in the test directory, by name or pattern: `*` stays within a name, `**` is any number of folders.',
    ),
  artifact: text.optional().describe('The file lies in the folder of this artifact.'),
  json: text.optional().describe('Path in a JSON file: `$.a.b[0]`, `[*]`, `..key`, `["a key"]`.'),
  yaml: text.optional().describe('The same in a YAML file.'),
  regex: text
    .optional()
    .describe('Regular expression, looked for line by line; its group `value`, or its first, is the value.'),
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
    .describe('What is made of several values. Default: the last; all of them for `csv`, `[*]` and `..key`.'),
  default: anything
    .optional()
    .describe('Taken without a word where nothing is found; null: the field may be missing.'),
});

const valueSchema = z
  .strictObject({
    setting: text.optional().describe('The setting of this name.'),
    field: text.optional().describe('The field of this name; `data.run_id` for what lies inside of one.'),
    value: anything.optional().describe('This very value.'),
    type: z
      .enum(FIELD_TYPES)
      .optional()
      .meta({ description: 'Checked when payloads are stored.', usual: 'any' }),
    default: anything.optional().describe('Taken where there is none.'),
  })
  .nullable();

export const valueRules = z.record(z.string(), valueSchema);

export type FieldInput = z.output<typeof fieldSchema>;
export type ValueInput = z.output<typeof valueSchema>;
