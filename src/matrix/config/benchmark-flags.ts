import type { Definition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';

/** Flags of the original tool that a file may have. Those about reading results have no effect on a run. */
const USED = [
  'results_dirname',
  'path_tpl',
  'script_tpl',
  'expe_to_run',
  'stop_on_error',
  'remote_mode',
  'filters',
  'image',
  'engine',
];
const ALLOWED = ['workload', 'workload_base_dir', 'run', 'generate', 'benchmark_file'];

export interface Flag {
  readonly value: JsonValue;
  /** As it is written. */
  readonly key: string;
}

export interface Flags {
  readonly flags: ReadonlyMap<string, Flag>;
  readonly problems: readonly Problem[];
}

/** The "--flag" keys of a mapping, with dashes or underscores. Unknown ones are warnings. */
export function readFlags(raw: JsonObject, definition: Definition, path: readonly string[] = []): Flags {
  const flags = new Map<string, Flag>();
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(raw)) {
    if (!key.startsWith('--')) continue;
    const name = key.slice(2).replaceAll('-', '_');
    if (!USED.includes(name) && !ALLOWED.includes(name)) {
      const close = nearest(name, USED);
      const hint = close && `Did you mean "--${close.replaceAll('_', '-')}"?`;
      const at = [...path, key];
      const message = `${dotted(at)} is not a flag of a run and is ignored`;
      problems.push({ ...problemAt(definition, at, message, { hint, part: 'key' }), severity: 'warning' });
    }
    // For the original tool null and "" are the same as an absent key.
    if (value !== null && value !== '') flags.set(name, { value, key });
  }
  return { flags, problems };
}

/** A flag of one type; another type is a problem. */
export function typedFlag<T extends string | boolean>(
  { flags }: Flags,
  name: string,
  { type, definition }: { readonly type: 'string' | 'boolean'; readonly definition: Definition },
): { readonly value?: T; readonly problems: readonly Problem[] } {
  const flag = flags.get(name);
  if (flag === undefined) return { problems: [] };
  if (typeof flag.value === type) return { value: flag.value as T, problems: [] };
  const expected = type === 'string' ? 'a text' : 'true or false';
  const message = `${dotted([flag.key])}: expected ${expected}, found ${describeValue(flag.value)}`;
  return { problems: [problemAt(definition, [flag.key], message)] };
}

/** A list of names, or names with commas between them. */
export function namesFlag(
  { flags }: Flags,
  name: string,
  definition: Definition,
): { readonly value?: readonly string[]; readonly problems: readonly Problem[] } {
  const flag = flags.get(name);
  if (flag === undefined) return { problems: [] };
  const { value, key } = flag;
  if (typeof value === 'string') return { value: value.split(','), problems: [] };
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (isList)
    return { value: (value as readonly JsonValue[]).map((item) => String(item ?? '')), problems: [] };
  const message = `${dotted([key])}: expected a list of names of experiments, found ${describeValue(value)}`;
  return { problems: [problemAt(definition, [key], message)] };
}
