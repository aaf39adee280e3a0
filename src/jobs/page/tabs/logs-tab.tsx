import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Problem } from '../../../platform/page/parts/page-frame.tsx';
import { useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import { shortId } from '../../core/job.ts';
import { isOpenStatus } from '../list/job-status.tsx';
import { type TabProps, useMost } from '../list/use-selection.ts';
import { type FileListing, useJobFileUrl } from './files-tab.tsx';
import { logLines, workersIn } from './log-lines.ts';
import { useLog } from './use-log.ts';

const AT_ONCE = 8;

/** What the chosen jobs print, side by side. */
export function LogsTab({ jobs }: TabProps) {
  const [text = '', setText] = useParameter('find');
  const [most, showMore] = useMost(AT_ONCE);
  return (
    <>
      <div class="controls">
        <label>
          find in the logs
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
      </div>
      <div class="log-panes">
        {jobs.slice(0, most).map((job) => (
          <LogPane key={job.id} job={job} isOpen={isOpenStatus(job.status)} text={text} />
        ))}
      </div>
      {jobs.length > most && (
        <p class="quiet">
          {jobs.length - most} more are not shown.{' '}
          <button type="button" class="small" onClick={showMore}>
            show {Math.min(AT_ONCE, jobs.length - most)} more
          </button>
        </p>
      )}
    </>
  );
}

interface LogPaneProps {
  readonly job: { readonly id: string; readonly name: string; readonly experiment: string };
  /** It may still print something. */
  readonly isOpen: boolean;
  readonly text: string;
  readonly isOnPage?: boolean;
}

const USUAL_TAIL = 500;
const LONG_TAIL = 10_000;

/** The log of a job. It follows the newest line while that is visible. */
export function LogPane({ job, isOpen, text, isOnPage = false }: LogPaneProps) {
  const { id, name, experiment } = job;
  // Several logs stand side by side, each with its own choice.
  const [length, setLength] = useParameter(`tail.${shortId(id)}`);
  const [rank, setRank] = useParameter(`worker.${shortId(id)}`);
  const tail = length === 'long' ? LONG_TAIL : USUAL_TAIL;
  const worker = rank === undefined ? undefined : Number(rank);
  const { entries, leftOut, isLoading, problem } = useLog(id, { isOpen, tail });
  const workers = useMemo(() => workersIn(entries), [entries]);
  const lines = useMemo(() => logLines(entries, { worker, text }), [entries, worker, text]);
  const pane = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = pane.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);
  const onScroll = () => {
    const element = pane.current;
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 8;
  };
  const errors = lines.filter(({ isError }) => isError).length;
  return (
    <section class="log-pane" aria-label={`Log of ${name}`}>
      {!isOnPage && (
        <h3>
          <Link to={`/jobs/${id}`}>{name}</Link>{' '}
          <span class="quiet">
            {shortId(id)} in {experiment}
          </span>
        </h3>
      )}
      <p class="quiet">
        {isLoading ? 'loading …' : counted(lines.length, 'line')}
        {text !== '' && ` with “${text}”`}
        {errors > 0 && `, ${counted(errors, 'error')}`}
        {leftOut > 0 && `; ${leftOut} more are only in its files`}
        {isOpen && theSource().isLive && ', following'}{' '}
        {workers.length > 1 && (
          <select
            aria-label="Worker"
            value={worker === undefined ? '' : String(worker)}
            onChange={(event) => setRank(event.currentTarget.value)}
          >
            <option value="">all {workers.length} workers</option>
            {workers.map((one) => (
              <option key={one} value={one}>
                worker {one}
              </option>
            ))}
          </select>
        )}{' '}
        {entries.length >= USUAL_TAIL && tail === USUAL_TAIL && (
          <button type="button" class="small" onClick={() => setLength('long')}>
            earlier lines
          </button>
        )}{' '}
        {theSource().isLive && <a href={`/api/jobs/${id}/logs?limit=10000`}>JSON</a>}
      </p>
      {problem && <Problem problem={problem} />}
      {!isLoading && entries.length === 0 && <NoLines id={id} />}
      {lines.length > 0 && (
        <pre class="log" ref={pane} onScroll={onScroll} tabIndex={0}>
          {lines.map(({ worker: from, isError, text: line }, at) => (
            <span key={at} class={isError ? 'error' : ''}>
              {isError ? '! ' : ''}
              {workers.length > 1 ? `${from}: ` : ''}
              {line}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

const OUTPUT = 'output.txt';

/** The queue keeps no log of old or chatty jobs; their files do. */
function NoLines({ id }: { readonly id: string }) {
  const { value } = useDocument(documentRef<FileListing>(['jobs', id, 'files']));
  const address = useJobFileUrl(id, OUTPUT);
  const isThere = value?.files.some(({ path, bytes }) => path === OUTPUT && bytes > 0);
  if (!isThere) return <p class="quiet">It has printed nothing yet.</p>;
  return (
    <p class="quiet">
      {address === undefined ? (
        'What it printed is in a file, which is not part of this copy.'
      ) : (
        <>
          What it printed is in <a href={address}>its file</a>.
        </>
      )}
    </p>
  );
}
