import { changeId } from '../../../home/core/changes/change-id.ts';
import type { ChangeEvent, FollowedChange, Sighting } from '../../../home/core/changes/change-ledger.ts';
import type { Better, JudgedSeries } from '../../../home/core/changes/change-record.ts';
import type { GrowingLedger } from '../../../home/core/changes/fold-ledger.ts';
import { isOpen } from '../../../home/core/changes/is-open.ts';
import type { Store } from '../../../home/core/store.ts';
import { DETECTOR } from '../../core/levels/find-changes.ts';
import type { MachineEvent } from '../../core/newest/machine-events.ts';
import { isOfMachine } from './is-of-machine.ts';
import type { JudgedOne } from './judge-one.ts';
import { machineBook } from './machine-book.ts';
import { sharedSteps } from './shared-steps.ts';

/** Nights in which most series of a machine moved together and nobody knew: those of the newest values, and older ones. */
export async function findMachineSteps(
  judged: readonly JudgedOne[],
  { ledger, store, now }: { readonly ledger: GrowingLedger; readonly store: Store; readonly now: number },
): Promise<readonly ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  const told = new Set<string>();
  const book = machineBook(store);
  for (const step of sharedSteps(judged)) {
    const { runId, at, measure, event, isDirected } = step;
    const machine = (await book.ofRun(runId)) ?? step.machine;
    const series = { kind: 'machine', machine, measure } as const;
    const id = changeId(series, runId, () => false);
    if (told.has(id) || ledger.changes.has(id) || !(await isOfMachine(step, store))) continue;
    told.add(id);
    const better = isDirected ? 'lower' : 'unknown';
    const change = toSighting({ id, series, better, runId, at, event });
    events.push({ type: 'found', at: now, change }, ...closing(change, ledger, now));
  }
  return events;
}

/** A machine that is back to where it was needs nobody: both events are closed, and stay in the ledger. */
function closing(now: Sighting, { changes }: GrowingLedger, at: number): readonly ChangeEvent[] {
  const before = [...changes.values()]
    .filter((one) => isOfSame(one.series, now.series) && isOpen(one) && one.at < now.at)
    .reduce<FollowedChange | undefined>((last, one) => (last && last.at > one.at ? last : one), undefined);
  if (!before || Math.abs(Math.log(before.after * now.after)) > BACK * Math.abs(Math.log(before.after)))
    return [];
  const said = { type: 'triaged', at, author: 'nightmark' } as const;
  return [
    { ...said, id: before.id, state: 'fixed', note: `The machine is back: ${now.id}.` },
    { ...said, id: now.id, state: 'expected', note: `Back from ${before.id}.` },
  ];
}

/** Part of the way that may be missing. */
const BACK = 0.25;

/** Nights whose machine is not known were on the one that later ones name. */
function isOfSame(one: JudgedSeries, other: JudgedSeries): boolean {
  if (one.kind !== 'machine' || other.kind !== 'machine' || one.measure !== other.measure) return false;
  return one.machine === other.machine || [one.machine, other.machine].includes('unknown');
}

interface StepToTell {
  readonly id: string;
  readonly series: JudgedSeries;
  readonly better: Better;
  readonly runId: string;
  readonly at: number;
  readonly event: MachineEvent;
}

function toSighting({ id, series, better, runId, at, event }: StepToTell): Sighting {
  const [change, low, high] = [event.factor - 1, event.low - 1, event.high - 1];
  return {
    ...{ id, series, unit: '', better, at, runId, before: 1, after: event.factor },
    shift: { difference: change, low, high, level: event.level, relative: { change, low, high } },
    // Each of them goes either way by chance.
    p: 2 ** (1 - Math.min(event.agreeing, 50)),
    direction: better === 'unknown' ? 'unknown' : change > 0 ? 'worse' : 'better',
    isProvisional: false,
    detector: DETECTOR,
    moved: event.agreeing,
  };
}
