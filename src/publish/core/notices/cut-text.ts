const SIGN = ' [...]';

/** A text of at most so many UTF-16 units; one that was cut says so. Never between the halves of a character. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - SIGN.length).replace(/[\ud800-\udbff]$/, '')}${SIGN}`;
}
