import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { NightmarkError } from '../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, pythonJson } from '../platform/core/text/json.ts';
import { type DataEntry, isDataEntry, sortEntries, timestampText } from './core/data-series.ts';

/** The status of a stage: DIR/status.json. That file counts, not the exit code. */
export function writeStatus(dir: string, success: boolean, message: string): void {
  writeJson(dir, 'status.json', { success, message });
}

/** The summary of a night for people: DIR/summary.json. */
export function writeSummary(dir: string, title: string, value: string): void {
  writeJson(dir, 'summary.json', { title, value });
}

/** The numbers of this night: DIR/data.json. */
export function writeData(dir: string, data: JsonObject): void {
  writeJson(dir, 'data.json', data);
}

/** DIR/config.json. */
export function readConfig(dir: string): JsonObject {
  return readJsonObject(join(dir, 'config.json'));
}

/** Now, as nights are named: "01-31-2026-0200", local time. */
export function timestamp(now: Date = new Date()): string {
  return timestampText({
    year: now.getFullYear(),
    month: now.getMonth() + 1,
    day: now.getDate(),
    hour: now.getHours(),
    minute: now.getMinutes(),
  });
}

/** The data of all nights, oldest first. Other files are skipped, with a message on stderr. */
export function sortData(dir: string): readonly DataEntry[] {
  const entries: DataEntry[] = [];
  for (const name of namesIn(expanded(dir))) {
    const entry = readEntry(join(expanded(dir), name));
    if (entry) entries.push(entry);
    else process.stderr.write(`nightmark: ${join(dir, name)} is skipped: it is not data of a night\n`);
  }
  return sortEntries(entries);
}

function namesIn(dir: string): readonly string[] {
  try {
    const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    return files.map(({ name }) => name).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readEntry(path: string): DataEntry | undefined {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as JsonValue;
    return isDataEntry(content) ? content : undefined;
  } catch {
    // Not JSON: the caller reports that it was skipped.
    return undefined;
  }
}

/** "~" is the user's home folder, as in a shell. */
export function expanded(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

/** Atomically; folders are created. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const target = expanded(path);
  mkdirSync(dirname(target), { recursive: true });
  const unfinished = join(dirname(target), `.nightmark-${process.pid}-${Date.now()}.part`);
  try {
    writeFileSync(unfinished, content);
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Always valid JSON: values that it cannot express become null. */
export function writeJson(dir: string, name: string, value: JsonValue): void {
  writeWhole(join(dir, name), pythonJson(value));
}

/** Reads a JSON object; errors name the path. */
export function readJsonObject(path: string): JsonObject {
  let content: JsonValue;
  try {
    content = JSON.parse(readFileSync(expanded(path), 'utf8')) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NightmarkError('KIT_UNREADABLE', `${path} cannot be read: ${reason}.`, {
      hint: 'It must be there and hold a JSON object.',
      cause,
    });
  }
  if (isJsonObject(content)) return content;
  throw new NightmarkError('KIT_UNREADABLE', `${path} is not a JSON object.`, { hint: 'It begins with {.' });
}
