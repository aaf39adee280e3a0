import type { Noise } from './noise.ts';
import { normalSource } from './normal.ts';

/** A machine that goes on living from run to run. Times are logarithms, so that effects and noise add. */
export interface Machine {
  /** Fills both sides of a run in which they ran at the same moment. */
  duet(a: Float64Array, b: Float64Array): void;
  /** Fills a run of one side alone. */
  alone(side: 'A' | 'B', times: Float64Array): void;
}

export function makeMachine(noise: Noise, random: () => number): Machine {
  const normal = normalSource(random);
  const tailed = noise.tails === 'heavy' ? normal.studentOfThree : normal.next;
  const machine = slow(noise.machine, normal.next);
  const lanes = [slow(noise.lane, normal.next), slow(noise.lane, normal.next)] as const;

  /** What this process, on this core, adds to each iteration of it. */
  function place(side: 'A' | 'B', lane: number): number {
    const rare = noise.rareSlowRuns;
    const slower = side === 'B' && rare !== undefined && random() < rare.chance ? rare.by : 0;
    return noise.run * tailed() + lane + slower;
  }

  function own(times: Float64Array, level: number): void {
    const wander = slow(noise.own, normal.next);
    for (let index = 0; index < times.length; index++) {
      times[index] = (times[index] ?? 0) + level + wander() + noise.white * tailed();
    }
  }

  return {
    duet(a, b) {
      const level = machine();
      const swapped = noise.lane.swap && random() < 0.5;
      const [first, second] = [lanes[0](), lanes[1]()];
      feelBursts(noise, [a, b], { random, normal: normal.next });
      own(a, level + place('A', swapped ? second : first));
      own(b, level + place('B', swapped ? first : second));
    },
    alone(side, times) {
      feelBursts(noise, [times], { random, normal: normal.next });
      own(times, machine() + place(side, lanes[0]()));
    },
  };
}

interface Chance {
  readonly random: () => number;
  readonly normal: () => number;
}

/** What both sides feel while they run; a burst comes, stays for some iterations and goes. */
function feelBursts(noise: Noise, sides: readonly Float64Array[], { random, normal }: Chance): void {
  const { rate, length, mean, unequal } = noise.bursts;
  const shared = slow(noise.shared, normal);
  const felt = sides.map(() => 0);
  let isOn = false;
  for (let index = 0; index < (sides[0]?.length ?? 0); index++) {
    if (isOn && random() < 1 / length) {
      isOn = false;
      felt.fill(0);
    }
    if (!isOn && random() < rate) {
      isOn = true;
      const size = burstSize(noise.tails, mean, random);
      for (const side of felt.keys()) felt[side] = size * (1 + unequal * normal());
    }
    const common = shared();
    for (const [side, times] of sides.entries()) times[index] = common + (felt[side] ?? 0);
  }
}

/** Light: exponential. Heavy: a power law with the tail 1.5, which has a mean but no variance; at most e^2. */
function burstSize(tails: Noise['tails'], mean: number, random: () => number): number {
  const u = 1 - random();
  return tails === 'light' ? -mean * Math.log(u) : Math.min(2, (mean / 3) * u ** (-1 / 1.5));
}

/** An autoregressive process that has been going on for ever. */
function slow(
  { deviation, rho }: { readonly deviation: number; readonly rho: number },
  normal: () => number,
): () => number {
  const step = deviation * Math.sqrt(1 - rho * rho);
  let state = deviation * normal();
  return () => {
    state = rho * state + step * normal();
    return state;
  };
}
