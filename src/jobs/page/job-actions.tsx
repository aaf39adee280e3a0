import { useEffect, useRef, useState } from 'preact/hooks';
import { counted } from '../../platform/core/text/numbers.ts';
import { theSource } from '../../platform/page/data/source.ts';
import { useSession } from '../../platform/page/data/use-document.ts';
import { Link } from '../../platform/page/router/link.tsx';
import { shortId } from '../core/job.ts';
import type { JobRights, ListedJob } from '../core/job-documents.ts';

interface ActionBarProps {
  readonly jobs: readonly NamedJob[];
  readonly rights: JobRights | undefined;
  readonly isStarred: boolean;
  readonly isBug?: boolean;
  /** Something of them waits or runs. */
  readonly isOpen: boolean;
  readonly note?: string;
  readonly onDone: (action: JobAction, done: readonly Done[]) => void;
}

/** Actions for the selected jobs, or why there are none. */
export function ActionBar({ jobs, rights, isStarred, isBug, isOpen, note, onDone }: ActionBarProps) {
  const [pending, setPending] = useState<JobAction>();
  if (rights === undefined) return null;
  if (!rights.canWrite)
    return (
      <p class="quiet actions">
        Nothing can be changed from here: {rights.error}. {rights.hint} <a href="/login">Log in</a>
      </p>
    );
  const atOnce = async (action: JobAction, value?: string) =>
    onDone(action, await changeJobs(jobs, { action, ...(value !== undefined && { note: value }) }, () => {}));
  const button = (action: JobAction, word: string) => (
    <button type="button" class="small" onClick={() => setPending(action)}>
      {word}
    </button>
  );
  return (
    <div class="actions">
      <button
        type="button"
        class="small"
        aria-pressed={isStarred}
        onClick={() => atOnce(isStarred ? 'unstar' : 'star')}
      >
        {isStarred ? '★ starred' : '☆ star'}
      </button>
      {isBug !== undefined && (
        <button
          type="button"
          class="small"
          aria-pressed={isBug}
          onClick={() => atOnce('bug', isBug ? 'off' : 'on')}
        >
          {isBug ? 'marked as a bug' : 'mark as a bug'}
        </button>
      )}
      {button('note', 'note …')} {button('rerun', 'rerun …')} {isOpen && button('kill', 'kill …')}{' '}
      {button('delete', 'delete …')}
      {pending && (
        <Confirm
          {...{ action: pending, jobs, ...(note !== undefined && { note }) }}
          onClose={(done) => {
            setPending(undefined);
            onDone(pending, done);
          }}
        />
      )}
    </div>
  );
}

interface ConfirmProps {
  readonly action: JobAction;
  readonly jobs: readonly NamedJob[];
  /** What the note is now. */
  readonly note?: string;
  readonly onClose: (done: readonly Done[]) => void;
}

const TEXTS: Readonly<Partial<Record<JobAction, readonly [string, string]>>> = {
  kill: ['Kill', 'What runs is ended; what waits will not run. What was written so far is kept.'],
  rerun: ['Rerun', 'New jobs with the same code and configuration are put into the queue.'],
  delete: [
    'Delete',
    'Files, logs, metrics and code that no other job needs go with them. What runs is ended first. This cannot be undone.',
  ],
  note: ['Note', 'Everybody sees it in the list. An empty one is removed.'],
};
const MOST_NAMED = 8;

/** Asks for confirmation before anything is changed. */
function Confirm({ action, jobs, note: before = '', onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [done, setDone] = useState<readonly Done[]>();
  const [note, setNote] = useState(before);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const [word = action, meaning = ''] = TEXTS[action] ?? [];
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

/** What can be done to jobs. */
export type JobAction = 'kill' | 'rerun' | 'delete' | 'star' | 'unstar' | 'note' | 'bug';

/** A job in a question: its id and its name. */
export type NamedJob = Pick<ListedJob, 'id' | 'name'>;

export interface Done {
  readonly id: string;
  /** Why it was not done. */
  readonly problem?: string;
  /** Of a rerun: the new job. */
  readonly newId?: string;
}

/** One after the other; what fails does not stop the rest. */
export async function changeJobs(
  jobs: readonly NamedJob[],
  { action, note }: { readonly action: JobAction; readonly note?: string },
  onDone: (done: readonly Done[]) => void,
): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const { id } of jobs) {
    try {
      const answer = (await theSource().change(...requestOf(id, action, note))) as
        | { id?: string }
        | undefined;
      done.push({ id, ...(action === 'rerun' && answer?.id !== undefined && { newId: answer.id }) });
    } catch (error) {
      done.push({ id, problem: error instanceof Error ? error.message : String(error) });
    }
    onDone([...done]);
  }
  return done;
}

type Request = Parameters<ReturnType<typeof theSource>['change']>;

function requestOf(id: string, action: JobAction, note: string | undefined): Request {
  const job = `jobs/${encodeURIComponent(id)}`;
  const say = (key: string, value: unknown): Request => [
    `${job}/annotate`,
    { method: 'POST', body: { key, value } },
  ];
  if (action === 'delete') return [job, { method: 'DELETE' }];
  if (action === 'kill')
    return [`${job}/cancel`, { method: 'POST', body: { reason: 'It was killed on the page.' } }];
  if (action === 'rerun') return [`${job}/rerun`, { method: 'POST' }];
  if (action === 'note') return say('note', note === '' ? null : note);
  if (action === 'bug') return say('bug', note === 'off' ? null : true);
  return say('star', action === 'star' ? true : null);
}

/** What the user may do with jobs; undefined until the server has answered. */
export function useRights(): JobRights | undefined {
  const session = useSession();
  if (session === undefined) return undefined;
  if (session.scopes.includes('write')) return { canWrite: true };
  return session.isReadOnly
    ? { canWrite: false, error: 'nothing is written here', hint: 'The server was started to be read only.' }
    : {
        canWrite: false,
        error: 'writing needs a token',
        hint: 'One with the scope "write": nightmark token create.',
      };
}
