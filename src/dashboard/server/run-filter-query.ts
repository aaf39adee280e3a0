import { type RunFilter, readRunFilter } from '../../home/core/run-filter.ts';
import { textIn } from '../../platform/server/route-config.ts';

/** Which runs are asked for: kind, state and text. */
export function runFilterIn(query: unknown): RunFilter {
  return readRunFilter({
    kind: textIn(query, 'kind'),
    state: textIn(query, 'state'),
    text: textIn(query, 'text')?.slice(0, 500),
  });
}
