import { runFiles } from '../../../home/core/home-layout.ts';
import type { Machine, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { decidingMachineFacts, machineFacts } from '../../../judge/core/explain/flat-facts.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import { exactNumber } from '../../../platform/core/text/numbers.ts';
import type { FactChange } from './machine-view.ts';

export interface FactHistory {
  /** Newest first. */
  readonly changes: readonly FactChange[];
  readonly compared: number;
}

const COMPARED = 300;
/** The machine is in the first line of a journal. */
const HEAD_BYTES = 65_536;

/**
 * Where facts of a machine changed from one of its runs to the next: as the journals of the runs have them, and as the
 * index does for runs without one, which tells apart fingerprints only.
 */
export async function factHistory(
  home: string,
  runs: readonly Run[],
  effects: { readonly disk: Disk; readonly store: Store },
): Promise<FactHistory> {
  const changes: FactChange[] = [];
  const oldestFirst = runs.slice(0, COMPARED).toReversed();
  let before: RunFacts | undefined;
  for (const run of oldestFirst) {
    const facts = await factsOf(home, run, effects);
    if (facts === undefined) continue;
    const differing = before ? differences(before, facts) : [];
    if (differing.length > 0)
      changes.push({ at: run.startedAt, runId: run.id, label: run.label, facts: differing });
    before = facts;
  }
  return { changes: changes.reverse(), compared: oldestFirst.length };
}

interface RunFacts {
  readonly values: ReadonlyMap<string, string>;
  /** All facts as they were in the run; otherwise those that its fingerprint rests on. */
  readonly isWhole: boolean;
}

async function factsOf(
  home: string,
  run: Run,
  { disk, store }: { readonly disk: Disk; readonly store: Store },
): Promise<RunFacts | undefined> {
  const recorded = await recordedFacts(runFiles(home, run.id).journal, disk);
  const machine: Machine | undefined =
    recorded === undefined && run.machineId !== undefined ? await store.machine(run.machineId) : undefined;
  if (recorded === undefined && machine === undefined) return undefined;
  const facts = recorded ? machineFacts(recorded) : decidingMachineFacts(machine?.facts ?? {});
  const named = facts.map(
    ({ name, value, unit }) =>
      [name, typeof value === 'number' ? exactNumber(value, unit) : String(value)] as const,
  );
  return {
    values: new Map([['fingerprint', run.machineId ?? ''], ...named]),
    isWhole: recorded !== undefined,
  };
}

/** Undefined where there is no journal, or an old one. */
async function recordedFacts(journal: string, disk: Disk): Promise<JsonObject | undefined> {
  const ends = await disk.readEnds(journal, { headBytes: HEAD_BYTES, tailBytes: 0 });
  const [line = ''] = (ends?.head ?? '').split('\n', 1);
  try {
    const event: JsonValue = JSON.parse(line);
    const machine = isJsonObject(event) ? event['machine'] : undefined;
    const facts = isJsonObject(machine) ? machine['facts'] : undefined;
    return isJsonObject(facts) ? facts : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function differences(before: RunFacts, after: RunFacts): FactChange['facts'] {
  const names = new Set([...before.values.keys(), ...after.values.keys()]);
  const areWhole = before.isWhole && after.isWhole;
  return [...names].flatMap((name) => {
    const [old, now] = [before.values.get(name), after.values.get(name)];
    const isUnknown = !areWhole && (old === undefined || now === undefined);
    if (old === now || isUnknown) return [];
    return [{ name, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}
