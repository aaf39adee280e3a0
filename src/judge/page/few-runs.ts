import { counted } from '../../platform/core/text/numbers.ts';
import { LEAST_HISTORY } from '../core/newest/judge-newest.ts';

/** Why no change is told yet; nothing where there is enough to tell one. */
export function fewRunsText(runs: number, one: 'night' | 'run'): string | undefined {
  if (runs === 0 || runs > LEAST_HISTORY) return undefined;
  const so = runs === 1 ? `This is the first ${one}` : `There are ${counted(runs, one)} so far`;
  return `${so}: what became faster or slower is told from the ${LEAST_HISTORY + 1}th on, when there are ${LEAST_HISTORY} to compare it with.`;
}
