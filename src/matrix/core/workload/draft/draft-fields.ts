import type { Settings } from '../../../../formats/core/kpi/matrix-entry.ts';
import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import { convertValue, numberIn } from '../convert-value.ts';

/** A field that the draft proposes. */
export interface DraftField {
  readonly name: string;
  readonly file: string;
  /** The keys that say where the value is, as YAML: `json: $.a`. */
  readonly source: Readonly<Record<string, string>>;
  readonly type: 'number' | 'numbers' | 'time' | 'text' | 'curve';
}

const MOST_FIELDS = 40;
const DEEPEST = 5;

/** The numbers of an example, and its identifying texts: start, end, run id, version. */
export function findFields(files: readonly ExampleFile[]): readonly DraftField[] {
  const found = files.flatMap((file) => (file.type === 'csv' ? inTable(file) : inDocument(file)));
  // Folders that differ by their number are one pattern: their fields are the same ones.
  const unique = [
    ...new Map(found.map((field) => [JSON.stringify([field.file, field.source]), field])).values(),
  ];
  const taken = new Set<string>();
  return unique.slice(0, MOST_FIELDS).map((field) => ({ ...field, name: freeName(field, taken) }));
}

/** 000__run/result.json -> *__run/result.json: the number is another one in the next test. */
function patternOf(path: string): string {
  return path.replace(/(^|\/)\d+__/g, '$1*__');
}

function inDocument({ path, type, value }: Exclude<ExampleFile, { type: 'csv' }>): readonly DraftField[] {
  return leaves({ at: '$', key: '', leaf: value }).flatMap(({ at, key, leaf }): readonly DraftField[] => {
    const fieldType = typeOf(key, leaf, at.includes('[*]'));
    if (fieldType === undefined) return [];
    return [{ name: nameFor(at), file: patternOf(path), source: { [type]: at }, type: fieldType }];
  });
}

interface Leaf {
  readonly at: string;
  readonly key: string;
  readonly leaf: JsonValue;
}

/** Of a list of mappings the first stands for all. */
function leaves({ at, key, leaf }: Leaf, depth = 0): readonly Leaf[] {
  if (depth > DEEPEST) return [];
  if (isJsonObject(leaf)) {
    return Object.entries(leaf).flatMap(([name, inner]) =>
      leaves({ at: `${at}${step(name)}`, key: name, leaf: inner }, depth + 1),
    );
  }
  if (Array.isArray(leaf) && isJsonObject(leaf[0]))
    return leaves({ at: `${at}[*]`, key, leaf: leaf[0] }, depth + 1);
  return [{ at, key, leaf }];
}

/** A path cannot express a key with both kinds of quotes; the result then matches nothing. */
function step(key: string): string {
  if (/^[^.[\]'"\s*$][^.[\]]*$/.test(key)) return `.${key}`;
  return key.includes('"') ? `['${key.replaceAll("'", '')}']` : `["${key}"]`;
}

function typeOf(key: string, leaf: JsonValue, isRepeated: boolean): DraftField['type'] | undefined {
  if (/^(start|end)(_?(time|ed|ed_at))?$|^(begin|finish(ed)?)$/i.test(key) && !isRepeated) {
    return 'value' in convertValue(leaf, 'time') ? 'time' : undefined;
  }
  if (typeof leaf === 'number') return isRepeated ? 'numbers' : 'number';
  if (Array.isArray(leaf)) {
    return leaf.length > 0 && leaf.every((each) => typeof each === 'number') ? 'numbers' : undefined;
  }
  const isName = /^(run_?id|uuid|version|commit|githash)$/i.test(key);
  return typeof leaf === 'string' && isName && !isRepeated ? 'text' : undefined;
}

const AXIS = /steps|iteration|epoch|itr$|^time$/i;

function inTable({ path, header, row }: Extract<ExampleFile, { type: 'csv' }>): readonly DraftField[] {
  const isNumeric = (index: number) => row[index] !== undefined && numberIn(row[index]) !== undefined;
  const columns = header.filter((name, index) => name !== '' && isNumeric(index));
  const axis = columns.find((name) => /steps/i.test(name)) ?? columns.find((name) => AXIS.test(name));
  const isCurve = axis !== undefined && /progress|curve|history/i.test(path);
  return columns
    .filter((name) => !AXIS.test(name))
    .map((name) => ({
      name: nameFor(name),
      file: patternOf(path),
      source: isCurve
        ? { curve: `{ x: ${JSON.stringify(axis)}, y: ${JSON.stringify(name)} }` }
        : { csv: name },
      type: isCurve ? 'curve' : 'numbers',
    }));
}

function nameFor(text: string): string {
  const name = text.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return /^[A-Za-z]/.test(name) ? name.toLowerCase() : `value_${name.toLowerCase()}`.replace(/_$/, '');
}

/** start_time becomes start: payloads have it under that name. */
function freeName({ name, file, type }: DraftField, taken: Set<string>): string {
  const short = type === 'time' ? (/end|finish/.test(name) ? 'end' : 'start') : name;
  const longer = nameFor(`${file.split('/').at(-1)?.split('.')[0] ?? ''}_${name}`);
  let free = [short, name, longer].find((each) => !taken.has(each)) ?? longer;
  for (let number = 2; taken.has(free); number++) free = `${longer}_${number}`;
  taken.add(free);
  return free;
}

/** The content of one test directory, to draft a workload from. */
export interface ExampleTest {
  readonly settings: Settings;
  readonly hasUuid: boolean;
  readonly files: readonly ExampleFile[];
}

/** A file that may contain values; paths are relative to the test directory. */
export type ExampleFile =
  | { readonly path: string; readonly type: 'json' | 'yaml'; readonly value: JsonValue }
  | {
      readonly path: string;
      readonly type: 'csv';
      readonly header: readonly string[];
      readonly row: readonly string[];
    };
