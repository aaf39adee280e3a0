/** All matches of an expression with the flag "g", without the copy of it that String.matchAll makes. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let found = pattern.exec(text);
  if (found === null) return NONE;
  const all: RegExpExecArray[] = [];
  for (; found !== null; found = pattern.exec(text)) {
    all.push(found);
    // An empty match would be found for ever, and so would one in the middle of a character.
    if (found[0] === '') pattern.lastIndex += (text.codePointAt(pattern.lastIndex) ?? 0) > 0xffff ? 2 : 1;
  }
  return all;
}

const NONE: readonly RegExpExecArray[] = [];
