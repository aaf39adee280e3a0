import { gatherEntries, gatheredSettings, type MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import type { MatrixEffects } from '../app/effects.ts';
import type { ParseRequest } from '../app/parse-request.ts';
import { readEntries } from '../app/read-entries.ts';
import { entryJson } from '../core/entry-json.ts';
import { withEveryKey } from '../core/setting-values.ts';
import type { Overview } from './read-overview.ts';

interface Writing {
  readonly request: ParseRequest;
  readonly overview: Overview;
  /** Undefined: the standard output. */
  readonly path: string | undefined;
  readonly indent: number;
}

/**
 * Writes all entries as one JSON list, gathered ones last. Every entry has every key, so the keys must be known before the
 * first is written: the tree is read a second time, from the cache, instead of being held in memory. Only members of gathered
 * entries are held.
 */
export async function writeEntries(
  writing: Writing,
  effects: MatrixEffects,
  context: CliContext,
): Promise<void> {
  const { request, overview, path, indent } = writing;
  const file = path === undefined ? undefined : await context.disk.openWriter(path);
  const output = file ?? context.stdout;
  const keys = [...overview.settings.keys()];
  const members: MatrixEntry[] = [];
  let separator = '[';
  const uniform = (entry: MatrixEntry): MatrixEntry => ({
    ...entry,
    settings: withEveryKey(entry.settings, keys),
  });
  const write = (entry: MatrixEntry) => {
    output.write(`${separator}${jsonText(entry, indent)}`);
    separator = ',';
  };
  const take = (entry: MatrixEntry) => {
    write(uniform(entry));
    if (gatheredSettings(entry.settings)) members.push(entry);
  };
  try {
    if (overview.entries) for (const entry of overview.entries) take(entry);
    else await readEntries(request, take, effects);
    for (const entry of gatherEntries(members)) write(withMembers(uniform(entry), uniform));
    output.write(`${indent > 0 ? '\n' : ''}]\n`);
    file?.finish();
  } finally {
    file?.discard();
  }
}

function withMembers(entry: MatrixEntry, change: (member: MatrixEntry) => MatrixEntry): MatrixEntry {
  const { gathered } = entry;
  return gathered ? { ...entry, gathered: { ...gathered, members: gathered.members.map(change) } } : entry;
}

function jsonText(entry: MatrixEntry, indent: number): string {
  const text = JSON.stringify(entryJson(entry), null, indent);
  return indent === 0 ? text : `\n${text.replace(/^/gm, ' '.repeat(indent))}`;
}
