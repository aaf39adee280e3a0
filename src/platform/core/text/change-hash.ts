/**
 * A short hash of a text, to notice that it changed; no protection against anyone who means harm. Two runs of FNV-1a with
 * different beginnings over UTF-16 units: 64 bits together.
 */
export function textHash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x01000193) ^ (b >>> 15);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36).padStart(7, '0');
}

const float = new Float64Array(1);
const halves = new Uint32Array(float.buffer);

/**
 * A hash of many numbers and texts, to notice that one of them changed, without a text of them all. As `textHash`: no
 * protection against anyone who means harm, and not the same on machines of another byte order.
 */
export class Fingerprint {
  #a = 0x811c9dc5;
  #b = 0x9747b28c;

  number(value: number): void {
    float[0] = Number.isNaN(value) ? Number.NaN : value; // there are many on the chip
    this.#add(halves[0] as number);
    this.#add(halves[1] as number);
  }

  text(value: string): void {
    this.#add(value.length);
    for (let at = 0; at < value.length; at++) this.#add(value.charCodeAt(at));
  }

  digest(): string {
    return (this.#a >>> 0).toString(36) + (this.#b >>> 0).toString(36).padStart(7, '0');
  }

  #add(unit: number): void {
    this.#a = Math.imul(this.#a ^ unit, 0x01000193) ^ (this.#a >>> 13);
    this.#b = Math.imul(this.#b ^ unit, 0x01000193) ^ (this.#b >>> 15);
  }
}
