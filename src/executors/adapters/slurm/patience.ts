import type { JobState } from './job-states.ts';

/** A node that is away keeps its jobs "completing"; they are then given up. */
const STUCK_MS = 90_000;
/** Slurm also says such things for a moment, while a node comes back. */
const HOPELESS_MS = 10_000;
/**
 * Reasons to wait of which nothing will ever come, whoever waits: the job asks for more than its partition, account or
 * quality of service has for any job. A job that is held by a person waits for that person.
 */
const HOPELESS =
  /^(launch failed|BadConstraints|DependencyNeverSatisfied|Partition(Config|NodeLimit|TimeLimit)|InvalidAccount|InvalidQOS|(Assoc|QOS)\w*(PerJob|PerJobLimit)$)/i;

/** Judges what Slurm shows of one job, over time. */
export class Patience {
  #name = '';
  #since = 0;

  judge(sight: 'gone' | JobState, now = performance.now()): 'wait' | 'ended' | 'hopeless' {
    if (sight === 'gone') return 'ended';
    const name = `${sight.state} ${sight.reason}`;
    if (name !== this.#name) {
      this.#name = name;
      this.#since = now;
    }
    const forMs = now - this.#since;
    if (sight.state === 'COMPLETING') return forMs > STUCK_MS ? 'ended' : 'wait';
    const isHopeless = sight.state === 'PENDING' && HOPELESS.test(sight.reason);
    return isHopeless && forMs > HOPELESS_MS ? 'hopeless' : 'wait';
  }
}
