import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import { ask, type ExportAccess, type ExportAnswer, type ExportRequest, unexpectedAnswer } from '../ask.ts';

export interface Cluster {
  /** Ends in "/". */
  readonly url: URL;
  readonly access: ExportAccess;
  readonly signal: CancelSignal;
}

type Call = Pick<ExportRequest, 'method' | 'type'> & { readonly path: string; readonly body?: string };

export function call({ url, access, signal }: Cluster, { path, ...request }: Call): Promise<ExportAnswer> {
  return ask({ ...request, url: new URL(path, url) }, access, signal);
}

/** The mapping of an answer; anything else than JSON is not from OpenSearch. */
export function bodyOf({ url }: Cluster, answer: ExportAnswer): JsonObject {
  try {
    const body: unknown = JSON.parse(answer.text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject;
  } catch {
    // Said below, with what was answered.
  }
  throw unexpectedAnswer(url, answer);
}

/** Type and reason of an error as OpenSearch words it. */
export function errorOf(error: unknown): { readonly type: string; readonly reason: string } {
  const { type = '', reason = '' } = (error ?? {}) as { type?: string; reason?: string };
  return { type: String(type), reason: reason === '' ? String(type || error) : `${type}: ${reason}` };
}
