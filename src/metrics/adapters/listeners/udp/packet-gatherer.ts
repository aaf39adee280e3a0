type Give = (bytes: Uint8Array<ArrayBuffer>, lengths: Uint32Array<ArrayBuffer>, lost: number) => void;

const PIECE_BYTES = 256 * 1024;
const PIECE_PACKETS = 4096;
/** So long a packet waits for others before the main thread is woken. */
const GATHER_MS = 5;
/** What the main thread has not handed on yet; beyond it packets are thrown away, so that memory stays bounded. */
const MOST_UNDERWAY_BYTES = 64 * 1024 * 1024;

/** Puts packets one after the other and gives them away in pieces: a message for each would cost more than the packet. */
export class PacketGatherer {
  readonly #give: Give;
  #bytes = new Uint8Array(PIECE_BYTES);
  #lengths = new Uint32Array(PIECE_PACKETS);
  #used = 0;
  #count = 0;
  #lost = 0;
  #underway = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(give: Give) {
    this.#give = give;
  }

  add(packet: Uint8Array): void {
    if (this.#underway > MOST_UNDERWAY_BYTES) this.#lost++;
    else {
      if (this.#used + packet.length > PIECE_BYTES || this.#count === PIECE_PACKETS) this.give();
      this.#bytes.set(packet, this.#used);
      this.#used += packet.length;
      this.#lengths[this.#count++] = packet.length;
    }
    this.#timer ??= setTimeout(() => this.give(), GATHER_MS);
  }

  /** The main thread is done with so many bytes. */
  handedOn(bytes: number): void {
    this.#underway -= bytes;
  }

  give(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0 && this.#lost === 0) return;
    const bytes = this.#bytes.slice(0, this.#used);
    this.#underway += bytes.length;
    this.#give(bytes, this.#lengths.slice(0, this.#count), this.#lost);
    this.#used = 0;
    this.#count = 0;
    this.#lost = 0;
  }
}
