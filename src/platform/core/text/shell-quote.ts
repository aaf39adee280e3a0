/** A word as it is typed in a shell, so that it arrives as it is. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuote(word);
}

/** The same, in quotes also where none are needed. */
export function singleQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
