import type { FollowedRecord } from '../../../core/follower.ts';

/** Names of columns that count steps, the best first; compared without a prefix up to the last "/". */
const STEPS = [
  'totalenvsteps',
  'total_env_steps',
  'global_step',
  'step',
  'steps',
  'timesteps_total',
  'total_timesteps',
  'iteration',
  'itr',
  'epoch',
];
/** Columns with a time in seconds since 1970. */
const TIMES = ['wall_time', 'timestamp', '_timestamp'];
const YEAR_2001 = 1e9;

/** A row as a record; its number distinguishes rows of the same time. */
export function toRecord(
  header: readonly string[],
  cells: readonly string[],
  number: number,
): FollowedRecord {
  const values: [string, number | boolean | string][] = [];
  for (const [at, name] of header.entries()) {
    const value = cellValue(cells[at] ?? '');
    if (name !== '' && value !== undefined) values.push([name, value]);
  }
  const step = firstOf(values, STEPS);
  const seconds = firstOf(values, TIMES);
  const hasTime = seconds !== undefined && seconds > YEAR_2001 && seconds < YEAR_2001 * 100;
  return {
    number,
    values,
    ...(step !== undefined && Number.isSafeInteger(step) && { step: BigInt(step) }),
    ...(hasTime && { at: { ms: Math.floor(seconds * 1000), ns: number % 1_000_000 } }),
  };
}

function firstOf(
  values: readonly (readonly [string, unknown])[],
  wanted: readonly string[],
): number | undefined {
  for (const name of wanted) {
    const found = values.find(([column]) => column.slice(column.lastIndexOf('/') + 1).toLowerCase() === name);
    if (typeof found?.[1] === 'number') return found[1];
  }
  return undefined;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A cell as Python wrote it; undefined when it is empty: a gap stays a gap. */
function cellValue(cell: string): number | boolean | string | undefined {
  const text = cell.trim();
  if (text === '') return undefined;
  if (NUMBER.test(text)) return Number(text);
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'nan') return Number.NaN;
  if (/^[+-]?inf(inity)?$/.test(word))
    return word.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return text;
}
