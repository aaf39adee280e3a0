import { useState } from 'preact/hooks';
import type { JobRights } from '../../core/job-documents.ts';
import { changeJobs, type Done, type JobAction, type NamedJob } from './change-jobs.ts';
import { Confirm } from './confirm.tsx';

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

/** What can be done to the chosen jobs; whoever may not is told why. */
export function ActionBar({ jobs, rights, isStarred, isBug, isOpen, note, onDone }: ActionBarProps) {
  const [asked, setAsked] = useState<JobAction>();
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
    <button type="button" class="small" onClick={() => setAsked(action)}>
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
      {asked && (
        <Confirm
          {...{ action: asked, jobs, ...(note !== undefined && { note }) }}
          onClose={(done) => {
            setAsked(undefined);
            onDone(asked, done);
          }}
        />
      )}
    </div>
  );
}
