import { withoutSequences } from '../../platform/core/text/terminal-text.ts';

/** Lines that a tool printed: without byte order mark, colours, and what a progress display has written over. */
export function printedLines(text: string): readonly string[] {
  return withoutSequences(text)
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => {
      const end = line.endsWith('\r') ? line.slice(0, -1) : line;
      return end.slice(end.lastIndexOf('\r') + 1);
    });
}
