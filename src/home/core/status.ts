import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/core/text/json.ts';

/** What a stage left behind: the two fields of the protocol, plus whatever else its script wrote. */
export interface Status {
  readonly success: boolean;
  readonly message: string;
  readonly extra: JsonObject;
}

/** How the status file of a stage was found: its text, or why there is none. */
export type StatusFile =
  | { readonly state: 'text'; readonly text: string }
  | { readonly state: 'missing' }
  | { readonly state: 'unusable'; readonly reason: string };

/**
 * The rules of specs: no file, a missing field and unparsable text are failures of
 * that stage with a message; extra fields are kept.
 */
export function readStatus(file: StatusFile, folder: string): Status {
  if (file.state === 'missing') return failure(`No status.json in ${folder}`);
  if (file.state === 'unusable') return failure(`status.json in ${folder} cannot be used: ${file.reason}`);
  let parsed: JsonValue;
  try {
    parsed = JSON.parse(file.text) as JsonValue;
  } catch {
    return failure(`Failed to parse status.json in ${folder}`);
  }
  if (!isJsonObject(parsed)) return failure(`status.json in ${folder} is not a JSON object`);
  for (const field of ['success', 'message']) {
    if (!(field in parsed)) return failure(`status.json in ${folder} has no '${field}' field`);
  }
  const { success, message, ...extra } = parsed;
  return {
    success: isTruthy(success ?? null),
    message: typeof message === 'string' ? message : JSON.stringify(message),
    extra,
  };
}

/** A failed status without further fields. */
export function failure(message: string): Status {
  return { success: false, message, extra: {} };
}

/** A successful status without further fields. */
export function success(message = ''): Status {
  return { success: true, message, extra: {} };
}

/** The fields in the order in which they are written to disk. */
export function statusFields({ success, message, extra }: Status): JsonObject {
  return { success, message, ...extra };
}

/** Truth as Python sees it: the original judges `active` and `success` that way. */
export function isTruthy(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}
