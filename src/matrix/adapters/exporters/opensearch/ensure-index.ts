import { unexpectedAnswer } from '../ask.ts';
import { bodyOf, type Cluster, call, errorOf } from './cluster.ts';

interface Ensured {
  readonly step: string;
  /** Why there is no such index, and cannot be. */
  readonly reason?: string;
}

/** Makes an index that is not there. One that is there stays as it is. */
export async function ensureIndex(index: string, isOfKpi: boolean, cluster: Cluster): Promise<Ensured> {
  const path = encodeURIComponent(index);
  const found = await call(cluster, { method: 'HEAD', path });
  if (found.status === 200) return { step: `use the index ${index}` };
  if (found.status !== 404 && found.status !== 400) throw unexpectedAnswer(new URL(path, cluster.url), found);
  const body = JSON.stringify(isOfKpi ? KPI_INDEX : PAYLOAD_INDEX);
  const made = await call(cluster, { method: 'PUT', path, body });
  if (made.status === 200) return { step: `make the index ${index}` };
  const { type, reason } = errorOf(bodyOf(cluster, made)['error']);
  // Somebody else was quicker.
  if (type === 'resource_already_exists_exception') return { step: `use the index ${index}` };
  return { step: '', reason };
}

/** As the old stores have it: of flat objects nothing but the whole is mapped, so that new labels need no new mapping. */
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
