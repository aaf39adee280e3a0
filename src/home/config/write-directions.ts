import type { Pair, Scalar, YAMLMap } from 'yaml';
import { yamlLibrary } from '../../platform/config/yaml-library.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import type { DeclaredDirection } from '../core/changes/directions.ts';

/** Where in a file the patterns are: under a key of nightmark.yml, or at the top of a file of their own. */
export type DirectionsPlace = 'directions' | 'top';

/**
 * The text of a definition with one direction declared, or no longer declared (undefined). Only the lines of that pattern
 * are touched: comments, order and writing of all others stay as they are. A pattern that is new comes last, and counts
 * before the others.
 */
export function withDirection(
  text: string,
  place: DirectionsPlace,
  { pattern, better }: { readonly pattern: string; readonly better: DeclaredDirection | undefined },
): string {
  const edited = edit(text, place, pattern, better);
  // Whatever the file looked like, what was written must be what will be read.
  if (readBack(edited, place, pattern) === better) return edited;
  throw new NightmarkError('CONFIG_NOT_EDITED', 'The directions of this definition cannot be edited.', {
    hint: `Write it by hand: ${place === 'top' ? '' : 'directions: '}{ ${JSON.stringify(pattern)}: ${better ?? '(nothing)'} }`,
  });
}

function edit(
  text: string,
  place: DirectionsPlace,
  pattern: string,
  better: DeclaredDirection | undefined,
): string {
  const { parseDocument, isMap, isScalar } = yamlLibrary();
  const { contents } = parseDocument(text);
  const map = place === 'top' ? contents : isMap(contents) ? contents.get('directions', true) : undefined;
  const line = `${JSON.stringify(pattern)}: ${better}`;
  if (!isMap(map)) {
    if (better === undefined) return text;
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return place === 'top' ? `${start}${line}\n` : `${start}directions:\n  ${line}\n`;
  }
  const pairs = map.items as readonly Pair<Scalar, Scalar>[];
  const known = pairs.find(({ key }) => isScalar(key) && key.value === pattern);
  if (map.flow) return editFlow(text, map, { pattern, better });
  if (known && better === undefined && pairs.length === 1) return withoutLast(text, known);
  if (known) return editLine(text, known, better);
  return better === undefined ? text : addLine(text, pairs, line);
}

function editLine(text: string, { key, value }: Pair<Scalar, Scalar>, better: string | undefined): string {
  const [from = 0] = key.range ?? [];
  const [start = from, end = from] = value?.range ?? [];
  if (better !== undefined) return `${text.slice(0, start)}${better}${text.slice(end)}`;
  const lineEnd = text.indexOf('\n', end);
  return text.slice(0, text.lastIndexOf('\n', from) + 1) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1));
}

/** A key with nothing below it would be a mistake. */
function withoutLast(text: string, { key, value }: Pair<Scalar, Scalar>): string {
  return `${text.slice(0, key.range?.[0])}{}${text.slice(value?.range?.[1])}`;
}

/** Below the last pattern, as far to the right. */
function addLine(text: string, pairs: readonly Pair<Scalar, Scalar>[], line: string): string {
  const last = pairs.at(-1);
  const [keyAt = 0] = last?.key.range ?? [];
  const [, valueEnd = text.length] = last?.value?.range ?? [];
  const indent = ' '.repeat(keyAt - (text.lastIndexOf('\n', keyAt) + 1));
  const lineEnd = text.indexOf('\n', valueEnd);
  if (lineEnd < 0) return `${text}\n${indent}${line}\n`;
  return `${text.slice(0, lineEnd + 1)}${indent}${line}\n${text.slice(lineEnd + 1)}`;
}

/** {"*": lower} is written anew, on one line as it was. */
function editFlow(
  text: string,
  map: YAMLMap,
  { pattern, better }: { readonly pattern: string; readonly better: DeclaredDirection | undefined },
): string {
  const all = new Map(Object.entries(map.toJSON() as Record<string, string>));
  if (better === undefined) all.delete(pattern);
  else all.set(pattern, better);
  const inner = [...all].map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(', ');
  const [start = 0, end = 0] = map.range ?? [];
  return `${text.slice(0, start)}${inner === '' ? '{}' : `{ ${inner} }`}${text.slice(end)}`;
}

function readBack(text: string, place: DirectionsPlace, pattern: string): unknown {
  const { parseDocument } = yamlLibrary();
  const document = parseDocument(text);
  if (document.errors.length > 0) return 'broken';
  const value = document.toJS() as Record<string, unknown> | null;
  const map = (place === 'top' ? value : value?.['directions']) as Record<string, unknown> | null | undefined;
  return map?.[pattern];
}
