import { readLedger } from '../../../home/app/ledger-file.ts';
import type { ChangeEvent, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { seriesKey } from '../../../home/core/changes/series-key.ts';
import type { History } from '../../../home/core/store.ts';
import { judgeAgainstReference, type NewestAgainstReference } from '../../core/changes/reference-level.ts';
import type { Level } from '../../core/levels/levels.ts';
import { JUDGED_VALUES, readLevels } from '../stored-levels.ts';
import { findChange } from './find-change.ts';
import type { JudgeEffects } from './judge-home.ts';
import type { RuleBook } from './rules.ts';
import { SeriesFinder } from './series-finder.ts';

export interface ChangeDetail {
  readonly change: FollowedChange;
  /** What was written down about it, oldest first. */
  readonly events: readonly ChangeEvent[];
  /** Absent where the series has no values any more. */
  readonly series?: {
    readonly history: History;
    readonly levels: readonly Level[];
    /** Where the change begins in it; -1: not in these values. */
    readonly place: number;
    /** The newest value against what was accepted. */
    readonly newest: NewestAgainstReference;
  };
}

/** Everything about one change: its levels, its runs, and what was said. */
export async function showChange(
  { home, id, rules }: { readonly home: string; readonly id: string; readonly rules: RuleBook },
  { disk, store }: JudgeEffects,
): Promise<ChangeDetail> {
  const all: ChangeEvent[] = [];
  const { ledger } = await readLedger(home, disk, (event) => void all.push(event));
  const change = findChange(ledger.changes, id);
  const events = all.filter(
    (event) =>
      ('change' in event && event.change.id === change.id) || ('id' in event && event.id === change.id),
  );
  const history = await new SeriesFinder(store).history(change.series, { limit: JUDGED_VALUES.chart });
  if (!history || history.values.length === 0) return { change, events };
  const { values, runIds } = history;
  const levels = await readLevels(store, {
    series: change.series,
    values,
    rules: rules.rulesFor(change.series),
  });
  const ids = ledger.bySeries.get(seriesKey(change.series)) ?? [];
  const known = ids
    .flatMap((other) => ledger.changes.get(other) ?? [])
    .map((other) => ({ change: other, place: runIds.lastIndexOf(other.runId) }));
  const newest = judgeAgainstReference(values, change.better, { levels, known });
  const place = runIds.lastIndexOf(change.runId);
  return { change, events, series: { history, levels: levels.levels, place, newest } };
}
