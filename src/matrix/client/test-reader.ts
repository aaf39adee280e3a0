import type { TestFolder } from '../../formats/core/kpi/matrix-entry.ts';
import type { ParsedFields, TestFiles } from '../../formats/core/kpi/workload.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { parseJsonPath } from '../core/workload/json-path.ts';
import { readFields } from '../core/workload/read-fields.ts';
import type {
  FieldDefinition,
  FieldSource,
  Reducer,
  ValueType,
} from '../core/workload/workload-definition.ts';

/** How values are converted and reduced; as in a workload file. */
export interface ReadOptions {
  readonly type?: ValueType;
  readonly reduce?: Reducer;
  readonly default?: JsonValue;
}

/** Reads the files of one test. What cannot be read is undefined, and a problem of the test. */
export interface TestReader {
  readonly folder: TestFolder;
  /** For everything else: folders of artifacts, patterns, lines. */
  readonly files: TestFiles;
  /** The value at a path (default: `$`) of a JSON file. The file may be a pattern. */
  json(file: string, path?: string, options?: ReadOptions): Promise<JsonValue | undefined>;
  yaml(file: string, path?: string, options?: ReadOptions): Promise<JsonValue | undefined>;
  /** A column of a table with a header, by default as numbers. */
  csv(file: string, column: string, options?: ReadOptions): Promise<JsonValue | undefined>;
  /** The last match in the lines of a file, by default as text. The expression gets the flag "g". */
  regexp(file: string, pattern: RegExp, options?: ReadOptions): Promise<JsonValue | undefined>;
  text(file: string, options?: ReadOptions): Promise<JsonValue | undefined>;
  /** The learning curve {x, y} of two columns; a list with one for each file that matches. */
  curve(file: string, x: string, y: string): Promise<JsonValue | undefined>;
  /** The text of .uuid; a missing file is not a problem. */
  uuid(): Promise<string | undefined>;
  /** A getter over config.yaml: config('a.b.c', 0). */
  config(file?: string): Promise<(path: string, fallback?: JsonValue) => JsonValue | undefined>;
  problem(text: string): void;
}

/** A reader, and a function that runs the module and collects its problems. */
export function makeReader(files: TestFiles): {
  readonly reader: TestReader;
  finish(parse: () => Promise<JsonObject>): Promise<ParsedFields>;
} {
  const problems: string[] = [];
  const cached = cacheFiles(files);
  const find = async (file: string, source: FieldSource, options: ReadOptions & { type: ValueType }) => {
    const field: FieldDefinition = { name: nameOf(file, source), file, source, ...options };
    const read = await readFields([field], cached);
    problems.push(...read.problems);
    return read.fields[field.name];
  };
  const document =
    (type: 'json' | 'yaml') =>
    async (file: string, path = '$', options: ReadOptions = {}) => {
      const parsed = parseJsonPath(path);
      if (!parsed.ok) throw new TypeError(`${path}: expected ${parsed.error}`);
      return find(file, { type, path: parsed.value }, { type: 'any', ...options });
    };
  const reader: TestReader = {
    folder: files.folder,
    files,
    json: document('json'),
    yaml: document('yaml'),
    csv: (file, column, options = {}) => find(file, { type: 'csv', column }, { type: 'number', ...options }),
    regexp: (file, pattern, options = {}) =>
      find(file, { type: 'regex', pattern: globally(pattern) }, { type: 'text', ...options }),
    text: (file, options = {}) => find(file, { type: 'text' }, { type: 'text', ...options }),
    curve: (file, x, y) => find(file, { type: 'curve', x, y }, { type: 'any', reduce: 'list' }),
    uuid: async () => {
      const id = await find('.uuid', { type: 'text' }, { type: 'text', default: null });
      return typeof id === 'string' ? id : undefined;
    },
    config: async (file = 'config.yaml') => getterOf(await document('yaml')(file, '$', { default: null })),
    problem: (text) => problems.push(text),
  };
  return { reader, finish: (parse) => finish(parse, problems) };
}

/** A module reads field by field; each file is read and parsed once. */
function cacheFiles(files: TestFiles): TestFiles {
  const once = <T>(read: (path: string) => Promise<T>) => {
    const values = new Map<string, Promise<T>>();
    return (path: string) => {
      const value = values.get(path) ?? read(path);
      values.set(path, value);
      return value;
    };
  };
  return {
    ...files,
    glob: once((pattern) => files.glob(pattern)),
    text: once((path) => files.text(path)),
    json: once((path) => files.json(path)),
    yaml: once((path) => files.yaml(path)),
  };
}

async function finish(parse: () => Promise<JsonObject>, problems: string[]): Promise<ParsedFields> {
  try {
    const given: Readonly<Record<string, JsonValue | undefined>> = await parse();
    const there = Object.entries(given).filter(
      (entry): entry is [string, JsonValue] => entry[1] !== undefined,
    );
    return { fields: Object.fromEntries(there), problems };
  } catch (error) {
    // The module is the user's: an error affects only this test.
    return { fields: {}, problems: [...problems, `parse failed: ${messageOf(error)}`] };
  }
}

function getterOf(config: JsonValue | undefined) {
  return (path: string, fallback?: JsonValue): JsonValue | undefined => {
    let at: JsonValue | undefined = config;
    for (const step of path.split('.')) {
      const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, step);
      at = isThere ? (at as Readonly<Record<string, JsonValue>>)[step] : undefined;
    }
    return at === undefined ? fallback : at;
  };
}

function globally(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}

/** The name of the field in problems. */
function nameOf(file: string, source: FieldSource): string {
  switch (source.type) {
    case 'json':
    case 'yaml':
      return source.path.text === '$' ? file : source.path.text;
    case 'csv':
      return source.column;
    case 'curve':
      return source.y;
    default:
      return file;
  }
}
