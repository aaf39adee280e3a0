import { changeId } from '../../../home/core/changes/change.ts';
import type { ChangeEvent, GrowingLedger, Sighting } from '../../../home/core/changes/change-ledger.ts';
import { HARDWARE } from '../../core/changes/hardware.ts';
import { benchmarkOf } from '../../core/changes/machine-part.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import { MACHINE_EVENT_DEFAULTS } from '../../core/newest/machine-events.ts';
import type { HardwareHistory, HardwareKind } from '../series/hardware-history.ts';
import type { SeriesOutcome } from './judge-one.ts';

/**
 * Values come from other hardware: one event, after which series begin anew, instead of one change of each. Where the
 * machine of older values is not recorded it counts as another only if most series left their level with its first run.
 */
export function findHardwareEvents(
  judged: readonly SeriesOutcome[],
  { kinds }: HardwareHistory,
  { ledger, now }: { readonly ledger: GrowingLedger; readonly now: number },
): readonly ChangeEvent[] {
  return kinds.flatMap((kind, place) => {
    const before = kinds.slice(0, place).reverse();
    const known = before.find(({ hardware }) => hardware !== undefined);
    if (kind.hardware === undefined || before.length === 0) return [];
    if (known === undefined && !haveMostLeft(judged, kind.first.id)) return [];
    return eventsOf(kind, known?.hardware, { ledger, now });
  });
}

function eventsOf(
  { hardware = '', machine, first }: HardwareKind,
  before: string | undefined,
  { ledger, now }: { readonly ledger: GrowingLedger; readonly now: number },
): readonly ChangeEvent[] {
  const series = { kind: 'machine', machine, measure: HARDWARE } as const;
  const id = changeId(series, first.id, () => false);
  if (ledger.changes.has(id)) return [];
  const change: Sighting = {
    ...{ id, series, unit: '', at: first.startedAt, runId: first.id, hardware, detector: DETECTOR },
    ...{ before: 1, after: 1, shift: { difference: 0, low: 0, high: 0, level: 0.95 }, p: 0 },
    ...{ better: 'unknown', direction: 'unknown', isProvisional: false },
  };
  const old = before ?? 'a machine that is not recorded';
  const note = `Measured on ${hardware} from here on, before on ${old}: not comparable. If it is the same machine, mark this as false.`;
  return [
    { type: 'found', at: now, change },
    { type: 'triaged', at: now, id, state: 'expected', author: 'nightmark', note },
  ];
}

/** Whether at least half of the measurements begin a new level at this run, up or down. */
function haveMostLeft(judged: readonly SeriesOutcome[], runId: string): boolean {
  const alive = new Set<string>();
  const left = new Set<string>();
  for (const { newest, steps } of judged) {
    if (newest.from.series.kind !== 'value') continue;
    const benchmark = benchmarkOf(newest.from.series);
    if (newest.newestRunId >= runId || newest.runId === runId) alive.add(benchmark);
    const isNewest = newest.candidate !== undefined && newest.runId === runId;
    if (isNewest || steps.some((step) => step.runId === runId)) left.add(benchmark);
  }
  return left.size >= MACHINE_EVENT_DEFAULTS.minSeries && 2 * left.size >= alive.size;
}
