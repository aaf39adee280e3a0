import { pause } from '../../../../platform/adapters/http.ts';
import { isJsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import { unexpectedAnswer } from '../ask.ts';
import { bodyOf, type Cluster, call, errorOf } from './cluster.ts';

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

/** Well below the 100 MB that a server takes by default. */
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
const MAX_BATCH_DOCUMENTS = 500;
const TRIES = 5;

/** Writes documents under their ids. Those for which the server had no room are sent again; gives those that it refused. */
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
    const crowded: IndexedDocument[] = [];
    for (const [at, document] of open.entries()) {
      const { status, reason } = outcomes[at] ?? { status: 0, reason: 'the server did not answer for it' };
      if (status === 429 && tried < TRIES) crowded.push(document);
      else if (status < 200 || status > 299)
        refused.push({ id: document.id, reason: `${document.index}: ${reason}` });
    }
    if (crowded.length > 0) await pause(cluster.access.pauseMs * 2 ** (tried - 1), cluster.signal);
    open = crowded;
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
