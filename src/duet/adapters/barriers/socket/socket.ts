import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { ArriveOptions, BarrierParty, BarrierRequest, Barriers } from '../../../core/barrier.ts';
import { type Seat, takeSeat } from './connection.ts';
import type { Message } from './meeting.ts';

/** Barriers by Unix sockets: see README.md. */
const socketBarriers: Barriers = {
  id: 'socket',
  title: 'Unix sockets of this machine',
  join: (request) => new SocketParty(request),
};

interface Waiting {
  go(round: number): void;
  fail(error: Error): void;
}

class SocketParty implements BarrierParty {
  readonly #request: BarrierRequest;
  #seat: Seat | undefined;
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
        this.#sitDown().catch(reject);
      });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      this.#waiting = undefined;
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#seat?.leave();
  }

  async #sitDown(): Promise<void> {
    this.#seat ??= await takeSeat(this.#request, {
      onMessage: (message) => this.#take(message),
      onLost: () => this.#onLost(),
    });
    // Too late to be waited for.
    if (this.#waiting) this.#seat.arrive();
    else await this.#seat.leave();
  }

  #take(message: Message): void {
    const { name } = this.#request;
    if (message.type === 'go') {
      this.#rounds++;
      this.#waiting?.go(message.round);
    } else this.#fail(message.type === 'broken' ? broken(name, message.why) : differs(name, message.why));
  }

  /** Before the first round another meeting is looked for: its holder had to go, or had just ended. */
  #onLost(): void {
    this.#seat = undefined;
    if (this.#hasLeft || (!this.#request.stays && this.#rounds > 0)) return;
    if (this.#rounds > 0)
      this.#fail(broken(this.#request.name, `a party is gone after ${this.#rounds} rounds`));
    else if (this.#waiting) this.#sitDown().catch((error: Error) => this.#waiting?.fail(error));
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

export default socketBarriers;
