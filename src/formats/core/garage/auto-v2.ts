import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { parseResultJson } from '../parse-json.ts';

/** One curve of the second benchmark page: mean over seeds, with mean minus and plus the spread. */
interface AutoV2 {
  readonly x: readonly number[];
  /** A gap is null. */
  readonly y: readonly (number | null)[];
  readonly yMin: readonly (number | null)[];
  readonly yMax: readonly (number | null)[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly commit?: string;
}

export const AUTO_HINT =
  'It looks like {"x": [...], "y": [...], "y_min": [...], "y_max": [...], "git_hash": "..."}.';

export function readAutoV2(text: string): AutoV2 {
  const root = parseResultJson(text, AUTO_HINT);
  if (!isJsonObject(root))
    throw new NightmarkError('IMPORT_SHAPE', 'It is not an object.', { hint: AUTO_HINT });
  const x = numbers(root['x'], 'x');
  const column = (name: string) => sameLength(numbers(root[name], name), name, x.length);
  const { xlabel, ylabel, git_hash: commit } = root;
  if (x.includes(null)) throw new NightmarkError('IMPORT_SHAPE', '"x" has a gap.', { hint: AUTO_HINT });
  return {
    x: x as readonly number[],
    y: column('y'),
    yMin: column('y_min'),
    yMax: column('y_max'),
    xLabel: typeof xlabel === 'string' ? xlabel : '',
    yLabel: typeof ylabel === 'string' ? ylabel : '',
    ...(typeof commit === 'string' && commit !== '' && { commit }),
  };
}

export function autoV2Text({ x, y, yMin, yMax, xLabel, yLabel, commit }: AutoV2): string {
  const fields = { x, y, y_min: yMin, y_max: yMax, xlabel: xLabel, ylabel: yLabel, git_hash: commit ?? '' };
  return `${JSON.stringify(fields)}\n`;
}

/** Task and algorithm of HalfCheetah-v2_ppo-garage-pytorch.json, whatever folders stand before it; undefined when the name has another form. */
export function readAutoName(
  path: string,
): { readonly task: string; readonly algorithm: string } | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, task, algorithm] = /^([^_]+)_(.+)\.json$/.exec(name) ?? [];
  return task === undefined || algorithm === undefined ? undefined : { task, algorithm };
}

export function autoName(task: string, algorithm: string): string {
  const plain = (name: string) => name.replace(/[^\w.-]|_/g, '-').slice(0, LONGEST);
  return `${plain(task)}_${plain(algorithm)}.json`;
}

/** Two of them, and what stands between and behind, fit into a name of a file. */
const LONGEST = 100;

function numbers(value: JsonValue | undefined, name: string): readonly (number | null)[] {
  const isColumn = Array.isArray(value) && value.every((item) => typeof item === 'number' || item === null);
  if (isColumn) return value as (number | null)[];
  throw new NightmarkError('IMPORT_SHAPE', `"${name}" is not a list of numbers.`, { hint: AUTO_HINT });
}

function sameLength<T>(column: readonly T[], name: string, length: number): readonly T[] {
  if (column.length === length) return column;
  throw new NightmarkError('IMPORT_SHAPE', `"${name}" has ${column.length} values, and "x" has ${length}.`, {
    hint: AUTO_HINT,
  });
}
