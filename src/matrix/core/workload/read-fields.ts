import type { ParsedFields, TestFiles } from '../../../formats/core/kpi/workload.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { type Collector, collectorOf } from './collect-values.ts';
import { selectPath } from './json-path.ts';
import { scanLines } from './scan-lines.ts';
import type { FieldDefinition } from './workload-definition.ts';

/** Reads all fields of a test; each file is read once, whatever the number of fields that come from it. */
export async function readFields(fields: readonly FieldDefinition[], test: TestFiles): Promise<ParsedFields> {
  const collectors = fields.map((field) => ({ collector: collectorOf(field), field }));
  const files = new Map<string, Collector[]>();
  const patterns = new Map<string, Promise<readonly string[]>>();
  const lost = new Map<FieldDefinition, string>();
  for (const { collector, field } of collectors) {
    const pattern = patternOf(field, test);
    if (pattern === undefined) {
      lost.set(field, `no folder matches the artifact ${field.artifact}`);
      continue;
    }
    // A file that may be missing is looked up as a pattern: no match is not a problem.
    const isListed = field.default !== undefined || /[*?[]/.test(pattern);
    const found = isListed ? (patterns.get(pattern) ?? test.glob(pattern)) : [pattern];
    if (isListed) patterns.set(pattern, Promise.resolve(found));
    const paths = await found;
    if (paths.length === 0) lost.set(field, `no file matches ${pattern}`);
    for (const path of paths) files.set(path, [...(files.get(path) ?? []), collector]);
  }
  for (const path of [...files.keys()].sort()) {
    for (const [field, reason] of await readFile(path, files.get(path) ?? [], test)) lost.set(field, reason);
  }
  return summary(collectors, lost);
}

function patternOf({ artifact, file }: FieldDefinition, test: TestFiles): string | undefined {
  if (artifact === undefined) return file;
  const folder = test.artifact(artifact);
  return folder === undefined ? undefined : joinPath(folder, file);
}

type Losses = readonly (readonly [FieldDefinition, string])[];

/** Fields that got nothing from the file, with the reason. */
async function readFile(path: string, collectors: readonly Collector[], test: TestFiles): Promise<Losses> {
  const of = (...types: readonly string[]) =>
    collectors.filter(({ field }) => types.includes(field.source.type));
  const losses = [
    ...(await readDocument(path, of('json'), () => test.json(path))),
    ...(await readDocument(path, of('yaml'), () => test.yaml(path))),
    ...(await readDocument(path, of('text'), async () => (await test.text(path))?.trim())),
  ];
  const byLine = of('regex', 'number', 'csv', 'curve');
  if (byLine.length === 0) return losses;
  try {
    await scanLines(test.lineBlocks(path), byLine);
    return losses;
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return [...losses, ...byLine.map(({ field }) => [field, messageOf(error)] as const)];
  }
}

async function readDocument(
  path: string,
  collectors: readonly Collector[],
  read: () => Promise<JsonValue | undefined>,
): Promise<Losses> {
  if (collectors.length === 0) return [];
  const document = await read();
  if (document === undefined) {
    return collectors.map(({ field }) => [field, `${path} is missing or cannot be read`] as const);
  }
  for (const collector of collectors) {
    const { source } = collector.field;
    collector.sawFile();
    if (source.type === 'text') collector.push(document);
    else if (source.type === 'json' || source.type === 'yaml') {
      for (const value of selectPath(document, source.path)) collector.push(value);
    }
  }
  return [];
}

function summary(
  collectors: readonly { readonly collector: Collector; readonly field: FieldDefinition }[],
  lost: ReadonlyMap<FieldDefinition, string>,
): ParsedFields {
  const fields: [string, JsonValue][] = [];
  const problems: string[] = [];
  for (const { collector, field } of collectors) {
    const { value = field.default, reason } = collector.finish();
    if (value !== undefined && value !== null) fields.push([field.name, value]);
    if (reason !== undefined) problems.push(`${field.name}: ${field.file}: ${reason}`);
    else if (value === undefined) problems.push(`${field.name}: ${lost.get(field) ?? notFoundReason(field)}`);
  }
  return { fields: Object.fromEntries(fields), problems };
}

function notFoundReason({ file, source }: FieldDefinition): string {
  switch (source.type) {
    case 'json':
    case 'yaml':
      return `${file} has nothing at ${source.path.text}`;
    case 'regex':
      return `no line of ${file} matches ${source.pattern.source}, or it cannot be read`;
    case 'csv':
      return `${file} has no value in a column ${JSON.stringify(source.column)}, or cannot be read`;
    case 'curve':
      return `${file} has no points in the columns ${JSON.stringify(source.x)} and ${JSON.stringify(source.y)}, or cannot be read`;
    default:
      return `${file} has no such value, or cannot be read`;
  }
}
