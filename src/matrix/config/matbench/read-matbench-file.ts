import type { z } from 'zod';
import {
  type Definition,
  LARGEST_BYTES,
  parseYamlDefinition,
  valueAt,
} from '../../../platform/config/definition.ts';
import { dotted, problemAt, toError, toProblems } from '../../../platform/config/definition-problems.ts';
import { keysAt } from '../../../platform/config/schema-walk.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../../platform/core/errors.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import type { MatbenchBlock } from '../../core/matbench.ts';
import { matbenchSchema } from './schema.ts';

export interface MatbenchFile {
  readonly block: MatbenchBlock;
  /** Keys that nobody reads, with their places. */
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
    const message = `${dotted(full)} is not known and is passed over`;
    const hint = close === undefined ? undefined : `Did you mean "${close}"?`;
    return [{ ...problemAt(definition, full, message, { hint, part: 'key' }), severity: 'warning' as const }];
  });
}
