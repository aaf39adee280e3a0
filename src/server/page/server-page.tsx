import { useEffect } from 'preact/hooks';
import { counted, formatDuration } from '../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Facts, Quantity } from '../../platform/page/parts/display.tsx';
import { Empty, PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { Age } from '../../platform/page/parts/time.tsx';
import { Link } from '../../platform/page/router/link.tsx';
import type { ServerView } from '../app/server-view.ts';

const SERVER = documentRef<ServerView>(['server']);
const REFRESH_MS = 5_000;

/** Whether the server is healthy, in a sentence; then what it holds, what came in and what waits. */
export function ServerPage() {
  if (!theSource().isLive)
    return (
      <PageFrame title="Server" heading="No server">
        <Empty>This is a static copy: no server runs behind it.</Empty>
      </PageFrame>
    );
  return <LiveServer />;
}

function LiveServer() {
  const loaded = useDocument(SERVER);
  const { reload } = loaded;
  // Memory and age belong to no topic of events: they are read now and then while the page is visible.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Show loaded={loaded} height={600}>
      {(view) => (
        <PageFrame title="Server" heading={headline(view)} lead={<Lead view={view} />} json="server">
          {view.problems.length > 0 && (
            <ul class="problems">
              {view.problems.map((problem) => (
                <li key={problem} class="message">
                  {problem}
                </li>
              ))}
            </ul>
          )}
          <Index view={view} />
          <Points view={view} />
          <Queue view={view} />
          <Publications view={view} />
          <h2>Process</h2>
          <Facts
            rows={[
              ['version', view.version ?? '~'],
              ['runtime', view.runtime],
              ['started', <Age key="started" at={view.startedAt} />],
              ['memory', <Quantity key="memory" value={view.memory.resident} unit="B" />],
              ['of it JavaScript', <Quantity key="heap" value={view.memory.heap} unit="B" />],
              ['connected pages', view.listeners],
              ['home', <code key="home">{view.home}</code>],
            ]}
          />
          <p>
            For programs: <a href="/metrics">metrics for Prometheus</a>,{' '}
            <a href="/api/docs">all of the API</a>, <a href="/health">health</a>.
          </p>
        </PageFrame>
      )}
    </Show>
  );
}

function Publications({ view: { publications } }: { readonly view: ServerView }) {
  if (publications.length === 0) return null;
  return (
    <>
      <h2>Published pages</h2>
      <Facts
        rows={publications.map(({ target, at, failure, failingSince }) => [
          target,
          failure === undefined ? (
            <Age key={target} at={at} />
          ) : (
            <>
              failing since <Age at={failingSince ?? at} />: {failure}
            </>
          ),
        ])}
      />
    </>
  );
}

function headline({ problems }: ServerView): string {
  return problems.length === 0
    ? 'The server is healthy'
    : `${counted(problems.length, 'problem needs', 'problems need')} attention`;
}

function Lead({ view }: { readonly view: ServerView }) {
  const { points, jobs, index, at, startedAt } = view;
  const waiting = (jobs?.counts.CREATED ?? 0) + (jobs?.counts.SCHEDULED ?? 0);
  const parts = [
    `Up for ${formatDuration(at - startedAt)}`,
    ...(index ? [counted(index.runs, 'run')] : ['no index yet']),
    ...(points
      ? [`${counted(points.taken, 'point')} taken`, `${counted(points.refusedLines, 'line')} refused`]
      : []),
    ...(jobs ? [`${counted(jobs.counts.RUNNING ?? 0, 'job')} running, ${waiting} waiting`] : []),
  ];
  return <span class="quiet">{parts.join(', ')}.</span>;
}

function Index({ view: { index, home } }: { readonly view: ServerView }) {
  return (
    <>
      <h2>Index</h2>
      {index === undefined ? (
        <Empty command={`nightmark run ${home}`}>There is no index yet: the first night makes it.</Empty>
      ) : (
        <Facts
          rows={[
            ['runs', <Quantity key="runs" value={index.runs} />],
            [
              'newest',
              index.newest ? (
                <>
                  <Link to={`/runs/${encodeURIComponent(index.newest.id)}`}>{index.newest.label}</Link> (
                  {index.newest.kind}, {index.newest.state}) <Age at={index.newest.startedAt} />
                </>
              ) : (
                'none'
              ),
            ],
            ['written', <Age key="written" at={index.changedAt} />],
            ['size', <Quantity key="size" value={index.bytes} unit="B" />],
            ['ledger of changes', <Quantity key="ledger" value={index.changesBytes} unit="B" />],
            [
              'missing',
              index.absences === 0 ? (
                'nothing'
              ) : (
                <Link to="/changes">{counted(index.absences, 'series', 'series')}</Link>
              ),
            ],
          ]}
        />
      )}
    </>
  );
}

function Points({ view: { points } }: { readonly view: ServerView }) {
  if (!points) return null;
  const { mirrors, mirrorsAway } = points;
  return (
    <>
      <h2>Points</h2>
      <Facts
        rows={[
          [
            'stored',
            <Link key="stored" to="/points">
              {counted(points.points, 'point')} in {counted(points.databases, 'database')}
            </Link>,
          ],
          ['size', <Quantity key="size" value={points.bytes} unit="B" />],
          ['log', <Quantity key="log" value={points.logBytes} unit="B" />],
          ['taken since the start', <Quantity key="taken" value={points.taken} />],
          ['lines refused', <Quantity key="refused" value={points.refusedLines} />],
          ['packets lost', <Quantity key="lost" value={points.lostPackets} />],
          ['mirrors', mirrors === 0 ? 'none' : `${mirrors}, of which ${mirrorsAway} unavailable now`],
        ]}
      />
    </>
  );
}

/** In the order of their life cycle. */
const STATUSES = [
  ['CREATED', 'waiting'],
  ['SCHEDULED', 'scheduled'],
  ['RUNNING', 'running'],
  ['UNRESPONSIVE', 'silent for 20 s'],
  ['FINISHED', 'finished'],
  ['FAILED', 'failed'],
  ['CANCELED', 'cancelled'],
] as const;

function Queue({ view: { jobs } }: { readonly view: ServerView }) {
  if (!jobs) return null;
  return (
    <>
      <h2>Queue</h2>
      <Facts
        rows={[
          ...STATUSES.map(
            ([status, label]) =>
              [
                label,
                <Link key={status} to={`/jobs?status=${status}`}>
                  <Quantity value={jobs.counts[status] ?? 0} />
                </Link>,
              ] as const,
          ),
          ...(jobs.bytes === undefined
            ? []
            : [['size', <Quantity key="size" value={jobs.bytes} unit="B" />] as const]),
        ]}
      />
    </>
  );
}
