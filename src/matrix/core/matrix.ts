import { gatherEntries, keyText, type MatrixEntry } from '../../formats/core/kpi/matrix-entry.ts';
import { countSettings, type SettingValues, withEveryKey } from './setting-values.ts';

/** All entries of a tree of results, with what is known about them together. */
export interface Matrix {
  /** What was read, in the order of the tree; every entry has every key. */
  readonly entries: readonly MatrixEntry[];
  /** Those that stand for all values of the rolling keys. */
  readonly gathered: readonly MatrixEntry[];
  readonly settings: SettingValues;
  /** Entries of both kinds by their key text. Two that differ in types only share one. */
  readonly byKey: ReadonlyMap<string, readonly MatrixEntry[]>;
}

export function buildMatrix(entries: readonly MatrixEntry[]): Matrix {
  const counter = countSettings();
  const groups = gatherEntries(entries);
  for (const entry of entries) counter.add(entry.settings);
  for (const entry of groups) counter.add(entry.settings);
  const settings = counter.finish();
  const keys = [...settings.keys()];
  const uniform = new Map(entries.map((entry) => [entry, withKeys(entry, keys)]));
  const gathered = groups.map((entry) => withMembers(withKeys(entry, keys), uniform));
  const all = [...uniform.values()];
  const byKey = new Map<string, MatrixEntry[]>();
  for (const entry of [...all, ...gathered]) {
    const key = keyText(entry.settings);
    const same = byKey.get(key);
    if (same) same.push(entry);
    else byKey.set(key, [entry]);
  }
  return { entries: all, gathered, settings, byKey };
}

function withKeys(entry: MatrixEntry, keys: readonly string[]): MatrixEntry {
  const settings = withEveryKey(entry.settings, keys);
  return settings === entry.settings ? entry : { ...entry, settings };
}

function withMembers(entry: MatrixEntry, uniform: ReadonlyMap<MatrixEntry, MatrixEntry>): MatrixEntry {
  if (!entry.gathered) return entry;
  const members = entry.gathered.members.map((member) => uniform.get(member) ?? member);
  return { ...entry, gathered: { ...entry.gathered, members } };
}
