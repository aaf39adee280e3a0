import { counted } from '../../../platform/core/text/numbers.ts';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import type { ExperimentHistory } from '../../app/read-history.ts';

/** Which of the values are shown, how many are not, and the way to them. */
export function HistoryPages({ history }: { readonly history: ExperimentHistory }) {
  const { first, perPage, matching, series, count, details, hasMore } = history;
  const [withDetails] = useParameter('details');
  const known = withDetails === '1' ? count + details : count;
  const turn = (to: number) => setParameters({ first: to <= 0 ? undefined : String(to) }, { isStep: true });
  const hidden = known - matching;
  if (matching <= series.length && hidden === 0) return null;
  return (
    <p class="pages">
      {matching > series.length &&
        series.length > 0 &&
        `Values ${first + 1} to ${first + series.length} of ${counted(matching, 'value')}${hasMore ? ' or more' : ''}. `}
      {first > 0 && (
        <button type="button" class="small" onClick={() => turn(first - perPage)}>
          Earlier
        </button>
      )}{' '}
      {first + perPage < matching && (
        <button type="button" class="small" onClick={() => turn(first + perPage)}>
          More
        </button>
      )}{' '}
      {hidden > 0 && (
        <>
          {counted(hidden, 'value')} {hidden === 1 ? 'has' : 'have'} other names:{' '}
          <button
            type="button"
            class="small"
            onClick={() => setParameters({ search: undefined, first: undefined })}
          >
            show all
          </button>
        </>
      )}
    </p>
  );
}
