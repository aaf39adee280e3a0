import { inferDirection } from '../../../../formats/core/infer-direction.ts';
import { inferUnit } from '../../../../formats/core/infer-unit.ts';
import type { Settings } from '../../../../formats/core/kpi/matrix-entry.ts';
import type { JsonValue } from '../../../../platform/core/text/json.ts';
import { SEMVER } from '../convert-value.ts';
import { type DraftField, type ExampleTest, findFields } from './draft-fields.ts';

export interface Draft {
  readonly text: string;
  readonly fields: readonly string[];
  readonly kpis: readonly string[];
  readonly labels: readonly string[];
}

/** A workload file for tests like the example. It works as it is, and marks what was guessed. */
export function draftWorkload(name: string, example: ExampleTest): Draft {
  const fields = findFields(example.files);
  const kpis = fields.flatMap((field) => kpiOf(name, field));
  // "@seed" and the like number repetitions of one test: they identify no series.
  const labels = Object.keys(example.settings).filter(
    (key) => isScalar(example.settings[key]) && !key.startsWith('@'),
  );
  const files = [...new Set([...(example.hasUuid ? ['.uuid'] : []), ...fields.map(({ file }) => file)])];
  const text = [
    `# A draft from one example: unit and direction of each KPI are inferred from its name. Check them.`,
    `# What can be written here: docs/reference/workload-yml.md`,
    `name: ${yamlText(name)}`,
    `important-files: [${files.map(yamlText).join(', ')}]`,
    '',
    '# Where the values are. A missing file loses its fields, and no others.',
    ...(fields.length === 0 ? ['fields: {}'] : ['fields:', ...fields.map(fieldLine)]),
    '',
    ...gatherLines(fields, labels),
    '# What identifies a series: settings of the test.',
    ...labelLines(labels, example.settings),
    ...timeLines(fields),
    '',
    '# What is tracked over time.',
    ...(kpis.length === 0 ? ['kpis: {}'] : ['kpis:', ...kpis.flatMap(({ lines }) => lines)]),
    '',
    ...comparisonLines(labels, example.settings),
  ].join('\n');
  return { text: `${text}\n`, fields: fields.map((it) => it.name), kpis: kpis.map((it) => it.name), labels };
}

function fieldLine({ name, file, source, type }: DraftField): string {
  const places = Object.entries(source).map(
    ([key, value]) => `${key}: ${key === 'curve' ? value : yamlText(value)}`,
  );
  const types = type === 'curve' ? [] : [`type: ${type === 'numbers' && 'csv' in source ? 'number' : type}`];
  return `  ${name}: { ${[`file: ${yamlText(file)}`, ...places, ...types].join(', ')} }`;
}

function labelLines(labels: readonly string[], settings: Settings): readonly string[] {
  if (labels.length === 0) return ['labels: {}'];
  return [
    'labels:',
    ...labels.map(
      (key) => `  ${yamlText(key)}: { setting: ${yamlText(key)}, type: ${typeOf(settings[key])} }`,
    ),
  ];
}

/** Curves of several seeds are usually shown as one. */
function gatherLines(fields: readonly DraftField[], labels: readonly string[]): readonly string[] {
  if (!labels.includes('seed') || !fields.some(({ type }) => type === 'curve')) return [];
  return ['# Tests that differ only in it are also shown as one.', 'settings: { gather: [seed] }', ''];
}

function timeLines(fields: readonly DraftField[]): readonly string[] {
  const missing = ['start', 'end'].filter((name) => !fields.some((field) => field.name === name));
  if (missing.length === 0) return [];
  return ['', `# Payloads need ${missing.join(' and ')} of a test: add fields of that name, of type time.`];
}

function kpiOf(workload: string, { name: field, type }: DraftField) {
  if (type === 'time' || type === 'text') return [];
  const unit = inferUnit([field]);
  const better = inferDirection([field], unit);
  const formula = type === 'number' ? field : type === 'curve' ? `iqm(final(${field}))` : `mean(${field})`;
  const name = `${workload.replace(/\W+/g, '_').replace(/^(\d)/, '_$1')}_${field}`;
  const help = `${{ number: 'Value', numbers: 'Mean', curve: 'End of the learning curve' }[type]} of ${field}`;
  const lines = [
    `  ${name}:`,
    `    value: ${formula}`,
    `    help: ${yamlText(help)}`,
    unit === '' ? '    unit: "1" # unknown' : `    unit: ${yamlText(unit)}`,
    better === 'unknown'
      ? '    ignored-for-regression: true # until you know which is better: lower or higher'
      : `    better: ${better}`,
  ];
  return [{ name, lines }];
}

function comparisonLines(labels: readonly string[], settings: Settings): readonly string[] {
  const version =
    labels.find((key) => key === 'version') ?? labels.find((key) => typeOf(settings[key]) === 'semver');
  const others = labels.filter((key) => key !== version);
  return [
    '# A test is compared with those that differ in these labels only.',
    `comparison-keys: [${version === undefined ? '' : yamlText(version)}]`,
    `sorting-keys: [${others.map(yamlText).join(', ')}]`,
  ];
}

function typeOf(value: JsonValue | undefined): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' && SEMVER.test(value) ? 'semver' : 'text';
}

function isScalar(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** A YAML scalar; a JSON string is one too. */
function yamlText(text: string): string {
  const isPlain =
    /^[A-Za-z$_.][\w./$-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
