import { logAddress } from '../../../home/page/stage-table.tsx';
import { State } from '../../../home/page/state.tsx';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Age, Minute } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RunView } from '../../app/read-run.ts';

/** When it was, what is at work, and where one can go from here. */
export function RunLead({ view }: { readonly view: RunView }) {
  const { run, resumedAt, sinceBefore } = view;
  const { state, startedAt, origin, kind, id } = run;
  return (
    <>
      <State state={state} />, begun <Age at={startedAt} />
      {resumedAt.length > 0 && (
        <>
          , taken up again{' '}
          {resumedAt.length > 1 ? (
            counted(resumedAt.length, 'time')
          ) : (
            <Minute at={resumedAt[0] ?? startedAt} />
          )}
        </>
      )}
      {origin !== 'measured' && (
        <>
          , <strong>{origin} data</strong>, not measured here
        </>
      )}
      <AtWork view={view} />
      {state === 'interrupted' && (
        <>
          . <code>nightmark run --resume</code> completes it
        </>
      )}
      . {kind === 'duet' && <Link to={`/duets/${encodeURIComponent(id)}`}>The duet: ratios and verdict</Link>}
      {kind === 'matrix' && <Link to="/matrix">The matrix: all combinations</Link>}{' '}
      {sinceBefore && (
        <span class="quiet">
          The {kind} before:{' '}
          <Link to={`/runs/${encodeURIComponent(sinceBefore.run.id)}`}>{sinceBefore.run.label}</Link>,{' '}
          <Link to={`/compare/${encodeURIComponent(sinceBefore.run.id)}..${encodeURIComponent(id)}`}>
            compare both
          </Link>
        </span>
      )}
    </>
  );
}

function AtWork({ view: { run, tasks, lastSignAt } }: { readonly view: RunView }) {
  const task = tasks.find(({ atWork }) => atWork !== undefined);
  const { atWork, trial } = task ?? {};
  return (
    <>
      {atWork && trial && (
        <>
          . At work:{' '}
          <strong>
            <bdi>{trial.task}</bdi>
          </strong>
          {atWork.stage !== undefined && (
            <>
              , <Link to={logAddress(run.id, { ...trial, stage: atWork.stage })}>{atWork.stage} stage</Link>
            </>
          )}
          , begun <Age at={atWork.startedAt} />
        </>
      )}
      {lastSignAt !== undefined && (
        <>
          , last sign of life <Age at={lastSignAt} />
        </>
      )}
    </>
  );
}
