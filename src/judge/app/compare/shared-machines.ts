import type { BriefRun } from '../../../home/core/run.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import type { ResolvedSide } from './resolve-side.ts';

interface BothSides {
  readonly base: ResolvedSide;
  readonly head: ResolvedSide;
}

/**
 * Where the sides have machines in common, only runs on those are compared: a commit that was also measured on a slower
 * machine is not slower. Where they have none, the machines are what is compared.
 */
export function onSharedMachines({
  base,
  head,
}: BothSides): BothSides & { readonly notes: readonly string[] } {
  const own = (side: ResolvedSide) => new Set(side.runs.map(({ machineId }) => machineId));
  const [before, after] = [own(base), own(head)];
  const keep = ({ machineId }: BriefRun) => before.has(machineId) && after.has(machineId);
  const [one, other] = [kept(base, keep), kept(head, keep)];
  if (one === undefined || other === undefined) return { base, head, notes: [] };
  const left = base.runs.length + head.runs.length - one.runs.length - other.runs.length;
  const notes =
    left === 0 ? [] : [`${counted(left, 'run')} left out: the other side has none on that machine.`];
  return { base: one, head: other, notes };
}

function kept(side: ResolvedSide, keep: (run: BriefRun) => boolean): ResolvedSide | undefined {
  const [first, ...rest] = side.runs.filter(keep);
  return first && { ...side, runs: [first, ...rest] };
}
