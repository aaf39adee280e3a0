import { z } from 'zod';
import { LARGEST_BYTES, parseYamlDefinition } from '../../platform/config/definition.ts';
import { toError, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** One entry of a plots file: these plots, once for each filter. */
export interface PlotsEntry {
  readonly id: string;
  readonly generate: readonly string[];
  /** Empty: all entries. */
  readonly filters: readonly string[];
}

export async function readPlotsFile(
  file: string,
  { disk }: { readonly disk: Disk },
): Promise<readonly PlotsEntry[]> {
  const content = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  if (content !== undefined) return parsePlotsFile(file, content);
  throw new NightmarkError('MATRIX_NO_FILE', `There is no plots file ${file}.`, {
    hint: 'It says "visualize: [{generate: [names of plots], filters: [null]}]"; see docs/guide/matrix-reports.md.',
  });
}

function parsePlotsFile(file: string, content: string): readonly PlotsEntry[] {
  const parsed = parseYamlDefinition(file, content, { mergesKeys: true, hasOldBooleans: true });
  if (parsed.state === 'broken') throw toError('CONFIG_SYNTAX', parsed.problems);
  const { definition } = parsed;
  const result = plotsSchema.safeParse(definition.value);
  if (!result.success) {
    const known = (path: readonly PropertyKey[]) => keysAt(plotsSchema, path);
    throw toError('CONFIG_INVALID', toProblems(result.error, { definition, path: [] }, known));
  }
  return result.data.visualize.map(({ id, generate, filters }, index) => ({
    id: String(id ?? index),
    generate,
    filters: filters == null || filters.length === 0 ? [''] : filters.map((filter) => filter ?? ''),
  }));
}

const text = z.string({ error: 'a text' });

/** The file may be a url file too, and may have keys of other tools: unknown keys are ignored. */
export const plotsSchema = z.looseObject({
  visualize: z
    .array(
      z.looseObject({
        id: z
          .union([text, z.number()])
          .optional()
          .describe('Name of the entry; its place in the list otherwise.'),
        generate: z
          .array(text, { error: 'a list of names of plots' })
          .describe('Names of plots and reports: stock ones and those of the workload.'),
        filters: z
          .array(text.nullable(), { error: 'a list of filters, or null for none' })
          .nullish()
          .describe('Drawn once for each: null for all entries, or "key=v1:v2,key2=v3".'),
      }),
      { error: 'a list of what to draw: - {id, generate: [names], filters: [null, "key=value"]}' },
    )
    .describe('What to draw.'),
});
