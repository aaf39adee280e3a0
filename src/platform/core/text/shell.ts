/** A word as it is typed in a shell, so that it arrives as it is. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuote(word);
}

/** The same, in quotes also where none are needed. */
export function singleQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

type Context = 'plain' | 'single' | 'double';

/** Goes along a shell text and knows how a value has to be written at the place it has come to. */
export function followQuotes(): { pass(text: string): void; quote(value: string): string } {
  const open: { readonly context: Context; readonly end: string }[] = [];
  const top = () => open.at(-1) ?? { context: 'plain', end: '' };

  const passOne = (text: string, at: number): number => {
    const { context, end } = top();
    const character = text[at] ?? '';
    if (character === end) open.pop();
    else if (context === 'single') return at + 1;
    else if (character === '\\') return at + 2;
    else if (character === '"') open.push({ context: 'double', end: '"' });
    else if (character === '`') open.push({ context: 'plain', end: '`' });
    else if (character === '(' && (context === 'plain' || text[at - 1] === '$'))
      open.push({ context: 'plain', end: ')' });
    else if (character === "'" && context === 'plain') open.push({ context: 'single', end: "'" });
    return at + 1;
  };

  return {
    pass(text) {
      for (let at = 0; at < text.length; ) at = passOne(text, at);
    },
    quote(value) {
      const { context } = top();
      if (context === 'single') return value.replaceAll("'", `'\\''`);
      return context === 'double' ? value.replace(/[\\"$`]/g, '\\$&') : shellQuote(value);
    },
  };
}

/** A command line as words, or its problem. */
export type ShellWords =
  | { readonly state: 'words'; readonly words: readonly string[] }
  | { readonly state: 'unclosed'; readonly quote: string };

/**
 * Splits as a shell does, quotes and backslashes honoured, and nothing else: no variables, no patterns, no operators.
 * For commands that are started without a shell.
 */
export function shellWords(text: string): ShellWords {
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
export function needsShell(text: string): boolean {
  return /[|&;<>()$`*?[\]#~!{}\n]/.test(text) || /^\s*[A-Za-z_]\w*\+?=/.test(text);
}
