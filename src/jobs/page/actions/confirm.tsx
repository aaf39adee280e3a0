import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import { shortId } from '../../core/job.ts';
import { changeJobs, type Done, type JobAction, type NamedJob } from './change-jobs.ts';

interface ConfirmProps {
  readonly action: JobAction;
  readonly jobs: readonly NamedJob[];
  /** What the note is now. */
  readonly note?: string;
  readonly onClose: (done: readonly Done[]) => void;
}

const WORDS: Readonly<Partial<Record<JobAction, readonly [string, string]>>> = {
  kill: ['Kill', 'What runs is ended; what waits will not run. What was written so far is kept.'],
  rerun: ['Rerun', 'New jobs with the same code and configuration are put into the queue.'],
  delete: [
    'Delete',
    'Files, logs, metrics and code that no other job needs go with them. What runs is ended first. This cannot be undone.',
  ],
  note: ['Note', 'Everybody sees it in the list. An empty one is taken away.'],
};
const MOST_NAMED = 8;

/** Nothing is changed before somebody has read what will be. */
export function Confirm({ action, jobs, note: before = '', onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [done, setDone] = useState<readonly Done[]>();
  const [note, setNote] = useState(before);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const [word = action, meaning = ''] = WORDS[action] ?? [];
  const title = `${word} ${jobs.length === 1 ? `${jobs[0]?.name} (${shortId(jobs[0]?.id ?? '')})` : counted(jobs.length, 'job')}`;
  const go = async () => {
    setBusy(true);
    const all = await changeJobs(jobs, { action, note }, setDone);
    setBusy(false);
    if (all.every(({ problem, newId }) => problem === undefined && newId === undefined)) onClose(all);
  };
  const problems = (done ?? []).filter(({ problem }) => problem !== undefined);
  const made = (done ?? []).flatMap(({ newId }) => newId ?? []);
  const isOver = done !== undefined && !isBusy;
  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onClose={() => onClose(done ?? [])}>
      <h2 id="confirm-title">{title}</h2>
      <p>{meaning}</p>
      {jobs.length > 1 && (
        <p class="quiet">
          {jobs
            .slice(0, MOST_NAMED)
            .map(({ name }) => name)
            .join(', ')}
          {jobs.length > MOST_NAMED && ` and ${jobs.length - MOST_NAMED} more`}
        </p>
      )}
      {action === 'note' && (
        <label class="note-field">
          note
          <textarea rows={3} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        </label>
      )}
      {isBusy && (
        <p role="status">
          {done?.length ?? 0} of {jobs.length} …
        </p>
      )}
      {problems.length > 0 && (
        <p class="problem message" role="alert">
          {counted(problems.length, 'job')} not changed:{' '}
          {[...new Set(problems.map(({ problem }) => problem))].join(' ')}
        </p>
      )}
      {made.length > 0 && (
        <p role="status">
          In the queue:{' '}
          {made.map((id) => (
            <span key={id}>
              <Link to={`/jobs/${id}`}>{shortId(id)}</Link>{' '}
            </span>
          ))}
        </p>
      )}
      <p class="buttons">
        {!isOver && (
          <button
            type="button"
            disabled={isBusy}
            class={action === 'delete' || action === 'kill' ? 'danger' : ''}
            onClick={go}
          >
            {word}
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          {isOver ? 'Close' : 'Leave it'}
        </button>
      </p>
    </dialog>
  );
}
