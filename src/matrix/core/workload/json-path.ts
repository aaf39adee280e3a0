import { failed, ok, type Result } from '../../../platform/core/result.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** A path into a document: $.a.b[0], [-1], [*], .*, ..key, ['a key']. No filters and no scripts. */
export interface JsonPath {
  readonly text: string;
  readonly steps: readonly Step[];
  /** Whether it can select one value only. */
  readonly isDefinite: boolean;
}

type Step =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'each' }
  /** The value and all values below it; the next step selects among them. */
  | { readonly type: 'below' };

/** Reads a path; the error is what was expected instead. */
export function parseJsonPath(text: string): Result<JsonPath> {
  const steps: Step[] = [];
  const body = text.startsWith('$') ? text.slice(1) : `.${text}`;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < body.length) {
    const at = STEP.lastIndex;
    const found = STEP.exec(body)?.groups;
    if (!found)
      return failed(`a path like $.a.b[0], [*], ..key or ['a key'], not "${body.slice(at, at + 20)}"`);
    if (found['below'] !== undefined) steps.push({ type: 'below' });
    steps.push(toStep(found));
  }
  return ok({ text, steps, isDefinite: steps.every(({ type }) => type === 'key' || type === 'index') });
}

/** The values that the path selects, in the order of the document. */
export function selectPath(value: JsonValue, { steps }: JsonPath): readonly JsonValue[] {
  let found: readonly JsonValue[] = [value];
  for (const step of steps) found = found.flatMap((each) => take(each, step));
  return found;
}

const STEP =
  /(?<below>\.(?=\.))?(?:\.(?<name>[^.[\]'"\s*][^.[\]]*)|\.(?<star>\*)|\.?\[(?:(?<each>\*)|(?<index>-?\d{1,15})|'(?<single>[^']*)'|"(?<double>[^"]*)")\])/y;

function toStep(found: Readonly<Record<string, string | undefined>>): Step {
  if (found['index'] !== undefined) return { type: 'index', index: Number(found['index']) };
  const key = found['name'] ?? found['single'] ?? found['double'];
  return key === undefined ? { type: 'each' } : { type: 'key', key };
}

function take(value: JsonValue, step: Step): readonly JsonValue[] {
  if (step.type === 'below') return everythingIn(value);
  if (typeof value !== 'object' || value === null) return [];
  if (step.type === 'each') return Object.values(value);
  if (Array.isArray(value)) return step.type === 'index' ? one(value.at(step.index)) : [];
  if (step.type === 'index' || !Object.hasOwn(value, step.key)) return [];
  return one((value as Readonly<Record<string, JsonValue>>)[step.key]);
}

function one(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : [value];
}

/** Parents before children. An explicit stack: a hostile document may be nested deeper than the call stack. */
function everythingIn(root: JsonValue): readonly JsonValue[] {
  const found: JsonValue[] = [];
  const waiting: JsonValue[] = [root];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    found.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value).reverse()) waiting.push(inner);
  }
  return found;
}

/** The field with this name; dots select inside of it: data.run_id. */
export function fieldAt(results: JsonObject, name: string): JsonValue | undefined {
  let at: JsonValue | undefined = results;
  for (const step of name.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, step)) return undefined;
    at = at[step];
  }
  return at;
}
