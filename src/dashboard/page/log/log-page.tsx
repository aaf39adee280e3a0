import { useEffect, useMemo } from 'preact/hooks';
import { exitText } from '../../../executors/page/exit-text.ts';
import { State } from '../../../home/page/state.tsx';
import { counted, formatDuration, formatNumber } from '../../../platform/core/text/numbers.ts';
import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import { PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Age } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import type { LogView } from '../../app/runs/read-log.ts';
import { byteOf, findPlaces, hasByte, type LogSegment } from './log-segment.ts';
import { LogText } from './log-text.tsx';
import { type FollowedLog, useLog } from './use-log.ts';

/** What a stage printed, followed while it runs; of a large log its ends, and what is requested between them. */
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
        <State state="running" />: new lines appear by themselves.
      </>
    ) : (
      <>
        <State state="interrupted" />: this stage has left no result.
      </>
    );
  }
  const how = exitText(result.exit);
  return (
    <>
      <State state={result.success ? 'succeeded' : 'failed'} />
      {how !== '' && `, ${how}`}, took {formatDuration(result.durationMs)}
      {result.attempts > 1 && `, the last of ${result.attempts} attempts`}, started{' '}
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
  const { segments, size, isRunning, problem } = log;
  const { isLive } = theSource();
  const byte = byteOf(line);
  useEffect(() => {
    // A line of the middle that a link names is fetched.
    if (byte !== undefined && isLive && byte < size && !hasByte(segments, byte)) log.fetchFrom(byte);
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
      <LogSearch segments={segments} find={find} line={line} />
      {problem !== undefined && (
        <p class="stale" role="status">
          New lines may be missing: {problem}
        </p>
      )}
      {size === 0 ? (
        <p class="calm">{isRunning ? 'It has printed nothing yet.' : 'It printed nothing.'}</p>
      ) : (
        <LogText
          {...{ segments, size, line, find }}
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

interface LogSearchProps {
  readonly segments: readonly LogSegment[];
  readonly find: string;
  readonly line: string | undefined;
}

/** Goes from one line with the text to the next; which one is in the address. */
export function LogSearch({ segments, find, line }: LogSearchProps) {
  const places = useMemo(() => findPlaces(segments, find), [segments, find]);
  const here = line === undefined ? -1 : places.indexOf(line);
  const go = (step: number) => {
    const from = here < 0 && step < 0 ? 0 : here;
    const place = places[(from + step + places.length) % places.length];
    if (place !== undefined) setParameters({ line: place });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  };
  return (
    <div class="controls">
      <label>
        search
        <input
          type="search"
          value={find}
          onInput={({ currentTarget }) => setParameters({ find: currentTarget.value })}
          onKeyDown={onKeyDown}
          placeholder="text of a line"
        />
      </label>
      {find !== '' && (
        <span role="status">
          {places.length === 0 ? 'in no line that is shown' : `in ${counted(places.length, 'line')}`}
          {here >= 0 && `, this is number ${here + 1}`}{' '}
          <button type="button" class="small" disabled={places.length === 0} onClick={() => go(-1)}>
            previous
          </button>{' '}
          <button type="button" class="small" disabled={places.length === 0} onClick={() => go(1)}>
            next
          </button>
        </span>
      )}
    </div>
  );
}
