import type { Payload } from './kpi.ts';

/** Makes a folder one of payloads: old readers expect it. */
export const ANCHOR = 'source.lts.yaml';

/** A word that can be part of a file name anywhere. */
export function indexName(text: string): string {
  return text.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'payloads';
}

export function payloadFileName(index: string, { metadata }: Payload): string {
  return `${indexName(index)}_${indexName(metadata.test_uuid)}.json`;
}

export function payloadText(payload: Payload): string {
  return `${JSON.stringify(payload, null, 4)}\n`;
}

interface Anchor {
  readonly index: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly filters: readonly string[];
}

/** Where the payloads of a folder come from. JSON strings are YAML too. */
export function anchorText({ index, at, filters }: Anchor): string {
  const date = `${new Date(at).toISOString().slice(0, -1)}000Z`;
  return `date: '${date}'\nfilters: ${JSON.stringify(filters)}\nindex: ${JSON.stringify(index)}\n`;
}

/** Whether a file in a folder of payloads is one. */
export function isPayloadFile(name: string): boolean {
  return name !== ANCHOR && name !== 'skip' && !name.startsWith('.') && name.endsWith('.json');
}
