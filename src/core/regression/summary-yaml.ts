import type { RegressionSummary } from './summarize.ts';

const WIDTH = 80;

/** The summary as Python's yaml.dump writes it, keys sorted and the message folded: readers compare it as text. */
export function summaryYaml(summary: RegressionSummary): string {
  return Object.entries(summary)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? folded(value, key.length + 2) : value}\n`)
    .join('');
}

/** Breaks at the first single space beyond the width. A text that ends with a space must stand in quotes. */
function folded(text: string, column: number): string {
  const isPlain = text === text.trim();
  const words = (isPlain ? text : text.replaceAll("'", "''")).split(/( +)/);
  let written = isPlain ? '' : "'";
  let at = column + written.length;
  for (const [index, word] of words.entries()) {
    const isBreak = word === ' ' && at > WIDTH && words[index + 1] !== '';
    written += isBreak ? '\n  ' : word;
    at = isBreak ? 2 : at + word.length;
  }
  return isPlain ? written : `${written}'`;
}
