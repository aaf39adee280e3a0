// Takes its core away in bursts, by a schedule that follows from seed and beginning alone, so that several of these do so
// at the same moments. Ends with its parent. Run by load.ts.
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { seededRandom } from '../../src/stats/random.ts';

const [seed = 0, beginsAt = 0, phase = 0, grain = 0] = process.argv.slice(2).map(Number);
const MEAN_MS = { phase, burst: grain, pauseInStorm: grain, pauseInCalm: 30 * grain };

const random = seededRandom(seed);
let moment = beginsAt;
let isStormy = false;
let changesAt = moment;

rise();
process.stdin.on('end', () => process.exit()).resume(); // the parent has ended
next();

function next(): void {
  if (moment >= changesAt) {
    isStormy = !isStormy;
    changesAt += wait(MEAN_MS.phase);
  }
  moment += wait(isStormy ? MEAN_MS.pauseInStorm : MEAN_MS.pauseInCalm);
  const endsAt = moment + wait(MEAN_MS.burst);
  setTimeout(() => {
    while (now() < endsAt);
    moment = endsAt;
    next();
  }, moment - now());
}

/** Exponential: how long it has lasted says nothing on how long it will. */
function wait(meanMs: number): number {
  return -meanMs * Math.log(1 - random());
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Before everything else on this core, where we may: without it a burst only takes half of the core. */
function rise(): void {
  try {
    setPriority(-20);
    writeFileSync('/proc/self/autogroup', '-20');
  } catch {
    console.error('Bursts cannot get priority: run as root for stronger noise.');
  }
}
