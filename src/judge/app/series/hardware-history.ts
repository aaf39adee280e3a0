import type { GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import type { History, Store } from '../../../home/core/store.ts';
import { areComparable, HARDWARE, type HardwareChange, hardwareOf } from '../../core/changes/hardware.ts';
import type { Part } from '../../core/levels/sums.ts';

/** Which hardware values were measured on. */
export interface HardwareHistory {
  /** Each kind with its first run, oldest first; undefined: not recorded. */
  readonly kinds: readonly HardwareKind[];
  /** Values that can be compared with one another; those of the newest come first. At least one group. */
  groups(history: History): Promise<readonly [ComparableValues, ...ComparableValues[]]>;
}

export interface ComparableValues {
  readonly history: History;
  /** Where they are in the history; absent: it is all of it. */
  readonly parts?: readonly Part[];
}

export interface HardwareKind {
  readonly hardware: string | undefined;
  readonly machine: string;
  readonly first: { readonly id: string; readonly startedAt: number };
}

export async function hardwareHistory(store: Store, ledger: GrowingLedger): Promise<HardwareHistory> {
  const kinds = await kindsOf(store);
  const changes = hardwareChanges(ledger);
  const runs = new Map<string, Promise<string | undefined>>();
  const ofRun = (id: string) => {
    const found = runs.get(id) ?? hardwareOfRun(id, store);
    runs.set(id, found);
    return found;
  };
  return {
    kinds,
    async groups(history) {
      const { times, runIds } = history;
      // Most homes have one machine.
      if (kinds.length < 2 || runIds.length === 0) return [{ history }];
      const hardware = await Promise.all(runIds.map(ofRun));
      const groups: ComparableValues[] = [];
      let left = runIds.map((_, place) => ({ place, at: times[place] ?? 0, hardware: hardware[place] }));
      for (let newest = left.at(-1); newest !== undefined; newest = left.at(-1)) {
        const own = newest;
        const [kept, others]: [number[], typeof left] = [[], []];
        for (const value of left) {
          if (areComparable(value, own, changes)) kept.push(value.place);
          else others.push(value);
        }
        const parts = partsOf(kept);
        const isAll = kept.length === runIds.length;
        groups.push(isAll ? { history } : { history: partOf(history, parts), parts });
        left = others;
      }
      return groups as unknown as readonly [ComparableValues, ...ComparableValues[]]; // there is a newest value
    },
  };
}

/** Rising places as ranges. */
function partsOf(places: readonly number[]): readonly Part[] {
  const parts: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = parts.at(-1);
    if (last?.to === place) last.to++;
    else parts.push({ from: place, to: place + 1 });
  }
  return parts;
}

export function partOf({ times, values, runIds }: History, parts: readonly Part[]): History {
  const joined = (column: Float64Array) =>
    Float64Array.from(parts.flatMap(({ from, to }) => [...column.subarray(from, to)]));
  return {
    times: joined(times),
    values: joined(values),
    runIds: parts.flatMap(({ from, to }) => runIds.slice(from, to)),
  };
}

/** Machines with the same processor are one kind. */
async function kindsOf(store: Store): Promise<readonly HardwareKind[]> {
  const kinds = new Map<string | undefined, HardwareKind>();
  for (const { machineId, origin, first } of await store.machineUse(['night', 'import'])) {
    const machine = machineId === undefined ? undefined : await store.machine(machineId);
    const hardware = hardwareOf({ origin }, machine);
    if (!kinds.has(hardware)) kinds.set(hardware, { hardware, machine: machine?.name ?? 'unknown', first });
  }
  return [...kinds.values()];
}

async function hardwareOfRun(id: string, store: Store): Promise<string | undefined> {
  const run = await store.run(id);
  if (run === undefined) return undefined;
  return hardwareOf(run, run.machineId === undefined ? undefined : await store.machine(run.machineId));
}

function hardwareChanges({ changes }: GrowingLedger): readonly HardwareChange[] {
  return [...changes.values()].flatMap(({ series, at, state, hardware }) =>
    series.kind === 'machine' && series.measure === HARDWARE && hardware !== undefined
      ? [{ at, hardware, isSame: state === 'false' }]
      : [],
  );
}
