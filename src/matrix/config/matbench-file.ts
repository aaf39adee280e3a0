import { z } from 'zod';
import {
  type Definition,
  LARGEST_BYTES,
  parseYamlDefinition,
  valueAt,
} from '../../platform/config/definition.ts';
import { dotted, problemAt, toError, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { MatbenchBlock } from '../core/process-step.ts';

export interface MatbenchFile {
  readonly block: MatbenchBlock;
  /** Unknown keys, with their positions. */
  readonly warnings: readonly Problem[];
}

const BLOCK = 'matbench';

export async function readMatbenchFile(
  file: string,
  { disk }: { readonly disk: Disk },
): Promise<MatbenchFile> {
  if ((await disk.stat(file))?.type === 'folder') {
    throw new NightmarkError('MATRIX_NO_FILE', `${file} is a folder, not a configuration.`, {
      hint: 'Name the YAML file with the block "matbench:" in it, for example config.yaml.',
    });
  }
  const content = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  if (content !== undefined) return parseMatbenchFile(file, content);
  throw new NightmarkError('MATRIX_NO_FILE', `There is no configuration ${file}.`, {
    hint: 'It is YAML with a block "matbench:"; see docs/guide/matrix-reports.md.',
  });
}

export function parseMatbenchFile(file: string, content: string): MatbenchFile {
  const parsed = parseYamlDefinition(file, content, { mergesKeys: true, hasOldBooleans: true });
  if (parsed.state === 'broken') throw toError('CONFIG_SYNTAX', parsed.problems);
  const { definition } = parsed;
  const value = valueAt(definition.value, [BLOCK]);
  if (!isJsonObject(value)) {
    const hint = 'For example: "matbench: {workload: tiny.workload.yml}".';
    throw toError('CONFIG_INVALID', [problemAt(definition, [], 'it has no block "matbench:"', { hint })]);
  }
  const result = matbenchSchema.safeParse(value);
  if (!result.success) {
    const known = (path: readonly PropertyKey[]) => keysAt(matbenchSchema, path);
    throw toError('CONFIG_INVALID', toProblems(result.error, { definition, path: [BLOCK] }, known));
  }
  return { block: toBlock(result.data), warnings: unknownKeys(value, [], definition) };
}

function toBlock({ lts, download, ...rest }: z.output<typeof matbenchSchema>): MatbenchBlock {
  const { opensearch, regression_analyses: regression } = lts;
  return {
    preset: rest.preset,
    workload: rest.workload,
    configFile: rest.config_file,
    testDirectory: rest.test_directory,
    download: {
      mode: download.mode,
      url: download.url,
      urlFile: download.url_file,
      savesToArtifacts: download.save_to_artifacts,
    },
    payloads: lts.generate,
    horreumTest: lts.horreum.test_name,
    opensearch: {
      instance: opensearch.instance,
      index: opensearch.index,
      indexPrefix: opensearch.index_prefix,
      promIndexSuffix: opensearch.prom_index_suffix,
      isExported: opensearch.export.enabled,
      isExportedOnReplot: opensearch.export.enabled_on_replot,
      failsTest: opensearch.export.fail_test_on_fail,
    },
    regression: {
      isEnabled: regression.enabled,
      failsTest: regression.fail_test_on_regression,
      history: regression.history,
    },
  };
}

function unknownKeys(value: JsonValue, path: readonly string[], definition: Definition): readonly Problem[] {
  if (!isJsonObject(value)) return [];
  const known = keysAt(matbenchSchema, path);
  if (known.length === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (known.includes(key)) return unknownKeys(inner, [...path, key], definition);
    const full = [BLOCK, ...path, key];
    const close = nearest(key, known);
    const message = `${dotted(full)} is unknown and is ignored`;
    const hint = close === undefined ? undefined : `Did you mean "${close}"?`;
    return [{ ...problemAt(definition, full, message, { hint, part: 'key' }), severity: 'warning' as const }];
  });
}

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
  index_prefix: text.default('').describe('Prefix of the name of the index.'),
  prom_index_suffix: text
    .default('-prom')
    .describe('Suffix of the name for workloads over the metrics of a cluster.'),
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

/** The "matbench:" block. Unknown keys are ignored with a warning: old files have some. */
const matbenchSchema = z.looseObject({
  preset: textOrNull.describe(
    'NAME: NAME.yaml is both plots and url file. With "://" in it: an address to fetch.',
  ),
  workload: text.describe('File of the workload.'),
  config_file: text.default('plots.yaml').describe('File that lists what to draw.'),
  download: downloadSchema.prefault({}).describe('Old results that are fetched first.'),
  test_directory: textOrNull.describe('Results to process; --test-directory overrides it.'),
  lts: ltsSchema.prefault({}).describe('Payloads, their export and their history.'),
});

/** A configuration with the block in it, among blocks of other tools. */
export const matbenchFileSchema = z.looseObject({
  matbench: matbenchSchema.describe('Post-processing of finished tests: nightmark matrix process.'),
});
