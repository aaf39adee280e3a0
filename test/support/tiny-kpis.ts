import type { KpiDefinition } from '../../src/formats/core/kpi/kpi.ts';
import type { MatrixEntry } from '../../src/formats/core/kpi/matrix-entry.ts';
import type { Workload } from '../../src/formats/core/kpi/workload.ts';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import tinyWorkload from './tiny-workload.ts';

/** The "tiny" workload with its payloads and KPIs, by hand. A module that the program can load. */
const tinyKpis: Workload = {
  ...tinyWorkload,
  payload: {
    labels: (entry) => ({
      kpi_settings_version: '1.0',
      version: entry.settings['version'] ?? null,
      model_name: entry.settings['model_name'] ?? null,
      virtual_users: entry.settings['virtual_users'] ?? null,
      ci_engine: 'LOCAL',
      run_id: dataOf(entry)['run_id'] ?? null,
      test_path: 'tests/tiny',
      urls: { SRC: 'http://example.invalid/run' },
    }),
    labelTypes: {
      kpi_settings_version: 'text',
      version: 'semver',
      model_name: 'text',
      virtual_users: 'integer',
      ci_engine: 'text',
      run_id: 'text',
      test_path: 'text',
      urls: 'links',
    },
    metadata: (entry) => ({
      lts_schema_version: '1.0',
      start: dataOf(entry)['start'] ?? null,
      end: dataOf(entry)['end'] ?? null,
      test_uuid: entry.results['test_uuid'] ?? null,
    }),
    metadataTypes: { lts_schema_version: 'text' },
    results(entry) {
      const { throughput = null, memory_mb = null, samples = null } = dataOf(entry);
      return { throughput, memory_mb, samples };
    },
    resultTypes: { throughput: 'number', memory_mb: 'number', samples: 'numbers' },
  },
  kpis: [
    kpi('throughput', {
      help: 'Requests served per second',
      unit: 'req/s',
      better: 'higher',
      format: '{:.2f}',
    }),
    kpi('memory_mb', {
      ...{ name: 'tiny_memory', help: 'Peak memory', unit: 'MB', better: 'lower' },
      ...{ format: '{:.1f}', divisor: 1024, divisorUnit: 'GB' },
    }),
    kpi('samples', {
      help: 'Latency samples',
      unit: 'ms list',
      better: 'lower',
      isIgnoredForRegression: true,
    }),
  ],
};

export default tinyKpis;

function kpi(
  field: string,
  facts: Pick<KpiDefinition, 'help' | 'unit' | 'better'> & Partial<KpiDefinition>,
): Workload['kpis'][number] {
  return {
    definition: { name: `tiny_${field}`, isIgnoredForRegression: false, ...facts },
    value(payload) {
      const value = (payload['results'] as JsonObject)[field];
      if (value === null || value === undefined) throw new Error(`there is no ${field}`);
      return value as number;
    },
  };
}

function dataOf({ results }: MatrixEntry): JsonObject {
  return (results['data'] ?? {}) as JsonObject;
}
