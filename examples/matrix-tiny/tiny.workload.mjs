// How the results of the "tiny" test are read. The same without code: tiny.workload.yml
import { defineWorkload } from 'nightmark/workload';

export default defineWorkload({
  name: 'tiny',
  importantFiles: ['.uuid', 'config.yaml', '*__run/result.json'],

  async parse({ json, uuid }) {
    const file = '*__run/result.json';
    return {
      test_uuid: await uuid(),
      start: await json(file, '$.start', { type: 'time' }),
      end: await json(file, '$.end', { type: 'time' }),
      run_id: await json(file, '$.run_id', { type: 'text' }),
      throughput: await json(file, '$.throughput', { type: 'number' }),
      memory_mb: await json(file, '$.memory_mb', { type: 'number' }),
      samples: await json(file, '$.samples', { type: 'numbers' }),
    };
  },

  labels: ({ fields, settings }) => ({
    kpi_settings_version: '1.0',
    version: settings.version,
    model_name: settings.model_name,
    virtual_users: settings.virtual_users,
    ci_engine: 'LOCAL',
    run_id: fields.run_id,
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

  metadata: ({ fields: { start, end } }) => ({ lts_schema_version: '1.0', start, end }),
  metadataTypes: { lts_schema_version: 'text' },
  results: ({ fields: { throughput, memory_mb, samples } }) => ({ throughput, memory_mb, samples }),
  resultTypes: { throughput: 'number', memory_mb: 'number', samples: 'numbers' },

  kpis: {
    tiny_throughput: {
      help: 'Requests served per second',
      unit: 'req/s',
      better: 'higher',
      format: '{:.2f}',
      value: ({ fields }) => fields.throughput,
    },
    tiny_memory: {
      help: 'Peak memory',
      unit: 'MB',
      better: 'lower',
      format: '{:.1f}',
      divisor: 1024,
      divisorUnit: 'GB',
      value: ({ fields }) => fields.memory_mb,
    },
    tiny_samples: {
      help: 'Latency samples',
      unit: 'ms list',
      better: 'lower',
      isIgnoredForRegression: true,
      value: ({ fields }) => fields.samples,
    },
  },

  comparison: {
    comparisonKeys: ['version'],
    sortingKeys: ['model_name', 'virtual_users'],
    ignoredEntries: { virtual_users: [128] },
  },
});
