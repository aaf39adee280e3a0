import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** How far one file was sent. */
export interface FileState {
  readonly position: JsonObject;
  /** The time given to records that were being sent when this was written: sent again, they must be the same points. */
  readonly pendingAt?: number;
}

export type FollowState = ReadonlyMap<string, FileState>;

/** Reads what `followStateText` wrote; what is damaged counts as not sent. */
export function parseFollowState(text: string | undefined): Map<string, FileState> {
  const state = new Map<string, FileState>();
  const files = filesOf(text);
  for (const [path, file] of Object.entries(isJsonObject(files) ? files : {})) {
    if (!isJsonObject(file) || !isJsonObject(file['position'])) continue;
    const at = file['pendingAt'];
    state.set(path, { position: file['position'], ...(typeof at === 'number' && { pendingAt: at }) });
  }
  return state;
}

export function followStateText(state: FollowState): string {
  const files = Object.fromEntries([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: 1, files }, undefined, 1)}\n`;
}

function filesOf(text: string | undefined): JsonValue | undefined {
  try {
    const read = JSON.parse(text ?? '{}') as JsonValue;
    return isJsonObject(read) ? read['files'] : undefined;
  } catch {
    return undefined;
  }
}
