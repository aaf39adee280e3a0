import type { DuetRunType } from '../../src/duet/core/duet.ts';
import type { DuetIterations } from '../../src/duet/core/duet-iterations.ts';
import type { Iterations } from '../../src/formats/core/format.ts';
import { seededRandom } from '../../src/stats/random.ts';

export interface Simulation {
  readonly seed: number;
  readonly runs: number;
  readonly iterations: number;
  /** Work of B / work of A: the truth that an analysis should find. */
  readonly ratio: number;
  readonly type?: DuetRunType;
  readonly suite?: string;
  readonly benchmark?: string;
  readonly environment?: string;
  /** Deviation of the logarithm of the work of one iteration. */
  readonly noise?: number;
  /** Mean logarithm by which a burst slows down both sides; one begins every 8 s and lasts 1.5 s. */
  readonly burst?: number;
  /** Deviation of what one run of one side is off as a whole. */
  readonly runEffect?: number;
}

const SECOND = 1e9;
const STEP = 0.02;

/**
 * Duets with a known ratio. Both sides work at the speed that the machine has at the moment: an iteration ends when its
 * work, about one second of an undisturbed machine, is done. Of sequential runs each side meets bursts of its own.
 */
export function simulateDuets(simulation: Simulation): readonly DuetIterations[] {
  const { type = 'duet', suite = 'simulated', benchmark = 'work', environment = 'lab' } = simulation;
  const random = seededRandom(simulation.seed);
  return Array.from({ length: simulation.runs }, (_, runid): DuetIterations => {
    const shared = machine(random, simulation.burst ?? 0.3);
    const other = type === 'seqn' ? machine(random, simulation.burst ?? 0.3) : shared;
    const order = type === 'seqn' ? 'None' : random() < 0.5 ? 'AB' : 'BA';
    const originNs = BigInt(1_700_000_000 + runid * 1000) * 1_000_000_000n;
    const A = side(shared, 1, { ...simulation, random });
    const B = side(other, simulation.ratio, { ...simulation, random });
    return { environment, suite, benchmark, type, runid, order, originNs, A, B };
  });
}

/** Speed at each step of time, made as far as it is asked for. */
function machine(random: () => number, burst: number): (step: number) => number {
  const speeds: number[] = [];
  let isBurst = false;
  let slow = 0;
  return (step) => {
    while (speeds.length <= step) {
      if (random() < STEP / (isBurst ? 1.5 : 8)) {
        isBurst = !isBurst;
        slow = burst * -Math.log(1 - random());
      }
      speeds.push(isBurst ? Math.exp(-slow) : 1);
    }
    return speeds[step] as number;
  };
}

interface SideOptions extends Simulation {
  readonly random: () => number;
}

function side(speed: (step: number) => number, ratio: number, options: SideOptions): Iterations {
  const { random, iterations, noise = 0.02, runEffect = 0.003 } = options;
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const level = Math.log(ratio) + runEffect * normal();
  const starts = new Float64Array(iterations);
  const ends = new Float64Array(iterations);
  let now = 0.2 * random();
  for (let i = 0; i < iterations; i++) {
    starts[i] = Math.round(now * SECOND);
    now = after(now, Math.exp(level + noise * normal()), speed);
    ends[i] = Math.round(now * SECOND);
  }
  const times = ends.map((end, i) => end - (starts[i] as number));
  return { numbers: Int32Array.from(times, (_, i) => i), starts, ends, times };
}

function after(from: number, work: number, speed: (step: number) => number): number {
  let now = from;
  let left = work;
  for (let step = Math.floor(now / STEP); ; step++) {
    const until = (step + 1) * STEP;
    const done = (until - now) * speed(step);
    if (done >= left) return now + left / speed(step);
    left -= done;
    now = until;
  }
}
