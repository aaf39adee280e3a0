import type { Payload } from '../../../../formats/core/kpi/kpi.ts';
import { splitPayload } from '../../../../formats/core/kpi/payload-table.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { Exporter } from '../../../core/exporter.ts';
import { readSource } from '../read-source.ts';
import { writeWhole } from '../write-whole.ts';
import { kpiRecord } from './kpi-record.ts';
import { readKpiFile } from './read-kpi-file.ts';

/** KPI files of Caliper: written in schema 2, read in schema 1 and 2. */
const caliper: Exporter = {
  id: 'caliper',
  title: 'KPI files of Caliper (schema 2; schema 1 is read)',
  canImport: true,
  async export(payloads, { place, isDryRun }) {
    const steps = [`write ${place}: ${payloads.length} tests`];
    if (isDryRun) return { sent: 0, refused: [], steps };
    const document = { schema_version: '2', tests: payloads.map(testOf) };
    await writeWhole(place, `${JSON.stringify(document, null, 2)}\n`);
    return { sent: payloads.length, refused: [], steps };
  },
  async *import({ place }) {
    yield* readKpiFile(await readSource(place), place);
  },
};

/** What the format has no place for stands in metadata.payload, which its own readers pass over. */
function testOf(payload: Payload): JsonObject {
  const { labels, rest } = splitPayload(payload);
  const { start, test_uuid } = payload.metadata;
  return {
    run_id: test_uuid,
    labels,
    metadata: { timestamp: start ?? '', run_id: test_uuid, payload: rest },
    kpis: Object.entries(payload.kpis).map(([name, kpi]) => kpiRecord(name, kpi)),
  };
}

export default caliper;
