import type { ChangeRecord } from '../../../home/core/changes/change.ts';
import { median } from '../../../stats/summary.ts';
import { type Share, wilsonShare } from '../../../stats/wilson.ts';

/** Triage of the alerts of one detector in one group of series. */
export interface Score {
  readonly detector: string;
  readonly group: string;
  readonly alerts: number;
  /** By triage: confirmed or fixed; expected; false; not reviewed yet. */
  readonly real: number;
  readonly expected: number;
  readonly false: number;
  readonly open: number;
  /** Real and expected of all that were triaged: both were changes. Absent where none was. */
  readonly precision?: Share;
  /** From the first run at the new level to the alert, of those that were changes. */
  readonly medianDays?: number;
}

/** Scores alerts by their triage: a row for each detector and group, in the order of their names. */
export function scorecard(
  changes: readonly ChangeRecord[],
  groupOf: (change: ChangeRecord) => string = () => 'all',
): readonly Score[] {
  const groups = new Map<string, { detector: string; group: string; changes: ChangeRecord[] }>();
  for (const change of changes) {
    const [detector, group] = [change.detector, groupOf(change)];
    const key = JSON.stringify([detector, group]);
    const found = groups.get(key) ?? { detector, group, changes: [] };
    found.changes.push(change);
    groups.set(key, found);
  }
  return [...groups.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { detector, group, changes: members }]) => ({ detector, group, ...scoreOf(members) }));
}

function scoreOf(changes: readonly ChangeRecord[]): Omit<Score, 'detector' | 'group'> {
  const count = (...states: readonly string[]) =>
    changes.filter(({ state }) => states.includes(state)).length;
  const [real, expected, wrong] = [count('confirmed', 'fixed'), count('expected'), count('false')];
  const precision = wilsonShare(real + expected, real + expected + wrong);
  const days = changes
    .filter(({ state }) => state !== 'false' && state !== 'new')
    .map(({ at, foundAt }) => Math.max(0, foundAt - at) / DAY_MS);
  return {
    alerts: changes.length,
    real,
    expected,
    false: wrong,
    open: count('new'),
    ...(precision === undefined ? {} : { precision }),
    ...(days.length === 0 ? {} : { medianDays: median(days) }),
  };
}

const DAY_MS = 86_400_000;
