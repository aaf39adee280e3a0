import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import type { Exporter, ExportReport } from '../../../core/exporter.ts';
import { readAccess, requiredName, serverUrl, unexpectedAnswer } from '../export-http.ts';
import {
  bodyOf,
  type Cluster,
  call,
  errorOf,
  type IndexedDocument,
  scrollPayloads,
  sendBulk,
} from './opensearch-client.ts';

/** OpenSearch, by its HTTP protocol. */
const opensearch: Exporter = {
  id: 'opensearch',
  title: 'OpenSearch (an index, or one for each KPI)',
  canImport: true,
  async export(payloads, target, signal) {
    const index = requiredName(target, 'index');
    const cluster = { url: serverUrl(target), access: await readAccess(target), signal };
    const isByKpi = target.options['byKpi'] === 'true';
    const documents = payloads.flatMap((payload) =>
      isByKpi ? kpiDocuments(payload, index) : [payloadDocument(payload, index)],
    );
    return target.isDryRun
      ? { sent: 0, refused: [], steps: stepsOf(documents) }
      : sendAll(documents, { isByKpi, payloads }, cluster);
  },
  async *import(target, signal) {
    const index = requiredName(target, 'index');
    yield* scrollPayloads(index, { url: serverUrl(target), access: await readAccess(target), signal });
  },
};

function payloadDocument(payload: Payload, index: string): IndexedDocument {
  return { index, id: payload.metadata.test_uuid, body: JSON.stringify(payload) };
}

function kpiDocuments({ metadata, kpis }: Payload, index: string): readonly IndexedDocument[] {
  return Object.entries(kpis).map(([name, kpi]) => ({
    index: `${index}.${name}`,
    id: metadata.test_uuid,
    body: JSON.stringify(kpi),
  }));
}

interface Sending {
  readonly isByKpi: boolean;
  readonly payloads: readonly Payload[];
}

/** Sends the documents whose index exists. A test with a refused KPI does not count as sent. */
async function sendAll(
  documents: readonly IndexedDocument[],
  { isByKpi, payloads }: Sending,
  cluster: Cluster,
): Promise<ExportReport> {
  const unusable = new Map<string, string>();
  const steps: string[] = [];
  for (const index of indicesOf(documents)) {
    const { step, reason } = await ensureIndex(index, isByKpi, cluster);
    if (reason !== undefined) unusable.set(index, reason);
    else steps.push(step);
  }
  const refused = documents.flatMap(({ index, id }) => {
    const reason = unusable.get(index);
    return reason === undefined ? [] : [{ id, reason: `${index}: ${reason}` }];
  });
  const usable = documents.filter(({ index }) => !unusable.has(index));
  refused.push(...(await sendBulk(usable, cluster)));
  const lost = new Set(refused.map(({ id }) => id));
  const sent = payloads.filter(({ metadata }) => !lost.has(metadata.test_uuid)).length;
  return { sent, refused, steps: [...steps, ...stepsOf(usable)] };
}

function stepsOf(documents: readonly IndexedDocument[]): readonly string[] {
  return indicesOf(documents).flatMap((index) =>
    documents.filter((document) => document.index === index).map(({ id }) => `index ${index}, id ${id}`),
  );
}

function indicesOf(documents: readonly IndexedDocument[]): readonly string[] {
  return [...new Set(documents.map(({ index }) => index))];
}

export default opensearch;

interface Ensured {
  readonly step: string;
  /** Why the index cannot be created. */
  readonly reason?: string;
}

/** Creates a missing index. An existing one stays as it is. */
async function ensureIndex(index: string, isOfKpi: boolean, cluster: Cluster): Promise<Ensured> {
  const path = encodeURIComponent(index);
  const found = await call(cluster, { method: 'HEAD', path });
  if (found.status === 200) return { step: `use the index ${index}` };
  if (found.status !== 404 && found.status !== 400) throw unexpectedAnswer(new URL(path, cluster.url), found);
  const body = JSON.stringify(isOfKpi ? KPI_INDEX : PAYLOAD_INDEX);
  const made = await call(cluster, { method: 'PUT', path, body });
  if (made.status === 200) return { step: `create the index ${index}` };
  const { type, reason } = errorOf(bodyOf(cluster, made)['error']);
  // Another client created it meanwhile.
  if (type === 'resource_already_exists_exception') return { step: `use the index ${index}` };
  return { step: '', reason };
}

/** As in existing stores: a flat object is mapped as a whole, so that new labels need no new mapping. */
const SETTINGS = { index: { number_of_shards: 4, 'mapping.total_fields.limit': 4000 } };
const FLAT = { type: 'flat_object' };
const PAYLOAD_INDEX = {
  settings: SETTINGS,
  mappings: { properties: { metadata: FLAT, kpis: FLAT, results: FLAT, regression_results: FLAT } },
};
const KPI_INDEX = {
  settings: SETTINGS,
  mappings: { properties: { '@timestamp': { type: 'date' }, value: { type: 'double' }, urls: FLAT } },
};
