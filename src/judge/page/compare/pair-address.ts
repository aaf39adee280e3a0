import { splitPair } from '../../core/compare/side-selection.ts';

/** The two sides in the address of the page; what is left out is chosen by the server. */
export interface Pair {
  readonly base?: string;
  readonly head?: string;
}

/** "/compare/a..b": read before anything is decoded, so that a name may have ".." in it. */
export function readPair(path: string): Pair {
  const text = /^\/compare\/(.*)$/s.exec(path)?.[1] ?? '';
  const pair = splitPair(text) ?? (text === '' ? {} : { base: text });
  return {
    ...(pair.base !== undefined && { base: decoded(pair.base) }),
    ...(pair.head !== undefined && { head: decoded(pair.head) }),
  };
}

export function pairPlace({ base = '', head = '' }: Pair): string {
  return base === '' && head === '' ? '/compare' : `/compare/${encoded(base)}..${encoded(head)}`;
}

/** Dots in a row would look like those between the sides; what git and people write stays readable. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%40', '@').replaceAll('..', '%2E%2E');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
