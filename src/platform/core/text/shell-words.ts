/** A command line in words, or what is wrong with it. */
export type Words =
  | { readonly state: 'words'; readonly words: readonly string[] }
  | { readonly state: 'unclosed'; readonly quote: string };

/**
 * Splits as a shell does, quotes and backslashes honoured, and nothing else: no variables, no patterns, no operators.
 * For commands that are started without a shell.
 */
export function shellWords(text: string): Words {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (char === "'" || char === '"')) {
      quote = char;
      word ??= '';
    } else if (char === quote) {
      quote = '';
    } else if (char === '\\' && escapes(quote, text[index + 1])) {
      index++;
      if (text[index] !== '\n') word = (word ?? '') + (text[index] ?? '\\');
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== '') return { state: 'unclosed', quote };
  if (word !== undefined) words.push(word);
  return { state: 'words', words };
}

/** Between double quotes a backslash is itself, unless before one of these. */
function escapes(quote: string, next: string | undefined): boolean {
  if (quote === "'") return false;
  return quote === '' || (next !== undefined && '$`"\\\n'.includes(next));
}

/** Anything that a shell would act upon: operators, variables, patterns, comments, an assignment in front. */
export function isForShell(text: string): boolean {
  return /[|&;<>()$`*?[\]#~!{}\n]/.test(text) || /^\s*[A-Za-z_]\w*\+?=/.test(text);
}
