import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { Age, useNow } from '../../../platform/page/parts/time.tsx';
import { goTo, setParameters, useParameters } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import { useWindow } from '../../../platform/page/table/use-window.ts';
import { shortId } from '../../core/job.ts';
import type { ListedJob } from '../../core/job-documents.ts';
import { isSelected, rangeOf, type Selection, toggled } from './job-selection.ts';
import { JobStatus, Progress } from './job-status.tsx';
import { annotationText, descriptionOf, flatRows, groupedRows, type ListRow } from './listed-jobs.ts';
import type { useJobList } from './use-job-list.ts';

interface JobListProps {
  readonly list: ReturnType<typeof useJobList>;
  readonly selection: Selection;
  readonly isFlat: boolean;
  readonly onSelect: (selection: Selection | undefined) => void;
  readonly onStar: ((job: ListedJob) => void) | undefined;
}

const ROW_HEIGHT = 30;

/** All found jobs; only visible rows are drawn, and more are fetched near the end. */
export function JobList({ list, selection, isFlat, onSelect, onStar }: JobListProps) {
  const folded = useParameters('fold');
  const closed = useMemo(() => new Set(folded), [JSON.stringify(folded)]);
  const [active, setActive] = useState(-1);
  const last = useRef<string>();
  const { jobs, nextBefore, more, see } = list;
  const rows = useMemo(() => (isFlat ? flatRows(jobs) : groupedRows(jobs, closed)), [jobs, isFlat, closed]);
  const listed = useMemo(
    () => rows.flatMap((row) => (row.type === 'job' ? [row.job.id] : closedIds(row))),
    [rows],
  );
  const scroller = useRef<HTMLElement>(null);
  const view = useWindow(scroller, { count: rows.length, heightOf: () => ROW_HEIGHT, layout: '' });
  const [from, to] = [view.items[0]?.index ?? 0, view.items.at(-1)?.index ?? 0];
  useEffect(() => {
    see(rows.slice(from, to + 1).flatMap((row) => (row.type === 'job' ? [row.job.id] : [])));
    if (nextBefore !== undefined && to >= rows.length - 40) more();
  }, [from, to, rows, nextBefore]);
  const put = (ids: readonly string[], isOn: boolean) => onSelect(toggled(selection, { listed, ids, isOn }));
  const toggle = (id: string, isRange: boolean) => {
    const isOn = !isSelected(selection, id);
    put(isRange ? rangeOf(listed, last.current, id) : [id], isOn || isRange);
    last.current = id;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    const step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) {
      const place = Math.max(0, Math.min(rows.length - 1, active + step));
      setActive(place);
      view.scrollTo(place);
    } else if (event.target !== scroller.current || row === undefined) return;
    else if (event.key === 'Enter' && row.type === 'job') goTo(`/jobs/${row.job.id}`);
    else if (event.key === ' ' || event.key === 'x') {
      if (row.type === 'job') toggle(row.job.id, event.shiftKey);
      else put(row.ids, !row.ids.every((id) => isSelected(selection, id)));
    } else return;
    event.preventDefault();
  };
  const fold = (key: string) => {
    const next = new Set(closed);
    if (!next.delete(key)) next.add(key);
    setParameters({ fold: [...next] });
  };
  return (
    <section
      class="table-scroll job-list"
      ref={scroller}
      tabIndex={0}
      aria-label="Jobs, newest first"
      onKeyDown={onKeyDown}
    >
      <table class="data" aria-rowcount={nextBefore === undefined ? rows.length : -1}>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">selected</span>
            </th>
            <th scope="col">job</th>
            {isFlat && (
              <th scope="col" class="rest">
                experiment
              </th>
            )}
            <th scope="col">
              <span class="hidden">star</span>
            </th>
            <th scope="col">status</th>
            <th scope="col" class="rest">
              note
            </th>
            <th scope="col" class="rest number">
              took
            </th>
            <th scope="col" class="rest">
              created
            </th>
            <th scope="col" class="rest">
              by
            </th>
          </tr>
        </thead>
        <tbody>
          {view.above > 0 && <tr class="room" style={{ height: `${view.above}px` }} />}
          {view.items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            if (row.type === 'job')
              return (
                <JobRow
                  key={row.key}
                  {...{ job: row.job, onStar, onToggle: toggle, height: ROW_HEIGHT, isGrouped: !isFlat }}
                  isSelected={isSelected(selection, row.job.id)}
                  isActive={index === active}
                />
              );
            return (
              <GroupRow
                key={row.key}
                {...{ row, selection, put }}
                isActive={index === active}
                onFold={() => fold(row.key)}
              />
            );
          })}
          {view.below > 0 && <tr class="room" style={{ height: `${view.below}px` }} />}
        </tbody>
      </table>
      {nextBefore !== undefined && <p class="quiet">older ones are fetched as you scroll …</p>}
    </section>
  );
}

type GroupHead = Extract<ListRow, { type: 'group' }>;

interface GroupRowProps {
  readonly row: GroupHead;
  readonly selection: Selection;
  readonly isActive: boolean;
  readonly put: (ids: readonly string[], isOn: boolean) => void;
  readonly onFold: () => void;
}

function GroupRow({ row, selection, isActive, put, onFold }: GroupRowProps) {
  const chosen = row.ids.filter((id) => isSelected(selection, id)).length;
  const isWhole = chosen === row.ids.length;
  return (
    <tr class={`group${isActive ? ' active' : ''}`} style={{ height: `${ROW_HEIGHT}px` }}>
      <td class="pick">
        <input
          type="checkbox"
          checked={isWhole}
          indeterminate={chosen > 0 && !isWhole}
          aria-label={`Select all ${row.ids.length} of ${row.experiment}`}
          onClick={() => put(row.ids, !isWhole)}
        />
      </td>
      <td colSpan={8}>
        <button
          type="button"
          class="plain clip"
          title={row.experiment}
          aria-expanded={row.isOpen}
          onClick={onFold}
        >
          <span aria-hidden="true">{row.isOpen ? '▾' : '▸'}</span> <strong>{row.experiment}</strong>
          {row.description !== '' && ` ${row.description}`}
        </button>{' '}
        <span class="quiet">{counted(row.ids.length, 'job')}</span>
      </td>
    </tr>
  );
}

/** Jobs of a folded group stay listed. */
function closedIds(row: GroupHead): readonly string[] {
  return row.isOpen ? [] : row.ids;
}

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
};

interface JobRowProps {
  readonly job: ListedJob;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isGrouped: boolean;
  readonly height: number;
  /** Undefined: the user may not change jobs. */
  readonly onStar: ((job: ListedJob) => void) | undefined;
  readonly onToggle: (id: string, isRange: boolean) => void;
}

function JobRow({ job, isSelected, isActive, isGrouped, height, onStar, onToggle }: JobRowProps) {
  const { id, name, status, exception, reason, annotations } = job;
  const why = status === 'FAILED' || status === 'CANCELED' ? (exception ?? reason ?? '') : '';
  const note = [annotationText(annotations['note']), isGrouped ? '' : descriptionOf(job)]
    .filter((one) => one !== '')
    .join(' · ');
  const toggle = (event: MouseEvent) => {
    if ((event.target as Element).closest('a, button, input') === null) onToggle(id, event.shiftKey);
  };
  return (
    <tr
      class={[isSelected && 'selected', isActive && 'active'].filter(Boolean).join(' ')}
      style={{ height: `${height}px` }}
      onClick={toggle}
    >
      <td class="pick">
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={`Select ${name} ${shortId(id)}`}
          onClick={(event) => onToggle(id, event.shiftKey)}
        />
      </td>
      <td class="name">
        <Link to={`/jobs/${id}`} title={`${name}\n${id}`}>
          {name}
        </Link>{' '}
        <span class="quiet">{shortId(id)}</span>
        {annotations['bug'] === true && <span title="marked as a bug"> 🐞︎ bug</span>}
      </td>
      {!isGrouped && <td class="rest">{job.experiment}</td>}
      <td class="star">
        <Star job={job} onStar={onStar} />
      </td>
      <td>
        <JobStatus status={status} title={why} />{' '}
        {(status === 'RUNNING' || status === 'UNRESPONSIVE') && <Progress part={job.progress} />}
        {why !== '' && (
          <span class="quiet why" title={why}>
            {' '}
            {why}
          </span>
        )}
      </td>
      <td class="rest quiet note" title={note}>
        {note}
      </td>
      <td class="rest number">
        <Took job={job} />
      </td>
      <td class="rest">
        <Age at={job.createdAt} />
      </td>
      <td class="rest">{job.user}</td>
    </tr>
  );
}

function Star({ job, onStar }: Pick<JobRowProps, 'job' | 'onStar'>) {
  const isStarred = job.annotations['star'] === true;
  if (onStar === undefined) return isStarred ? <span title="starred">★</span> : null;
  return (
    <button
      type="button"
      class="plain"
      aria-pressed={isStarred}
      aria-label={`Star ${job.name} ${shortId(job.id)}`}
      onClick={() => onStar(job)}
    >
      {isStarred ? '★' : '☆'}
    </button>
  );
}

/** How long it ran, or has been running; of an unresponsive one until its last heartbeat. */
function Took({
  job,
}: {
  readonly job: Pick<ListedJob, 'status' | 'startedAt' | 'endedAt' | 'heartbeatAt'>;
}) {
  const { status, startedAt, endedAt, heartbeatAt } = job;
  // What is over needs no clock.
  const now = useNow(status === 'RUNNING' ? 1_000 : 3_600_000);
  if (startedAt === undefined || status === 'CREATED' || status === 'SCHEDULED') return null;
  const end = endedAt ?? (status === 'UNRESPONSIVE' ? (heartbeatAt ?? now) : now);
  return <>{formatDuration(Math.max(0, Math.round((end - startedAt) / 1000) * 1000 || end - startedAt))}</>;
}
