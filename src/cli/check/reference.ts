import { chartSchema } from '../../charts/config/chart-schema.ts';
import { duetbenchSchema, duetFileSchema, duetSchema, sideSchema } from '../../duet/config/duet-schema.ts';
import {
  experimentSchema,
  scoreSchema,
  subsystemSchema,
  topSchema,
} from '../../home/config/dashboard-schema.ts';
import { matrixFileSchema } from '../../home/config/matrix-schema.ts';
import { fileSchema } from '../../home/config/native-schema.ts';
import { matbenchFileSchema } from '../../matrix/config/matbench-file.ts';
import { plotsSchema } from '../../matrix/config/plots-file.ts';
import { workloadSchema } from '../../matrix/config/workload/workload-schema.ts';
import { type JsonSchema, toJsonSchema } from '../../platform/config/schema-walk.ts';
import { noticeSchema } from '../../publish/config/notice-schema.ts';
import { type Dialect, type Field, fieldsIn, fieldsOf } from '../config/definition-fields.ts';

/** The JSON Schemas that are published for editors, by file name. */
export function jsonSchemas(): Readonly<Record<string, JsonSchema & { readonly title: string }>> {
  return {
    'nightmark.schema.json': { title: 'nightmark.yml', ...toJsonSchema(fileSchema) },
    'dashboard-home.schema.json': { title: 'config.json of a home', ...toJsonSchema(topSchema) },
    'dashboard-experiment.schema.json': {
      title: 'config.json of an experiment',
      ...toJsonSchema(experimentSchema),
    },
    'dashboard-subsystem.schema.json': {
      title: 'config.json of a subsystem',
      ...toJsonSchema(subsystemSchema),
    },
    'dashboard-score.schema.json': {
      title: 'config.json of the built-in subsystem score',
      ...toJsonSchema(scoreSchema),
    },
    'duet.schema.json': { title: 'duet.yml', ...toJsonSchema(duetFileSchema) },
    'matrix.schema.json': { title: 'a matrix of tests', ...toJsonSchema(matrixFileSchema) },
    'matbench.schema.json': { title: 'a matbench block', ...toJsonSchema(matbenchFileSchema) },
    'notice.schema.json': { title: 'a notice to a webhook', ...toJsonSchema(noticeSchema) },
    'plots.schema.json': { title: 'plots.yaml', ...toJsonSchema(plotsSchema) },
    'chart.schema.json': { title: 'a chart file', ...toJsonSchema(chartSchema) },
    'workload.schema.json': { title: 'workload.yml', ...toJsonSchema(workloadSchema) },
  };
}

/** The tables of a reference page, one per scope, to stand between its markers. */
export function referenceTables(dialect: Dialect): string {
  const fields = fieldsOf(dialect);
  return (['top', 'experiment', 'subsystem'] as const)
    .map((scope) =>
      toTable(
        TITLES[dialect][scope],
        fields.filter((field) => field.scope === scope),
      ),
    )
    .join('\n');
}

/** The blocks of a duet.yml with their keys. */
export function duetBlocks(): Readonly<Record<string, readonly Field[]>> {
  return {
    duetbench: fieldsIn(duetbenchSchema),
    'The block of a duet': fieldsIn(duetSchema),
    'A and B of a duet': fieldsIn(sideSchema),
  };
}

/** The tables of the reference page of duet.yml. The page says once that null is the default everywhere. */
export function duetTables(): string {
  return Object.entries(duetBlocks())
    .map(([title, fields]) =>
      toTable(
        title,
        fields.map((field) => ({ ...field, type: field.type.replace(/ or null$/, '') })),
      ),
    )
    .join('\n');
}

/** The table of the reference page of a matrix. */
export function matrixTables(): string {
  const fields = fieldsIn(matrixFileSchema).filter(({ key }) => !key.startsWith('experiments.'));
  return toTable('The keys', fields);
}

/** The keys of a workload file. */
export function workloadFields(): readonly Field[] {
  return fieldsIn(workloadSchema);
}

/** The table of the reference page of workload files. */
export function workloadTable(): string {
  return toTable('The file', workloadFields());
}

function toTable(title: string, fields: readonly Field[]): string {
  return `## ${title}\n\n| key | type | default | meaning |\n|---|---|---|---|\n${fields.map(toRow).join('\n')}\n`;
}

const TITLES = {
  native: { top: 'The file', experiment: 'experiments.NAME', subsystem: 'tasks.NAME' },
  dashboard: {
    top: 'HOME/config.json',
    experiment: 'config/experiments/NAME/config.json',
    subsystem: 'config/subsystem/NAME/config.json',
  },
} as const;

function toRow({ key, type, default: usual, isMandatory, description }: Field): string {
  const value = isMandatory ? '*mandatory*' : usual === undefined ? '' : code(usual);
  return `| ${code(key)} | ${cell(type)} | ${value} | ${cell(description)} |`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
