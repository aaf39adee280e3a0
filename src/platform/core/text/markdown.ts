/** A text as it is, as code: nothing in it is markup, a mention or a link. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  if (line === '') return '` `';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text between others: markup and mentions are shown as they are. */
export function plainMarkdown(text: string): string {
  // Escaping does not stop a mention; a space without width behind the @ does.
  return oneLine(text)
    .replaceAll(/[\\`*_{}[\]<>#|~!&]/g, '\\$&')
    .replaceAll('@', '@\u200b');
}

/** What stands in a cell of a table: a bar ends it, as code too. */
export function tableCell(markdown: string): string {
  return markdown.replaceAll(/(?<!\\)\|/g, '\\|');
}

/** Lines as code, in a fence that none of them can close. */
export function codeBlock(lines: readonly string[], language: string): string {
  const text = lines.join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}\n`;
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\x00-\x1f\x7f\u2028\u2029]+/g, ' ');
}
