import { NightmarkError } from '../errors.ts';

/**
 * Splits a command into program and arguments: at blanks, but not inside of '...' or "...", and a backslash takes the
 * next character as it is (not in '...'). Nothing is expanded; where no quote and no backslash is, this is a plain split.
 */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === '\\' && quote !== "'" && index + 1 < text.length) {
      word = (word ?? '') + text.charAt(++index);
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') {
    throw new NightmarkError('DUET_OPEN_QUOTE', `The command ${text} has a ${quote} without its partner.`, {
      hint: 'Close it, or put a backslash before it.',
    });
  }
  if (word !== undefined) words.push(word);
  return words;
}
