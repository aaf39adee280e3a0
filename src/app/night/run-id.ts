/** No vowels and no look-alikes: ids are read aloud and typed. */
const LETTERS = 'bcdfghjkmnpqrstvwxz23456789';

/** An id that sorts by time and can be typed: 20260105-030700-k3fx (UTC). */
export function newRunId(at: number, random: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  let rest = random;
  let suffix = '';
  for (let i = 0; i < 4; i++) {
    suffix += LETTERS[rest % LETTERS.length];
    rest = Math.floor(rest / LETTERS.length);
  }
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${suffix}`;
}
