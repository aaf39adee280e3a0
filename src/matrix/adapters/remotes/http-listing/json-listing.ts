import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { ListedEntry } from './http-listing.ts';

/** nginx with "autoindex_format json"; undefined when the text is something else. */
export function readJsonListing(text: string): readonly ListedEntry[] | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!Array.isArray(value)) return undefined;
  const entries = value.map(toEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function toEntry(value: JsonValue): ListedEntry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, type, size } = value;
  if (typeof name !== 'string' || (type !== 'directory' && type !== 'file')) return undefined;
  if (type === 'directory') return { name: name.replace(/\/$/, ''), type: 'folder' };
  return { name, type, ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }) };
}
