import { shellQuote } from './shell-quote.ts';

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
