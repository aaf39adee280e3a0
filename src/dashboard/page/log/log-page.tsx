import { useEffect } from 'preact/hooks';
import { exitText } from '../../../executors/page/exit-text.ts';
import { State } from '../../../home/page/state.tsx';
import { formatDuration, formatNumber } from '../../../platform/core/text/numbers.ts';
import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { LogView } from '../../app/read-log.ts';
import { byteOf, hasByte } from './log-place.ts';
import { LogSearch } from './log-search.tsx';
import { LogText } from './log-text.tsx';
import { type FollowedLog, useLog } from './use-log.ts';

/** What a stage printed, and prints while it runs; of a large log its ends, and what is asked for between them. */
export function LogPage({ parameters }: { readonly parameters: RouteParameters }) {
  const { id = '', kind = '', task = '', stage = '' } = parameters;
  const parts = ['runs', id, 'logs', kind, task, stage];
  const log = useLog(parts);
  const json = parts.map(encodeURIComponent).join('/');
  const title = `${task} ${stage}`;
  return (
    <Show loaded={log.loaded} height={600}>
      {(view) => (
        <PageFrame
          title={`${title} · log`}
          heading={<Heading view={view} />}
          lead={<Lead view={view} log={log} />}
          json={json}
        >
          {view.result !== undefined && view.result.message !== '' && (
            <p class="message">{withoutSequences(view.result.message)}</p>
          )}
          <Body view={view} log={log} whole={`/api/${json}?whole=1`} />
        </PageFrame>
      )}
    </Show>
  );
}

function Heading({ view: { run, kind, task, stage } }: { readonly view: LogView }) {
  const name =
    kind === 'experiment' ? <Link to={`/experiments/${encodeURIComponent(task)}`}>{task}</Link> : task;
  return (
    <>
      <bdi>{name}</bdi>{' '}
      <span class="quiet">
        {stage} stage of{' '}
        <Link to={`/runs/${encodeURIComponent(run.id)}?task=${encodeURIComponent(`${kind}/${task}`)}`}>
          {run.label}
        </Link>
      </span>
    </>
  );
}

function Lead({ view, log }: { readonly view: LogView; readonly log: FollowedLog }) {
  const { result } = view;
  if (result === undefined) {
    return log.isRunning ? (
      <>
        <State state="running" />: new lines come by themselves.
      </>
    ) : (
      <>
        <State state="interrupted" word="cut off" />: this stage has left no result.
      </>
    );
  }
  const how = exitText(result.exit);
  return (
    <>
      <State state={result.success ? 'succeeded' : 'failed'} />
      {how !== '' && `, ${how}`}, took {formatDuration(result.durationMs)}
      {result.attempts > 1 && `, the last of ${result.attempts} attempts`}, begun{' '}
      <Age at={result.startedAt} />
    </>
  );
}

interface BodyProps {
  readonly view: LogView;
  readonly log: FollowedLog;
  readonly whole: string;
}

function Body({ view, log, whole }: BodyProps) {
  const [find = ''] = useParameter('find');
  const [line] = useParameter('line');
  const { stretches, size, isRunning, problem } = log;
  const { isLive } = theSource();
  const byte = byteOf(line);
  useEffect(() => {
    // A line of the middle that a link names is fetched.
    if (byte !== undefined && isLive && byte < size && !hasByte(stretches, byte)) log.fetchFrom(byte);
  }, [byte, size > 0]);
  if (view.ends === undefined) {
    return (
      <p class="calm">
        There is no log: the stage printed nothing, or never started a process, or retention has removed it.
      </p>
    );
  }
  return (
    <>
      <LogSearch stretches={stretches} find={find} line={line} />
      {problem !== undefined && (
        <p class="stale" role="status">
          New lines may be missing: {problem}
        </p>
      )}
      {size === 0 ? (
        <p class="calm">{isRunning ? 'It has printed nothing yet.' : 'It printed nothing.'}</p>
      ) : (
        <LogText
          {...{ stretches, size, line, find }}
          beginsAtEnd={isRunning || view.result?.success !== true}
          onLine={(place) => setParameters({ line: place === line ? undefined : place })}
          {...(isLive && { onGap: log.fetchFrom })}
        />
      )}
      <p class="quiet">
        {formatNumber(size, 'B')}
        {isLive && (
          <>
            , <a href={whole}>the whole log as text</a>
          </>
        )}
        . A click on the number of a line puts it into the address.
      </p>
    </>
  );
}
