import { NightmarkError } from '../../../platform/core/errors.ts';
import { isJsonObject } from '../../../platform/core/text/json.ts';
import { parseResultJson } from '../parse-json.ts';

/** results.json of the first benchmark page: when, of which branch, which pictures. */
interface ResultsV0 {
  /** A text for people: nothing says in which zone it is. */
  readonly time: string;
  readonly branch: string;
  /** Paths relative to the page. */
  readonly graphs: readonly string[];
}

const HINT = 'It looks like {"time": "...", "branch": "master", "graphs": ["a.png", ...]}.';

export function readResultsV0(text: string): ResultsV0 {
  const root = parseResultJson(text, HINT);
  if (!isJsonObject(root) || !Array.isArray(root['graphs'])) {
    throw new NightmarkError('IMPORT_SHAPE', 'It has no list "graphs".', { hint: HINT });
  }
  const { time, branch, graphs } = root;
  const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  // Paths were written with blanks behind them, and the page of that time found the pictures all the same.
  const paths = (graphs as readonly unknown[]).map(trimmed).filter((path) => path !== '');
  return { time: trimmed(time), branch: trimmed(branch), graphs: paths };
}

export function resultsV0Text({ time, branch, graphs }: ResultsV0): string {
  return `${JSON.stringify({ time, branch, graphs }, undefined, 2)}\n`;
}
