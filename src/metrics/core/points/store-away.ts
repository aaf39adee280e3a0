import { NightmarkError } from '../../../platform/core/errors.ts';

/** Errors of a store that cannot be used at the moment: whoever asked may ask again. */
const AWAY: ReadonlySet<string> = new Set([
  'POINTS_NOT_OPEN',
  'POINTS_POSTGRES_UNREACHABLE',
  'POINTS_SHELF_IN_USE',
]);

/** What to answer with 503; undefined when the error is another. */
export function storeAwayWords(error: unknown): string | undefined {
  if (!(error instanceof NightmarkError) || !AWAY.has(error.code)) return undefined;
  return `${error.message} ${error.hint ?? ''}`.trim();
}
