/** What an exit_code file says: a whole number, or why the test does not count. */
export function readExitCode(text: string | undefined): number | string {
  if (text === undefined) return 'it has no exit_code: it did not end, or still runs';
  const word = text.trim();
  if (word === '') return 'its exit_code is empty: it did not end, or still runs';
  return /^[+-]?\d{1,9}$/.test(word) ? Number(word) : `its exit_code is no number: "${word.slice(0, 40)}"`;
}
