import { yamlLibrary } from './yaml-library.ts';

/** No definition that somebody can read goes deeper. */
const DEEPEST = 100;
/** The lexer's sign that the next token is the text of a scalar, whatever it looks like. */
const SCALAR = '\u001f';

/**
 * Whether a YAML text nests its flow collections ("[[[[") or compact lists ("- - - -") beyond all reason. The parser
 * keeps a state per level and takes gigabytes for a file of brackets; this look at the tokens stops at the first excess.
 */
export function isNestedTooDeeply(text: string): boolean {
  let flow = 0;
  let compact = 0;
  let isScalar = false;
  const { Lexer } = yamlLibrary();
  for (const token of new Lexer().lex(text)) {
    const wasScalar = isScalar;
    isScalar = token === SCALAR;
    if (wasScalar) continue;
    if (token === '[' || token === '{') flow++;
    else if (token === ']' || token === '}') flow = Math.max(0, flow - 1);
    else if (flow === 0 && (token === '-' || token === '?' || token === ':')) compact++;
    else if (token.startsWith('\n') || token.startsWith('\r')) compact = 0;
    if (flow > DEEPEST || compact > DEEPEST) return true;
  }
  return false;
}
