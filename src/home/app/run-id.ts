/** No vowels and no look-alikes: ids are read aloud and typed. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789';

/** An id that sorts by time and can be typed: 20260105-030700-k3fx (UTC). */
export function newRunId(at: number, random: number): string {
  return runIdAt(at, lettersOf(BigInt(random), 4));
}

export function runIdAt(at: number, suffix: string): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${suffix}`;
}

/** So many characters of a number, its lowest digits first. */
export function lettersOf(number: bigint, count: number): string {
  const base = BigInt(LETTERS.length);
  let rest = number;
  let letters = '';
  for (let i = 0; i < count; i++) {
    letters += LETTERS[Number(rest % base)];
    rest /= base;
  }
  return letters;
}
