import { createHash, timingSafeEqual } from 'node:crypto';

/** Hashed first, so that neither the length nor the first wrong character shows in the time it takes. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
