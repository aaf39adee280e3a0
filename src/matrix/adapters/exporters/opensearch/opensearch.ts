import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import type { Exporter, ExportReport } from '../../../core/exporter.ts';
import { accessOf, addressOf, requiredName } from '../access.ts';
import { type IndexedDocument, sendBulk } from './bulk.ts';
import type { Cluster } from './cluster.ts';
import { ensureIndex } from './ensure-index.ts';
import { scrollPayloads } from './scroll-payloads.ts';

/** OpenSearch, by its HTTP protocol. */
const opensearch: Exporter = {
  id: 'opensearch',
  title: 'OpenSearch (an index, or one for each KPI)',
  canImport: true,
  async export(payloads, target, signal) {
    const index = requiredName(target, 'index');
    const cluster = { url: addressOf(target), access: await accessOf(target), signal };
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
    yield* scrollPayloads(index, { url: addressOf(target), access: await accessOf(target), signal });
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

/** Sends what has an index. A test of which one KPI was refused is not counted as sent. */
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
