import type { Settings } from '../../formats/core/kpi/matrix-entry.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { isLooks, type Looks, type SeenTimes } from './looks.ts';

/** What is remembered of one test directory, in two parts that grow old on their own. */
export interface CacheRecord {
  readonly head: CachedHead;
  /** Absent: it was not parsed, because it did not count or was filtered out. */
  readonly body?: CachedBody;
}

/** What its settings files and its exit code say. */
export interface CachedHead {
  readonly seen: Looks;
  /** Of the folder itself: as long as they hold, it has the same names in it. */
  readonly folder: SeenTimes;
  readonly settings: Settings;
  readonly problems: readonly string[];
  /** The exit code, or why the test does not count. */
  readonly exit: number | string;
  readonly isBroken?: boolean;
}

/** What the workload made of its files. */
export interface CachedBody {
  readonly seen: Looks;
  /** Hash of the settings and exit code that the workload was given. */
  readonly given: string;
  /** Artifact folders by their names. */
  readonly artifacts: Readonly<Record<string, string>>;
  readonly fields: JsonObject;
  readonly problems: readonly string[];
}

/** Undefined when the text is not what we wrote: a cache is never an error. */
export function parseRecord(text: string): CacheRecord | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isJsonObject(value) || !isHead(value['head'])) return undefined;
    if (value['body'] !== undefined && !isBody(value['body'])) return undefined;
    return value as unknown as CacheRecord; // checked above
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isHead(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { seen, folder, settings, problems, exit } = value;
  const hasExit = typeof exit === 'number' || typeof exit === 'string';
  if (!isJsonObject(folder) || ![folder['at'], folder['modifiedAt'], folder['changedAt']].every(isNumber))
    return false;
  return isLooks(seen) && isJsonObject(settings) && isTexts(problems) && hasExit;
}

function isBody(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const { seen, given, artifacts, fields, problems } = value;
  if (!isLooks(seen) || typeof given !== 'string' || !isTexts(problems) || !isJsonObject(fields))
    return false;
  return isJsonObject(artifacts) && isTexts(Object.values(artifacts));
}

function isNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number';
}

function isTexts(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((part) => typeof part === 'string');
}
