import { State } from '../../../home/page/state.tsx';
import { counted } from '../../../platform/core/text/numbers.ts';
import { useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { SideFailure } from '../../app/compare/compare-view.ts';

const LINES = 10;

/** Experiments that failed on either side: they have no values, or fewer. */
export function FailureSection({ failures }: { readonly failures: readonly SideFailure[] }) {
  const [isAll, setAll] = useParameter('failures');
  if (failures.length === 0) return null;
  const shown = isAll === 'all' ? failures : failures.slice(0, LINES);
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Failed</h2>
      <ul>
        {shown.map((failure) => (
          <FailureLine key={`${failure.side} ${failure.experiment}`} failure={failure} />
        ))}
      </ul>
      {failures.length > shown.length && (
        <button type="button" class="plain link" onClick={() => setAll('all')}>
          {counted(failures.length - shown.length, 'more failure')}
        </button>
      )}
    </section>
  );
}

function FailureLine({ failure }: { readonly failure: SideFailure }) {
  const { side, experiment, runId, failedStage, failed, of, message } = failure;
  const run = `/runs/${encodeURIComponent(runId)}`;
  const hasLog = failedStage !== undefined && failedStage !== 'precheck';
  const place = hasLog ? `${run}/logs/experiment/${encodeURIComponent(experiment)}/${failedStage}` : run;
  return (
    <li>
      <State state="failed" /> in {side}:{' '}
      <Link to={`/experiments/${encodeURIComponent(experiment)}`}>{experiment}</Link>
      {failedStage !== undefined && `, ${failedStage} stage`}
      {of > 1 && `, in ${failed} of ${of} runs`} <Link to={place}>{hasLog ? 'log' : 'run'}</Link>
      {message !== '' && <div class="quiet message">{message}</div>}
    </li>
  );
}
