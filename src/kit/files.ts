import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { NightmarkError } from '../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, pythonJson } from '../platform/core/text/json.ts';

/** "~" is the user's home folder, as in a shell. */
export function expanded(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

/** Whole or not at all; folders are made. */
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

/** Valid JSON always: what it has no word for becomes null. */
export function writeJson(dir: string, name: string, value: JsonValue): void {
  writeWhole(join(dir, name), pythonJson(value));
}

/** An object from a file; what is wrong with it is said with its path. */
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
  throw new NightmarkError('KIT_UNREADABLE', `${path} holds no JSON object.`, { hint: 'It begins with {.' });
}
