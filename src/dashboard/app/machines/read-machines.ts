import type { Machine, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { plainCell } from '../../../platform/core/text/csv.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { type NoiseTable, readNoise } from './machine-noise.ts';
import type { MachineLine, MachinesView } from './machine-view.ts';

/** All machines with their runs, read once for the list and for each page. */
export interface MachineRegistry {
  readonly groups: readonly MachineGroup[];
  readonly view: MachinesView;
  readonly noise: NoiseTable;
}

export interface MachineGroup {
  readonly line: MachineLine;
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly newest: Machine;
}

/** Runs that are read. */
const RUNS = 2_000;

/** Machines of one name belong together: a new kernel makes another fingerprint, not another computer. */
export async function readMachines(store: Store): Promise<MachineRegistry> {
  const runs = await store.latestRuns({ limit: RUNS });
  const machines = new Map<string, Machine>();
  const byKey = new Map<string, Run[]>();
  for (const run of runs) {
    const { machineId } = run;
    if (machineId === undefined) continue;
    const machine = machines.get(machineId) ?? (await store.machine(machineId)) ?? nameless(machineId);
    machines.set(machineId, machine);
    const key = machine.name || machine.id;
    const group = byKey.get(key) ?? [];
    byKey.set(key, group);
    group.push(run);
  }
  const noise = await readNoise(store);
  const groups = [...byKey].flatMap(([key, own]) => toGroup(key, own, { machines, noise }));
  const known = groups.reduce((sum, { runs: own }) => sum + own.length, 0);
  const view = {
    machines: groups.map(({ line }) => line),
    runs: runs.length,
    unknown: runs.length - known,
    series: noise.series,
  };
  return { groups, view, noise };
}

function nameless(id: string): Machine {
  return { id, name: '', facts: {} };
}

function toGroup(
  key: string,
  runs: readonly Run[],
  { machines, noise }: { readonly machines: ReadonlyMap<string, Machine>; readonly noise: NoiseTable },
): readonly MachineGroup[] {
  const [last, first] = [runs[0], runs.at(-1)];
  const newest = machines.get(last?.machineId ?? '');
  if (!last || !first || !newest) return [];
  const ids = [...new Set(runs.flatMap(({ machineId }) => machineId ?? []))];
  const before = runs.findIndex(({ machineId }) => machineId !== newest.id);
  const changedAt = before > 0 ? runs[before - 1]?.startedAt : undefined;
  const found = noise.summary(new Set(runs.map(({ id }) => id)));
  const line = {
    ...{ key, name: newest.name, ids, summary: summaryOf(newest.facts), runs: runs.length },
    nights: runs.filter(({ kind }) => kind === 'night').length,
    firstAt: first.startedAt,
    lastAt: last.startedAt,
    ...(changedAt !== undefined && { changedAt }),
    ...(found && { noise: found }),
  };
  return [{ line, runs, newest }];
}

/** "AMD EPYC 7543, 8 cores, 31.3 GiB, Linux 6.1": a short description. */
function summaryOf(facts: JsonObject): string {
  const { cpu, cores, memoryBytes, os, kernel } = facts;
  return [
    typeof cpu === 'string' ? cpu : undefined,
    typeof cores === 'number' ? `${cores} cores` : undefined,
    typeof memoryBytes === 'number' ? formatNumber(memoryBytes, 'B') : undefined,
    typeof os === 'string' ? os : undefined,
    typeof kernel === 'string' ? `kernel ${kernel}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

const COLUMNS =
  'machine,fingerprint,noise,noise low,noise high,nights,runs,first seen,last seen,became another,what it is\n';

/** Every machine as a line. */
export function machinesCsv({ machines }: Pick<MachinesView, 'machines'>): string {
  return (
    COLUMNS +
    machines
      .map(({ key, ids, noise, nights, runs, firstAt, lastAt, changedAt, summary }) => {
        const noises = [noise?.median, noise?.low, noise?.high].map((one) => String(one ?? ''));
        const times = [firstAt, lastAt, changedAt].map((at) =>
          at === undefined ? '' : new Date(at).toISOString(),
        );
        const cells = [key, ids[0] ?? '', ...noises, String(nights), String(runs), ...times, summary];
        return `${cells.map(plainCell).join(',')}\n`;
      })
      .join('')
  );
}
