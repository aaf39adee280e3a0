import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../platform/core/text/json.ts';
import { type DataEntry, isDataEntry, sortEntries } from './core/data-series.ts';
import { timestampText } from './core/timestamp.ts';
import { expanded, readJsonObject, writeJson } from './files.ts';

/** The status of a stage: DIR/status.json. That file counts, not the exit code. */
export function writeStatus(dir: string, success: boolean, message: string): void {
  writeJson(dir, 'status.json', { success, message });
}

/** What people read of a night: DIR/summary.json. */
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

/** The data of all nights, oldest first. What is no data of a night is left out, and said on stderr. */
export function sortData(dir: string): readonly DataEntry[] {
  const entries: DataEntry[] = [];
  for (const name of namesIn(expanded(dir))) {
    const entry = readEntry(join(expanded(dir), name));
    if (entry) entries.push(entry);
    else process.stderr.write(`nightmark: ${join(dir, name)} is left out: it is no data of a night\n`);
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
    // Whatever it is, it is no JSON: the caller says that it was left out.
    return undefined;
  }
}
