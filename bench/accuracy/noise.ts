/**
 * The noise of two programs on a shared machine, on the scale of logarithms: 0.01 is 1 %. A model, with numbers chosen
 * to be like what the literature and our own machines show; accuracy.ts also tells where the verdict breaks when they
 * are not.
 */
export interface Noise {
  /** Heavy: values of the run, the iteration and the bursts have tails of power laws instead of normal ones. */
  readonly tails: 'light' | 'heavy';
  /** Between runs, both sides: neighbours come and go within minutes. Sequential runs get all of it, duets nothing. */
  readonly machine: { readonly deviation: number; readonly rho: number };
  /** From iteration to iteration, both sides. */
  readonly shared: { readonly deviation: number; readonly rho: number };
  /** Bursts that both sides feel, but not quite equally: `unequal` is the deviation of what a side feels of it. */
  readonly bursts: {
    readonly rate: number;
    readonly length: number;
    readonly mean: number;
    readonly unequal: number;
  };
  /** One process of one side: memory layout, order of compilation. The reason why the run is the unit. */
  readonly run: number;
  /** A side's own slow noise within a run: caches, collection of garbage. */
  readonly own: { readonly deviation: number; readonly rho: number };
  /** A side's own noise of one iteration. */
  readonly white: number;
  /** The core on which a side runs, from run to run; with `swap` the sides change places at random. */
  readonly lane: { readonly deviation: number; readonly rho: number; readonly swap: boolean };
  /** B alone: this part of its runs is slower by that much. */
  readonly rareSlowRuns?: { readonly chance: number; readonly by: number };
}

/**
 * machine 3 %: makes sequential intervals about five times as wide as those of duets, the mean gain that Bulej et al.
 * (ICPE 2020) saw with ScalaBench on cloud machines. run 0.35 %, own 0.8 %, white 1 %: together 0.8 % from run to run
 * in the ratio of 30 iterations and 1.9 % in that of one, as steady programs of some 100 ms show.
 */
export const LIGHT: Noise = {
  tails: 'light',
  machine: { deviation: 0.03, rho: 0.8 },
  shared: { deviation: 0.02, rho: 0.9 },
  bursts: { rate: 0.03, length: 4, mean: 0.1, unequal: 0.1 },
  run: 0.0035,
  own: { deviation: 0.008, rho: 0.7 },
  white: 0.01,
  lane: { deviation: 0.002, rho: 0.8, swap: true },
};

export const HEAVY: Noise = { ...LIGHT, tails: 'heavy' };
