import type { JsonValue } from '../../platform/core/text/json.ts';
import type { CurveIdentity } from './curve-table.ts';

/** Settings of a curve, from a file beside it. */
export type CurveSettings = Readonly<Record<string, JsonValue>>;

const TASK_KEYS = ['task', 'env', 'env_id', 'environment', 'env_name', 'dataset'];
const ALGORITHM_KEYS = ['algorithm', 'algo', 'alg', 'agent', 'method', 'policy', 'model'];
const SEED_KEYS = ['seed', '@seed', 'random_seed', 'trial'];

/** Of what task, algorithm and seed a file is: as the folders say it, and before that its settings. */
export function nameCurve(folders: readonly string[], settings: CurveSettings = {}): CurveIdentity {
  const parts = folders.map(readFolder);
  const setting = (keys: readonly string[]) => settingOf(settings, keys);
  const isBaseline = parts.some((part) => part.isBaseline === true);
  const plain = parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const task =
    setting(TASK_KEYS) ??
    last(parts, 'task') ??
    plain.findLast((text) => TASK_LIKE.test(text)) ??
    plain.at(-2);
  const other = plain.findLast((text) => text !== task);
  const algorithm = setting(ALGORITHM_KEYS) ?? last(parts, 'algorithm') ?? other ?? 'unnamed';
  const seed = setting(SEED_KEYS) ?? last(parts, 'seed');
  return {
    task: task ?? algorithm,
    algorithm: isBaseline ? baselineName(algorithm) : algorithm,
    isBaseline,
    ...(seed !== undefined && { seed }),
    edition: parts.flatMap(({ edition }) => (edition === undefined ? [] : [edition])).join('/'),
  };
}

/** A baseline stands beside the algorithm that it is one of. */
export function baselineName(algorithm: string): string {
  return `${algorithm} (baseline)`;
}

/** The setting under one of these names, as text. */
function settingOf(settings: CurveSettings, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (typeof value === 'string' ? value !== '' : typeof value === 'number') return String(value);
  }
  return undefined;
}

/** What settings say of a curve that lies in no folder: the result of a test. */
export function nameBySettings(settings: CurveSettings, workload: string): Omit<CurveIdentity, 'edition'> {
  const seed = settingOf(settings, SEED_KEYS);
  const task = settingOf(settings, TASK_KEYS);
  const known = new Set([...TASK_KEYS, ...ALGORITHM_KEYS, ...SEED_KEYS]);
  const others = Object.entries(settings).flatMap(([key, value]) =>
    known.has(key) || typeof value === 'object' ? [] : [`${key}=${String(value)}`],
  );
  const algorithm = settingOf(settings, ALGORITHM_KEYS);
  const name = [...(algorithm === undefined ? [] : [algorithm]), ...others].join(' ');
  return {
    task: task ?? workload,
    algorithm: name === '' ? workload : name,
    isBaseline: false,
    ...(seed !== undefined && { seed }),
  };
}

/** Those settings that name a curve: a job has hundreds of others. */
export function namingSettings(settings: CurveSettings): CurveSettings {
  const known = new Set([...TASK_KEYS, ...ALGORITHM_KEYS, ...SEED_KEYS]);
  return Object.fromEntries(Object.entries(settings).filter(([key]) => known.has(key)));
}

interface FolderPart {
  readonly task?: string;
  readonly algorithm?: string;
  readonly seed?: string;
  readonly isBaseline?: true;
  /** Neither of them: a name that may be any. */
  readonly text?: string;
  /** What is left of it for all seeds. */
  readonly edition?: string;
}

/** Names as gym gives them: HalfCheetah-v2. */
const TASK_LIKE = /-v\d+$/;

function readFolder(name: string): FolderPart {
  if (name === 'baselines' || name === 'benchmark') return { isBaseline: true, edition: name };
  if (name === 'garage') return { edition: name };
  const trial = /^tr[ai]+l_?(\d+)(?:_seed_?(\d+))?$/.exec(name);
  if (trial) return { seed: trial[2] === undefined ? `trial ${trial[1]}` : `${trial[2]}` };
  const seed = /^(?:seed[-_=]?)?(\d{1,10})$/.exec(name);
  if (seed) return { seed: `${seed[1]}` };
  // <function>_<task>_<seed>: neither of the first two has an underscore.
  const run = /^([^_]+)_([^_]+)_(\d+)$/.exec(name);
  if (run)
    return { algorithm: `${run[1]}`, task: `${run[2]}`, seed: `${run[3]}`, edition: `${run[1]}_${run[2]}` };
  // Distinguishes a night or a second run, and is not a name.
  if (/^\d{4}-\d\d-\d\d/.test(name)) return { edition: name };
  const benchmark = /^benchmark_(.+)$/.exec(name);
  if (benchmark) return { algorithm: `${benchmark[1]}`, edition: name };
  const pair = /^(?:(env|env_id|task)|(algo|algorithm))=(.+)$/.exec(name);
  if (pair?.[1] !== undefined) return { task: `${pair[3]}`, edition: name };
  if (pair?.[2] !== undefined) return { algorithm: `${pair[3]}`, edition: name };
  return { text: name, edition: name };
}

function last(parts: readonly FolderPart[], key: 'task' | 'algorithm' | 'seed'): string | undefined {
  return parts.findLast((part) => part[key] !== undefined)?.[key];
}
