/** One who takes part: over a socket, or in the process that hosts the meeting. */
export interface Member {
  send(message: Message): void;
}

export type Message =
  | { readonly type: 'go'; readonly round: number }
  /** The terms of the member differ from those of the others. */
  | { readonly type: 'differs'; readonly why: string }
  | { readonly type: 'broken'; readonly why: string };

export interface Terms {
  readonly parties: number;
  readonly stays: boolean;
}

/** Who is there, who waits, and when they go on. Independent of sockets. */
export class Meeting {
  readonly #terms: Terms;
  readonly #onEnd: () => void;
  readonly #members = new Set<Member>();
  readonly #waiting = new Set<Member>();
  #round = 0;
  #hasEnded = false;

  /** `onEnd` is called once, before the members hear of it. */
  constructor(terms: Terms, onEnd: () => void) {
    this.#terms = terms;
    this.#onEnd = onEnd;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  join(member: Member, terms: Terms): void {
    const why = this.#mismatch(terms);
    if (why === undefined) this.#members.add(member);
    else member.send({ type: 'differs', why });
  }

  arrive(member: Member): void {
    if (!this.#members.has(member) || this.#hasEnded) return;
    this.#waiting.add(member);
    if (this.#waiting.size < this.#terms.parties) return;
    const released = [...this.#waiting];
    this.#waiting.clear();
    const round = this.#round++;
    if (!this.#terms.stays) this.#end();
    for (const each of released) each.send({ type: 'go', round });
  }

  leave(member: Member): void {
    if (!this.#members.delete(member)) return;
    this.#waiting.delete(member);
    if (this.#round === 0 || this.#hasEnded) return;
    this.#end();
    const rounds = `${this.#round} ${this.#round === 1 ? 'round' : 'rounds'}`;
    for (const each of this.#members) each.send({ type: 'broken', why: `a party left after ${rounds}` });
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd();
  }

  #mismatch({ parties, stays }: Terms): string | undefined {
    if (parties !== this.#terms.parties) {
      return `others expect ${this.#terms.parties} parties, this one ${parties}`;
    }
    if (stays !== this.#terms.stays) {
      return `others ${this.#terms.stays ? 'stay for many rounds' : 'come for one round'}, this one does not`;
    }
    return this.#members.size < parties ? undefined : `there are ${parties} parties already`;
  }
}
