import { z } from 'zod';

const text = z.string({ error: 'a text' });
const textOrNull = text.nullable().default(null);
const yes = z.boolean({ error: 'true or false' }).default(true);
const no = z.boolean({ error: 'true or false' }).default(false);

const exportSchema = z.looseObject({
  enabled: no.describe('Payloads are sent to OpenSearch.'),
  enabled_on_replot: no.describe('Also when old results are only drawn again.'),
  fail_test_on_fail: yes.describe('A failed export fails the whole.'),
});

const opensearchSchema = z.looseObject({
  export: exportSchema.prefault({}).describe('Whether payloads are sent.'),
  instance: textOrNull.describe(
    'Address, or name NAME of a server: NIGHTMARK_OPENSEARCH_NAME_URL says where it is.',
  ),
  index: textOrNull.describe('Name of the index.'),
  index_prefix: text.default('').describe('Stands before the name of the index.'),
  prom_index_suffix: text
    .default('-prom')
    .describe('Stands behind it for workloads over the metrics of a cluster.'),
});

const ltsSchema = z.looseObject({
  generate: yes.describe('Payloads and their schema are made, and validated strictly.'),
  horreum: z
    .looseObject({ test_name: textOrNull.describe('Name of the test at Horreum; null: nothing is sent.') })
    .prefault({})
    .describe('Where payloads go at Horreum.'),
  opensearch: opensearchSchema.prefault({}).describe('Where payloads go, and where the history comes from.'),
  regression_analyses: z
    .looseObject({
      enabled: no.describe('New values are compared with the history.'),
      fail_test_on_regression: no.describe('A regression fails the whole.'),
      history: textOrNull.describe('Folder of payloads, KPI file or home; otherwise the OpenSearch index.'),
    })
    .prefault({})
    .describe('The analysis of regressions.'),
});

const downloadSchema = z.looseObject({
  mode: text.default('prefer_cache').describe('prefer_cache, cache_only, important or all.'),
  url: textOrNull.describe('One tree to fetch.'),
  url_file: textOrNull.describe('A file that names trees to fetch.'),
  save_to_artifacts: no.describe('What was fetched is copied beside the other artifacts.'),
});

/** The "matbench:" block. Keys that are not ours are passed over with a warning: old files have some. */
export const matbenchSchema = z.looseObject({
  preset: textOrNull.describe(
    'NAME: NAME.yaml is both plots and url file. With "://" in it: an address to fetch.',
  ),
  workload: text.describe('File of the workload.'),
  config_file: text.default('plots.yaml').describe('File that says what to draw.'),
  download: downloadSchema.prefault({}).describe('Old results that are fetched first.'),
  test_directory: textOrNull.describe('Results to process; --test-directory goes before it.'),
  lts: ltsSchema.prefault({}).describe('Payloads, their export and their history.'),
});

/** A configuration with the block in it, among blocks of other tools. */
export const matbenchFileSchema = z.looseObject({
  matbench: matbenchSchema.describe('What becomes of finished tests: nightmark matrix process.'),
});
