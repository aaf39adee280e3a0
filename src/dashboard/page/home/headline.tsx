import { isOpenRegression } from '../../../home/core/changes/change-ledger.ts';
import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { Age, useNow } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { HomeView, NightLine } from '../../app/home/home-view.ts';

const DAY_MS = 86_400_000;
/** A night has 24 hours, and half a day of grace. */
const OLD_MS = 1.5 * DAY_MS;

/** "Last night: 24 of 26 experiments succeeded, 2 failed, 1 regression, 1 h 12 min". */
export function Headline({ view }: { readonly view: HomeView }) {
  const { last, running, changes, changeCount } = view;
  if (!last) return running ? <Running night={running} /> : view.project;
  const text = describeNight(last.experiments, last.subsystems, durationOf(last));
  const worse = changes.filter(isOpenRegression).length;
  const more = changeCount > changes.length ? ' or more' : '';
  return (
    <>
      Last {last.kind}: {text}
      {worse > 0 && `, ${worse}${more} open ${worse === 1 ? 'regression' : 'regressions'}`}
    </>
  );
}

/** When that was, what is under way, and what comes next. */
export function Lead({ view }: { readonly view: HomeView }) {
  const { last, running, plans } = view;
  const now = useNow();
  const end = last && (last.endedAt ?? last.startedAt);
  return (
    <span class="quiet">
      {last && end !== undefined && (
        <>
          <Link to={`/runs/${encodeURIComponent(last.id)}`}>{last.label}</Link>
          {last.state === 'interrupted' && (
            <>
              , <strong>interrupted</strong>: <code>nightmark run --resume</code> completes it
            </>
          )}
          , <Age at={end} />
          {last.origin !== 'measured' && (
            <>
              , <strong>{last.origin} data</strong>
            </>
          )}
          {now - end > OLD_MS && (
            <>
              .{' '}
              <strong>
                Nothing newer for {formatDuration(Math.max(1, Math.floor((now - end) / DAY_MS)) * DAY_MS)}.
              </strong>
            </>
          )}
        </>
      )}
      {running && last && (
        <>
          {' · '}
          <Running night={running} />
        </>
      )}
      {plans.nextNight && (
        <>
          {' · next night '}
          <Age at={plans.nextNight.at} />
        </>
      )}
    </span>
  );
}

function Running({ night }: { readonly night: NonNullable<HomeView['running']> }) {
  const { id, experiments, subsystems, startedAt, lastSignAt } = night;
  const total = experiments.total + subsystems.total;
  const done = total - experiments.unfinished - subsystems.unfinished;
  const failed = experiments.failed + subsystems.failed;
  return (
    <strong class="running">
      A night is running:{' '}
      <Link to={`/runs/${encodeURIComponent(id)}`}>
        {done} of {counted(total, 'task')} done
      </Link>
      {failed > 0 && `, ${failed} failed`}, started <Age at={startedAt} />
      {lastSignAt !== undefined && (
        <>
          , last activity <Age at={lastSignAt} />
        </>
      )}
    </strong>
  );
}

export function durationOf({
  startedAt,
  endedAt,
}: Pick<NightLine, 'startedAt' | 'endedAt'>): number | undefined {
  return endedAt === undefined ? undefined : endedAt - startedAt;
}
