import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { Store } from '../../../home/core/store.ts';
import { machineFacts } from '../../../judge/core/explain/flat-facts.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { factHistory } from './fact-history.ts';
import type { MachineView } from './machine-view.ts';
import type { MachineGroup, MachineRegister } from './read-machines.ts';

const RECENT = 30;
const EVENTS_READ = 5_000;

/** By name or by any fingerprint of it; undefined when no run took place there. */
export function findMachine({ groups }: MachineRegister, key: string): MachineGroup | undefined {
  return groups.find(({ line }) => line.key === key) ?? groups.find(({ line }) => line.ids.includes(key));
}

export async function readMachine(
  group: MachineGroup,
  { noise }: MachineRegister,
  { home, disk, store }: { readonly home: string; readonly disk: Disk; readonly store: Store },
): Promise<MachineView> {
  const { line, runs, newest } = group;
  const { changes, compared } = await factHistory(home, runs, { disk, store });
  return {
    ...line,
    facts: machineFacts(newest.facts),
    history: changes,
    compared,
    noiseOverTime: noise.overTime(runs),
    events: await eventsOf(group, store),
    recent: runs.slice(0, RECENT).map(({ id, label, kind, state, startedAt, endedAt }) => ({
      ...{ id, label, kind, state, startedAt },
      ...(endedAt !== undefined && { endedAt }),
    })),
  };
}

async function eventsOf({ line }: MachineGroup, store: Store): Promise<readonly FollowedChange[]> {
  const names = new Set([line.name, line.key, ...line.ids]);
  const all = await store.changes({ limit: EVENTS_READ });
  return all.filter(({ series }) => series.kind === 'machine' && names.has(series.machine));
}
