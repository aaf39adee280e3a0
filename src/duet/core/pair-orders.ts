import { seededRandom } from '../../stats/random.ts';
import type { DuetOrder } from './duet.ts';

/**
 * Who comes first, pair by pair: blocks of two that hold each order once, the first one of a block drawn by the seed.
 * Alternating runs become A B B A or B A A B, in which a steady drift cancels out; no rhythm of the machine can
 * fall in with the pairs for long.
 */
export function* pairOrders(seed: number): Generator<DuetOrder, never> {
  const random = seededRandom(seed);
  for (;;) {
    const first = random() < 0.5;
    yield first ? 'AB' : 'BA';
    yield first ? 'BA' : 'AB';
  }
}
