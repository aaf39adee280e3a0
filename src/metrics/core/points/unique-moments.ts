import type { Clock } from '../../../platform/core/clock.ts';
import type { Moment } from '../points.ts';

/** Beyond this the clock was set, and we follow it. */
const MOST_DRIFT_MS = 2;

/** Moments to the microsecond and better, each later than the one before, so that no two points share one by chance. */
export function uniqueMoments(clock: Pick<Clock, 'now' | 'micros'>): () => Moment {
  let base = clock.now() * 1000 - clock.micros();
  let last: Moment = { ms: 0, ns: 0 };
  return () => {
    const now = clock.now();
    if (Math.abs((base + clock.micros()) / 1000 - now) > MOST_DRIFT_MS) base = now * 1000 - clock.micros();
    const micros = base + clock.micros();
    const ms = Math.floor(micros / 1000);
    const read = { ms, ns: (micros - ms * 1000) * 1000 };
    const isLater = read.ms > last.ms || (read.ms === last.ms && read.ns > last.ns);
    last = isLater ? read : after(last);
    return last;
  };
}

function after({ ms, ns }: Moment): Moment {
  return ns < 999_999 ? { ms, ns: ns + 1 } : { ms: ms + 1, ns: 0 };
}
