import { z } from 'zod';
import { type Definition, LARGEST_BYTES, parseYamlDefinition } from '../../platform/config/definition.ts';
import { dotted, problemAt, toError, toProblems } from '../../platform/config/definition-problems.ts';
import { keysAt } from '../../platform/config/schema-walk.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { dirName, resolvePath } from '../../platform/core/path.ts';
import { type DownloadEntry, unsafeNameReason } from '../core/download-rules.ts';

/** The trees of a url file, and of the files that it names. */
export async function readUrlFile(
  file: string,
  effects: { readonly disk: Disk },
): Promise<readonly DownloadEntry[]> {
  const { definition, value } = await readFile(file, urlFileSchema, effects);
  const entries: DownloadEntry[] = [];
  for (const [index, part] of value.download.entries()) {
    if ('url' in part) entries.push(toEntry(part, definition, ['download', index]));
    else
      for (const name of part.files)
        entries.push(...(await readList(resolvePath(dirName(file), name), effects)));
  }
  return entries;
}

async function readList(file: string, effects: { readonly disk: Disk }): Promise<readonly DownloadEntry[]> {
  const { definition, value } = await readFile(file, treeListSchema, effects);
  return value.map((part, index) => toEntry(part, definition, [index]));
}

async function readFile<T>(file: string, schema: z.ZodType<T>, { disk }: { readonly disk: Disk }) {
  const text = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
  if (text === undefined) {
    throw new NightmarkError('DOWNLOAD_NO_FILE', `There is no url file ${file}.`, {
      hint: 'It has "download:" with a list of {url, dest_dir, settings}; see docs/guide/matrix-download.md.',
    });
  }
  const parsed = parseYamlDefinition(file, text, { mergesKeys: true, hasOldBooleans: true });
  if (parsed.state === 'broken') throw toError('CONFIG_SYNTAX', parsed.problems);
  const { definition } = parsed;
  const result = schema.safeParse(definition.value);
  if (result.success) return { definition, value: result.data };
  const known = (path: readonly PropertyKey[]) => keysAt(schema, path);
  throw toError('CONFIG_INVALID', toProblems(result.error, { definition, path: [] }, known));
}

function toEntry(tree: TreeInput, definition: Definition, path: readonly PropertyKey[]): DownloadEntry {
  const { url, dest_dir: folder, settings } = tree;
  const names = folder.replace(/\/+$/, '').split('/');
  const why = names.map((name) => unsafeNameReason(name, '')).find((reason) => reason !== undefined);
  if (why !== undefined) throw toError('CONFIG_INVALID', [badFolder(folder, why, { definition, path })]);
  return { url, folder: names.join('/'), ...(settings && { settings }) };
}

function badFolder(
  folder: string,
  why: string,
  { definition, path }: { readonly definition: Definition; readonly path: readonly PropertyKey[] },
): Problem {
  const full = [...path, 'dest_dir'];
  const message = `${dotted(full)}: expected a folder below the results, found ${JSON.stringify(folder)}: in one of its names, ${why}`;
  return problemAt(definition, full, message, { hint: 'For example "expe/nightly".' });
}

const tree = z.strictObject({
  url: z.string().min(1),
  dest_dir: z.string().min(1),
  settings: z.record(z.string(), z.json()).nullish(),
});
const files = z.strictObject({ files: z.array(z.string().min(1)) });

/** A file that others name: a list of trees. */
const treeListSchema = z.array(tree);
/** It may be the plots file, too: other keys are ignored. */
const urlFileSchema = z.looseObject({ download: z.array(z.union([tree, files])) });

export type TreeInput = z.infer<typeof tree>;
