import type { Exit } from '../../executors/core/executor.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { stopSwitch } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { SandboxExecution } from '../core/sandbox.ts';

export interface StartedSides {
  readonly executions: ReadonlyMap<Side, SandboxExecution>;
  /** Held together by a barrier: the one cannot go on without the other. */
  readonly areTied: boolean;
}

export interface SideEnd {
  readonly exit: Exit;
  /** Stopped because the other side had failed. */
  readonly isStoppedForPartner: boolean;
}

/** What a side that is left alone at a barrier may take to end by itself. */
const ALONE_MS = 5_000;

/** Waits for both sides: the one that fails takes nothing from the other, unless a barrier ties them. */
export async function waitForSides(
  { executions, areTied }: StartedSides,
  clock: Clock,
): Promise<ReadonlyMap<Side, SideEnd>> {
  const ends = new Map<Side, SideEnd>();
  const stopped = new Set<Side>();
  const allEnded = stopSwitch();
  const stopLater = async (sides: readonly Side[]) => {
    await clock.sleep(ALONE_MS, allEnded.signal);
    for (const side of sides) {
      if (ends.has(side)) continue;
      stopped.add(side);
      executions.get(side)?.kill();
    }
  };
  await Promise.all(
    [...executions].map(async ([side, execution]) => {
      const { exit } = await execution.wait();
      ends.set(side, { exit, isStoppedForPartner: stopped.has(side) });
      const others = [...executions.keys()].filter((other) => !ends.has(other));
      if (others.length === 0) allEnded.stop();
      else if (areTied && !isFine(exit)) void stopLater(others);
    }),
  );
  return ends;
}

export function isFine(exit: Exit): boolean {
  return exit.type === 'code' && exit.code === 0;
}
