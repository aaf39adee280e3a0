import { useMemo } from 'preact/hooks';
import {
  matchesRun,
  RUN_KINDS,
  RUN_STATES,
  type RunFilter,
  readRunFilter,
} from '../../../home/core/run-filter.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import { Empty, PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import type { RunLine } from '../../app/runs/list-runs.ts';
import { NightStrip } from '../home/night-strip.tsx';
import { RunTable } from './run-table.tsx';
import { type FollowedRuns, useRuns } from './use-runs.ts';

/** Every run of every kind, newest first; older ones come as one scrolls. */
export function RunsPage() {
  const [kind] = useParameter('kind');
  const [state] = useParameter('state');
  const [text] = useParameter('text');
  const [before] = useParameter('before');
  const filter = readRunFilter({ kind, state, text });
  const runs = useRuns(filter, before !== undefined && /^\d{1,15}$/.test(before) ? before : undefined);
  const query = new URLSearchParams({ ...filter }).toString();
  const links = query === '' ? '' : `?${query}`;
  return (
    <Show loaded={runs.loaded} height={600}>
      {({ count }) => (
        <PageFrame
          title="Runs"
          heading={count === 0 ? 'No run yet' : counted(count, 'run')}
          {...(count > 0 && { lead: <Lead lines={runs.lines} /> })}
          json={`runs${links}`}
          csv={`runs.csv${links}`}
        >
          {count === 0 ? (
            <Empty command="nightmark run">
              Here you will see every night, import and duet. The first one begins with
            </Empty>
          ) : (
            <Runs runs={runs} filter={filter} before={before} />
          )}
        </PageFrame>
      )}
    </Show>
  );
}

/** A summary of the newest runs. */
function Lead({ lines }: { readonly lines: readonly RunLine[] }) {
  const running = lines.filter(({ run }) => run.state === 'running').length;
  const failed = lines.filter(
    ({ experiments, subsystems }) => experiments.failed + subsystems.failed > 0,
  ).length;
  const cut = lines.filter(({ run }) => run.state === 'interrupted').length;
  const oldest = lines.at(-1)?.run;
  if (oldest === undefined) return null;
  return (
    <span class="quiet">
      {running > 0 && `${running} running now. `}Of the {counted(lines.length, 'run')} since{' '}
      <Minute at={oldest.startedAt} />{' '}
      {failed === 0 ? 'none has a failure' : `${failed} ${failed === 1 ? 'has' : 'have'} a failure`}
      {cut > 0 && `, ${cut} ${cut === 1 ? 'was' : 'were'} interrupted`}.
    </span>
  );
}

interface RunsProps {
  readonly runs: FollowedRuns;
  readonly filter: RunFilter;
  readonly before: string | undefined;
}

const STRIP = 60;

function Runs({ runs, filter, before }: RunsProps) {
  const shown = useMemo(
    () => runs.lines.filter((line) => isShown(line, filter)),
    [runs.lines, JSON.stringify(filter)],
  );
  const nights = shown
    .slice(0, STRIP)
    .map(({ run, experiments, subsystems }) => ({ ...run, experiments, subsystems, missing: 0 }));
  return (
    <>
      {nights.length > 1 && <NightStrip view={{ nights, runCount: nights.length }} />}
      <Controls filter={filter} before={before} />
      <RunTable lines={shown} isBusy={runs.isBusy} {...(runs.hasMore && { onEnd: runs.more })} />
      <p class="quiet" role="status">
        {counted(shown.length, 'run')} shown
        {runs.hasMore ? ', older ones follow as you scroll ' : ', there is no older one '}
        {runs.hasMore && (
          <button type="button" class="small" onClick={runs.more} disabled={runs.isBusy}>
            {runs.isBusy ? 'loading …' : 'Load older runs'}
          </button>
        )}
        {!theSource().isLive &&
          runs.lines.length > shown.length &&
          ` (${counted(runs.lines.length - shown.length, 'run')} hidden by the filter)`}
      </p>
    </>
  );
}

function Controls({ filter, before }: Omit<RunsProps, 'runs'>) {
  const { kind = '', state = '', text = '' } = filter;
  const isFiltered = kind !== '' || state !== '' || text !== '' || before !== undefined;
  return (
    <div class="controls">
      <label>
        search
        <input
          type="search"
          value={text}
          placeholder="task, machine, commit, label"
          onInput={({ currentTarget }) => setParameters({ text: currentTarget.value })}
        />
      </label>
      <Choice name="kind" value={kind} options={RUN_KINDS} />
      <Choice name="state" value={state} options={RUN_STATES} />
      {isFiltered && (
        <button
          type="button"
          class="small"
          onClick={() =>
            setParameters({ kind: undefined, state: undefined, text: undefined, before: undefined })
          }
        >
          Show all runs
        </button>
      )}
      {before !== undefined && (
        <span class="quiet">
          only those before <Minute at={Number(before)} />
        </span>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly string[];
}

function Choice({ name, value, options }: ChoiceProps) {
  return (
    <label>
      {name}
      <select value={value} onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value })}>
        <option value="">all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The server has filtered by all names of a run; a line has only the first ones, and a static site has no more. */
export function isShown({ run, machine, tasks, failed, commits }: RunLine, filter: RunFilter): boolean {
  if (theSource().isLive) return true;
  const hashes = Object.fromEntries(
    Object.entries(commits).map(([source, list]) => [source, list.join(' ')]),
  );
  const trials = [
    ...tasks.map((task) => ({ task, state: 'succeeded' as const, commits: hashes })),
    ...failed.map((task) => ({ task, state: 'failed' as const, commits: hashes })),
  ];
  return matchesRun({ run, trials, ...(machine !== undefined && { machine }) }, filter);
}
