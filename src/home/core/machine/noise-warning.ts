/** Something that weakens a comparison. One line, and one line of what to do about it. */
export interface NoiseWarning {
  readonly kind: NoiseKind;
  readonly text: string;
  readonly hint: string;
}

export type NoiseKind =
  | 'governor'
  | 'turbo'
  | 'power'
  | 'few-cores'
  | 'smt'
  | 'quota'
  | 'guest'
  | 'load'
  | 'steal'
  | 'waiting'
  | 'throttling'
  | 'frequency';

/** How the sides of a comparison run, as far as noise is concerned. */
export interface NoisePlan {
  readonly mode: 'together' | 'alternate' | 'one-after-another';
  /** Cores that the sides are held on. */
  readonly pinning?: { readonly A: readonly number[]; readonly B: readonly number[] };
}

/** CPUs that the sides need at the same moment, a thread each. */
export function cpusInUse({ mode }: NoisePlan): number {
  return mode === 'together' ? 2 : 1;
}

/** For hints. */
export const SEE_WHAT_RUNS = 'See what runs: ps -eo pcpu,pid,args --sort=-pcpu | head';
