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
