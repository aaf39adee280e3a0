import { asPayload } from '../../../../formats/core/kpi/read-payload.ts';
import { shownUrl } from '../../../../platform/adapters/http.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../platform/core/text/json.ts';
import type { ImportedPayload, RefusedDocument } from '../../../core/exporter.ts';
import { unexpectedAnswer } from '../ask.ts';
import { bodyOf, type Cluster, call, errorOf } from './cluster.ts';

const PAGE = 500;
const KEPT_OPEN = '5m';

/**
 * Every payload of an index. A search gives 10,000 documents at most; a scroll gives all, as they were when it began, and
 * needs no field to sort by.
 */
export async function* scrollPayloads(
  index: string,
  cluster: Cluster,
): AsyncGenerator<ImportedPayload | RefusedDocument> {
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
    // The server closes it by itself in a while: a failure here is no failure of the import.
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
      hint: 'Look at the name behind "#"; an export makes the index.',
    });
  }
  throw unexpectedAnswer(new URL(path, cluster.url), answer);
}

/** A part of the index that did not answer would be missing without a word. */
function complete(page: JsonObject, { url }: Cluster): JsonObject {
  const { failed = 0 } = (page['_shards'] ?? {}) as { failed?: number };
  if (failed === 0 && page['timed_out'] !== true) return page;
  throw new NightmarkError(
    'EXPORT_FAILED',
    `${shownUrl(url)} could not read all of the index: ${failed} of its shards failed.`,
    { hint: 'Look at the health of the server, then do it again.' },
  );
}

function hitsOf(page: JsonObject): readonly JsonValue[] {
  const { hits } = (page['hits'] ?? {}) as { hits?: JsonValue };
  return Array.isArray(hits) ? hits : [];
}

function payloadOf(hit: JsonValue, index: string): ImportedPayload | RefusedDocument {
  const { _id: id = '', _source: document } = (isJsonObject(hit) ? hit : {}) as {
    _id?: string;
    _source?: JsonValue;
  };
  const source = `${index}/${id}`;
  const found = asPayload(document);
  return 'reason' in found ? { source, reason: found.reason } : { id, payload: found.payload, source };
}
