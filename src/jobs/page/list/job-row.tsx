import { formatDuration } from '../../../platform/core/text/numbers.ts';
import { Age } from '../../../platform/page/parts/moment.tsx';
import { useNow } from '../../../platform/page/parts/use-now.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import { shortId } from '../../core/job.ts';
import type { ListedJob } from '../../core/job-documents.ts';
import { descriptionOf, saidText } from './group-jobs.ts';
import { JobStatus, Progress } from './job-status.tsx';

interface JobRowProps {
  readonly job: ListedJob;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isGrouped: boolean;
  readonly height: number;
  /** Undefined: whoever looks may change nothing. */
  readonly onStar: ((job: ListedJob) => void) | undefined;
  readonly onToggle: (id: string, isRange: boolean) => void;
}

export function JobRow({ job, isSelected, isActive, isGrouped, height, onStar, onToggle }: JobRowProps) {
  const { id, name, status, exception, reason, annotations } = job;
  const why = status === 'FAILED' || status === 'CANCELED' ? (exception ?? reason ?? '') : '';
  const note = [saidText(annotations['note']), isGrouped ? '' : descriptionOf(job)]
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

/** How long it ran, or has been running; of a silent one until its last sign of life. */
export function Took({
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
