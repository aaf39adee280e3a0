import { MAX_OFFSET_NS } from '../../formats/core/iteration-list.ts';
import type { Iterations } from '../../formats/core/iterations.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import type { DuetIterations } from './duet-iterations.ts';
import { type Origin, SideColumns } from './side-columns.ts';

/** What a run is called; two runs may be called the same when they come from different folders. */
export type RunName = Omit<DuetIterations, 'originNs' | 'A' | 'B'>;

/** One run whose iterations come in one after the other. */
export interface OpenRun {
  readonly name: RunName;
  readonly A: SideColumns;
  readonly B: SideColumns;
  /** Absent until the first moment is known. */
  origin: Origin | undefined;
}

export function openRun(name: RunName): OpenRun {
  return { name, A: new SideColumns(), B: new SideColumns(), origin: undefined };
}

/** The moment as nanoseconds from the origin of its run, which it becomes when it is the first. NaN: too far away. */
export function offsetIn(run: OpenRun, seconds: number, nanos: number): number {
  run.origin ??= { seconds, nanos };
  const offset = (seconds - run.origin.seconds) * 1e9 + (nanos - run.origin.nanos);
  return Math.abs(offset) < MAX_OFFSET_NS ? offset : Number.NaN;
}

/** The run as columns from its earliest moment on; what could not be kept is told. */
export function closeRun({ name, A, B, origin }: OpenRun, tell: (note: string) => void): DuetIterations {
  const earliest = Math.min(A.earliest(), B.earliest());
  const shift = Number.isFinite(earliest) ? earliest : 0;
  const sides: Partial<Record<Side, Iterations>> = {};
  for (const [side, columns] of [
    ['A', A],
    ['B', B],
  ] as const) {
    if (columns.size === 0) continue;
    const { withoutMoments, size } = columns;
    if (withoutMoments > 0 && withoutMoments < size)
      tell(
        `${describeRun(name)}, ${side}: ${withoutMoments} of ${size} iterations have no moments, none is used`,
      );
    sides[side] = columns.finish(shift);
  }
  const originNs = BigInt(origin?.seconds ?? 0) * 1_000_000_000n + BigInt(origin?.nanos ?? 0) + BigInt(shift);
  return { ...name, originNs, ...sides };
}

function describeRun({ suite, benchmark, type, runid }: RunName): string {
  return [suite, benchmark, runid, type].filter((part) => part !== '').join('.');
}
