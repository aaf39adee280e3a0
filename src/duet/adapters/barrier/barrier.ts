import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { type BarrierRequest, joinMeeting, type Membership } from './barrier-connection.ts';
import type { Message } from './barrier-meeting.ts';

/**
 * Joins a barrier: a place where processes of one machine wait for each other, by Unix sockets (README.md). What holds:
 * 1. Nobody goes on before all parties have arrived; then all do. Round by round, under the same name.
 * 2. Of parties that stay, one that leaves or dies breaks the barrier for the others: they get BARRIER_BROKEN, whether
 *    they wait already or arrive later. Before the first round it is as if it had never come.
 * 3. Parties that come for one round only may die while they wait; the round then waits for another one.
 * 4. A party that waits too long gets BARRIER_TIMEOUT; the others go on waiting.
 * 5. Parties that disagree about the number of parties, or about staying, get BARRIER_DIFFERS.
 * 6. Nothing of a dead party is in the way of the next.
 */
export function joinBarrier(request: BarrierRequest): BarrierParty {
  return new SocketParty(request);
}

export interface BarrierParty {
  /** Waits for the others. Gives back the round, from 0 on for parties that stay. */
  arrive(options: ArriveOptions): Promise<number>;
  /** Resolves when all released parties are notified. */
  leave(): Promise<void>;
}

interface ArriveOptions {
  readonly timeoutMs?: number;
  readonly signal: CancelSignal;
}

interface Waiting {
  go(round: number): void;
  fail(error: Error): void;
}

class SocketParty implements BarrierParty {
  readonly #request: BarrierRequest;
  #membership: Membership | undefined;
  #waiting: Waiting | undefined;
  #rounds = 0;
  #end: NightmarkError | undefined;
  #hasLeft = false;

  constructor(request: BarrierRequest) {
    this.#request = request;
  }

  async arrive({ timeoutMs, signal }: ArriveOptions): Promise<number> {
    if (this.#end) throw this.#end;
    const { name, parties } = this.#request;
    let timer: NodeJS.Timeout | undefined;
    let cancel = () => {};
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#waiting = { go: resolve, fail: reject };
        cancel = () => reject(interrupted(name));
        if (signal.aborted) cancel();
        signal.addEventListener('abort', cancel, { once: true });
        if (timeoutMs !== undefined) {
          timer = setTimeout(
            () => reject(tooLate(name, parties, timeoutMs)),
            Math.min(timeoutMs, 2 ** 31 - 1),
          );
        }
        this.#join().catch(reject);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#waiting = undefined;
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#membership?.leave();
  }

  async #join(): Promise<void> {
    this.#membership ??= await joinMeeting(this.#request, {
      onMessage: (message) => this.#receive(message),
      onLost: () => this.#onLost(),
    });
    // We gave up waiting meanwhile.
    if (this.#waiting) this.#membership.arrive();
    else await this.#membership.leave();
  }

  #receive(message: Message): void {
    const { name } = this.#request;
    if (message.type === 'go') {
      this.#rounds++;
      this.#waiting?.go(message.round);
    } else this.#fail(message.type === 'broken' ? broken(name, message.why) : differs(name, message.why));
  }

  /** Before the first round we search another meeting: the host had to go, or had just ended. */
  #onLost(): void {
    this.#membership = undefined;
    if (this.#hasLeft || (!this.#request.stays && this.#rounds > 0)) return;
    if (this.#rounds > 0)
      this.#fail(broken(this.#request.name, `a party is gone after ${this.#rounds} rounds`));
    else if (this.#waiting) this.#join().catch((error: Error) => this.#waiting?.fail(error));
  }

  #fail(error: NightmarkError): void {
    this.#end ??= error;
    this.#waiting?.fail(this.#end);
  }
}

function broken(name: string, why: string): NightmarkError {
  return new NightmarkError('BARRIER_BROKEN', `The barrier "${name}" is broken: ${why}.`, {
    hint: 'Did a party end early or fail? All parties need the same number of rounds.',
  });
}

function differs(name: string, why: string): NightmarkError {
  return new NightmarkError('BARRIER_DIFFERS', `The parties of the barrier "${name}" differ: ${why}.`, {
    hint: 'Give all of them the same --parties, and --stdio to all or to none; or use another name.',
  });
}

function tooLate(name: string, parties: number, timeoutMs: number): NightmarkError {
  const message = `Not all ${parties} parties have come to the barrier "${name}" within ${timeoutMs / 1000} s.`;
  return new NightmarkError('BARRIER_TIMEOUT', message, {
    hint: 'Did another party fail? --timeout says how long to wait, 0 for ever.',
  });
}

function interrupted(name: string): NightmarkError {
  return new NightmarkError('BARRIER_INTERRUPTED', `Waiting at the barrier "${name}" was interrupted.`);
}
