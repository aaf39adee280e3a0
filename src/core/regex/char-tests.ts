import type { CharTest } from './regex-node.ts';

/** Pairs of code points, both included: 'azAZ' holds all letters of ASCII. */
function inPairs(pairs: string): CharTest {
  const codes = Array.from(pairs, (char) => char.codePointAt(0) as number);
  return (code) => {
    for (let i = 0; i < codes.length; i += 2)
      if (code >= (codes[i] as number) && code <= (codes[i + 1] as number)) return true;
    return false;
  };
}

export const isWord = inPairs('09AZ__az');

export const PERL: Readonly<Record<string, CharTest>> = {
  d: inPairs('09'),
  s: inPairs('\t\n\f\r  '),
  w: isWord,
};

export const POSIX: Readonly<Record<string, CharTest>> = {
  alnum: inPairs('09AZaz'),
  alpha: inPairs('AZaz'),
  ascii: inPairs('\0\x7f'),
  blank: inPairs('\t\t  '),
  cntrl: inPairs('\0\x1f\x7f\x7f'),
  digit: inPairs('09'),
  graph: inPairs('!~'),
  lower: inPairs('az'),
  print: inPairs(' ~'),
  punct: inPairs('!/:@[`{~'),
  space: inPairs('\t\r  '),
  upper: inPairs('AZ'),
  word: isWord,
  xdigit: inPairs('09AFaf'),
};

export function not(test: CharTest): CharTest {
  return (code) => !test(code);
}

/** A general category (L, Lu) or a script (Greek) of Unicode; undefined when there is none of that name. */
export function unicodeTest(name: string): CharTest | undefined {
  if (name === 'Any') return () => true;
  // Categories have one or two letters, scripts have more.
  const property = name.length <= 2 ? `gc=${name}` : `sc=${name}`;
  try {
    const pattern = new RegExp(`^\\p{${property}}$`, 'u');
    return (code) => pattern.test(String.fromCodePoint(code));
  } catch {
    return undefined;
  }
}

/** The same with letters of the other case. */
export function foldCase(test: CharTest): CharTest {
  return (code) => {
    if (test(code)) return true;
    const char = String.fromCodePoint(code);
    return [char.toLowerCase(), char.toUpperCase()].some((other) => other !== char && isOne(other, test));
  };
}

function isOne(text: string, test: CharTest): boolean {
  const code = text.codePointAt(0) as number;
  return String.fromCodePoint(code) === text && test(code);
}
