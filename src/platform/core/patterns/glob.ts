/** A pattern of one path component, as shells have it: "*", "?", "[abc]", "[!abc]". */
export function componentPattern(pattern: string): RegExp {
  return new RegExp(`^${translate(pattern, '[^/]*', '[^/]')}$`, 's');
}

/** A pattern in which "*" crosses "/": how lists of important files are written. */
export function crossingPattern(pattern: string): RegExp {
  return new RegExp(`^${translate(pattern, '.*', '.')}$`, 's');
}

/** Patterns of which one has to match, and in which only "*" is special: names of measurements may have the others. */
export function starPattern(patterns: readonly string[]): RegExp {
  const one = (text: string) =>
    text
      .split(/\*+/)
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
  return new RegExp(`^(?:${patterns.map(one).join('|')})$`, 's');
}

export function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}

function translate(pattern: string, many: string, one: string): string {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === '*') {
      // Several stars say no more than one, and cost more.
      while (pattern[at + 1] === '*') at++;
      source += many;
    } else if (character === '?') source += one;
    else if (character === '[') {
      const end = pattern.indexOf(']', pattern[at + 1] === '!' ? at + 3 : at + 2);
      if (end < 0) source += '\\[';
      else {
        source += setOf(pattern.slice(at + 1, end));
        at = end;
      }
    } else source += character.replace(/[\\^$.|+(){}\]]/, '\\$&');
  }
  return source;
}

function setOf(body: string): string {
  const isNot = body.startsWith('!');
  const inner = (isNot ? body.slice(1) : body).replace(/[\\\]^[]/g, '\\$&');
  // A range that runs backwards matches nothing; as a regular expression it would be a mistake.
  const ranges = inner.replace(/(.)-(.)/g, (range, from: string, to: string) => (from <= to ? range : ''));
  if (ranges === '') return isNot ? '.' : '(?!)';
  return `[${isNot ? '^' : ''}${ranges}]`;
}
