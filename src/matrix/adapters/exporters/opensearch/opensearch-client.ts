import { asPayload } from '../../../../formats/core/kpi/read-payload.ts';
import { pause, shownUrl } from '../../../../platform/adapters/http.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { ReadDocument } from '../../../core/exporter.ts';
import {
  type ExportAccess,
  type ExportAnswer,
  type ExportRequest,
  exportRequest,
  unexpectedAnswer,
} from '../export-http.ts';

export interface Cluster {
  /** Ends in "/". */
  readonly url: URL;
  readonly access: ExportAccess;
  readonly signal: CancelSignal;
}

type Call = Pick<ExportRequest, 'method' | 'type'> & { readonly path: string; readonly body?: string };

export function call({ url, access, signal }: Cluster, { path, ...request }: Call): Promise<ExportAnswer> {
  return exportRequest({ ...request, url: new URL(path, url) }, access, signal);
}

/** The JSON object of an answer; anything else is not from OpenSearch. */
export function bodyOf({ url }: Cluster, answer: ExportAnswer): JsonObject {
  try {
    const body: unknown = JSON.parse(answer.text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject;
  } catch {
    // Reported below, with the answer.
  }
  throw unexpectedAnswer(url, answer);
}

/** Type and reason of an error of OpenSearch. */
export function errorOf(error: unknown): { readonly type: string; readonly reason: string } {
  const { type = '', reason = '' } = (error ?? {}) as { type?: string; reason?: string };
  return { type: String(type), reason: reason === '' ? String(type || error) : `${type}: ${reason}` };
}

export interface IndexedDocument {
  readonly index: string;
  readonly id: string;
  /** JSON, on one line. */
  readonly body: string;
}

interface Refused {
  readonly id: string;
  readonly reason: string;
}

/** Well below the default limit of a server, 100 MB. */
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
const MAX_BATCH_DOCUMENTS = 500;
const TRIES = 5;

/** Writes documents under their ids, with retries while the server is overloaded; returns the refused ones. */
export async function sendBulk(
  documents: readonly IndexedDocument[],
  cluster: Cluster,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  for (const batch of batchesOf(documents)) refused.push(...(await sendBatch(batch, cluster)));
  return refused;
}

async function sendBatch(batch: readonly IndexedDocument[], cluster: Cluster): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  let open = batch;
  for (let tried = 1; open.length > 0; tried++) {
    const outcomes = await sendOnce(open, cluster);
    const rejected: IndexedDocument[] = [];
    for (const [at, document] of open.entries()) {
      const { status, reason } = outcomes[at] ?? { status: 0, reason: 'the server did not answer for it' };
      if (status === 429 && tried < TRIES) rejected.push(document);
      else if (status < 200 || status > 299)
        refused.push({ id: document.id, reason: `${document.index}: ${reason}` });
    }
    if (rejected.length > 0) await pause(cluster.access.pauseMs * 2 ** (tried - 1), cluster.signal);
    open = rejected;
  }
  return refused;
}

interface Outcome {
  readonly status: number;
  readonly reason: string;
}

/** One outcome for each document, in order. */
async function sendOnce(batch: readonly IndexedDocument[], cluster: Cluster): Promise<readonly Outcome[]> {
  const lines = batch.map(
    ({ index, id, body }) => `${JSON.stringify({ index: { _index: index, _id: id } })}\n${body}\n`,
  );
  const request = {
    method: 'POST',
    path: '_bulk',
    body: lines.join(''),
    type: 'application/x-ndjson',
  } as const;
  const answer = await call(cluster, request);
  if (answer.status !== 200) throw unexpectedAnswer(new URL('_bulk', cluster.url), answer);
  const { items } = bodyOf(cluster, answer);
  return Array.isArray(items) ? (items as readonly JsonValue[]).map(outcomeOf) : [];
}

function outcomeOf(item: JsonValue): Outcome {
  const result = isJsonObject(item) ? item['index'] : undefined;
  const { status = 0, error } = (result ?? {}) as { status?: number; error?: unknown };
  return { status, reason: error === undefined ? `status ${status}` : errorOf(error).reason };
}

function* batchesOf(documents: readonly IndexedDocument[]): Generator<readonly IndexedDocument[]> {
  let batch: IndexedDocument[] = [];
  let chars = 0;
  for (const document of documents) {
    const isFull = batch.length === MAX_BATCH_DOCUMENTS || chars + document.body.length > MAX_BATCH_CHARS;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(document);
    chars += document.body.length;
  }
  if (batch.length > 0) yield batch;
}

const PAGE = 500;
const KEPT_OPEN = '5m';

/**
 * Every payload of an index. A search returns at most 10,000 documents; a scroll returns all, as they were when it began,
 * and needs no field to sort by.
 */
export async function* scrollPayloads(index: string, cluster: Cluster): AsyncGenerator<ReadDocument> {
  const path = `${encodeURIComponent(index)}/_search?scroll=${KEPT_OPEN}`;
  const first = { size: PAGE, sort: ['_doc'], query: { match_all: {} } };
  let page = await askPage(path, first, { index, cluster });
  try {
    for (;;) {
      const hits = hitsOf(page);
      if (hits.length === 0) return;
      for (const hit of hits) yield payloadOf(hit, index);
      const next = { scroll: KEPT_OPEN, scroll_id: page['_scroll_id'] ?? null };
      page = await askPage('_search/scroll', next, { index, cluster });
    }
  } finally {
    const body = JSON.stringify({ scroll_id: page['_scroll_id'] ?? null });
    // The server closes it after a while: a failure here does not affect the import.
    await call(cluster, { method: 'DELETE', path: '_search/scroll', body }).catch(() => {});
  }
}

async function askPage(
  path: string,
  body: JsonObject,
  { index, cluster }: { readonly index: string; readonly cluster: Cluster },
): Promise<JsonObject> {
  const answer = await call(cluster, { method: 'POST', path, body: JSON.stringify(body) });
  if (answer.status === 200) return complete(bodyOf(cluster, answer), cluster);
  if (
    answer.status === 404 &&
    errorOf(bodyOf(cluster, answer)['error']).type === 'index_not_found_exception'
  ) {
    throw new NightmarkError('EXPORT_NO_INDEX', `${shownUrl(cluster.url)} has no index "${index}".`, {
      hint: 'Check the name after "#"; an export creates the index.',
    });
  }
  throw unexpectedAnswer(new URL(path, cluster.url), answer);
}

/** Without this check, documents of a failed shard would be missing silently. */
function complete(page: JsonObject, { url }: Cluster): JsonObject {
  const { failed = 0 } = (page['_shards'] ?? {}) as { failed?: number };
  if (failed === 0 && page['timed_out'] !== true) return page;
  throw new NightmarkError(
    'EXPORT_FAILED',
    `${shownUrl(url)} could not read all of the index: ${failed} of its shards failed.`,
    { hint: 'Check the health of the server, then try again.' },
  );
}

function hitsOf(page: JsonObject): readonly JsonValue[] {
  const { hits } = (page['hits'] ?? {}) as { hits?: JsonValue };
  return Array.isArray(hits) ? hits : [];
}

function payloadOf(hit: JsonValue, index: string): ReadDocument {
  const { _id: id = '', _source: document } = (isJsonObject(hit) ? hit : {}) as {
    _id?: string;
    _source?: JsonValue;
  };
  const source = `${index}/${id}`;
  const found = asPayload(document);
  return 'reason' in found ? { source, reason: found.reason } : { id, payload: found.payload, source };
}
