import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { rememberedName, rememberName, TRIAGE_STATES, type Triage } from './use-triage.ts';

interface TriageBarProps {
  /** What the buttons are about. */
  readonly changes: readonly FollowedChange[];
  readonly triage: Triage;
  /** Shown when there is nothing to triage. */
  readonly hint?: string;
  readonly note?: RefObject<HTMLInputElement>;
  readonly onDone?: () => void;
}

/** Sets the state of changes, with a note and an author. */
export function TriageBar({ changes, triage, hint, note: field, onDone }: TriageBarProps) {
  const [note, setNote] = useState('');
  const [name, setName] = useState(rememberedName);
  const isNothing = changes.length === 0 || triage.isBusy;
  const say = (state?: (typeof TRIAGE_STATES)[number]['state']) => {
    triage.say(changes, { note, ...(state && { state }) });
    setNote('');
    onDone?.();
  };
  return (
    <form
      class={`triage ${changes.length === 0 ? 'idle' : ''}`}
      aria-label="Triage"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNothing && note !== '') say();
      }}
    >
      <div class="controls">
        <span class="about">{changes.length === 0 ? hint : counted(changes.length, 'change')}</span>
        <span class="chips">
          {TRIAGE_STATES.map(({ state, key, verb, meaning }) => (
            <button
              key={state}
              type="button"
              class="small"
              disabled={isNothing}
              title={meaning}
              {...(key !== undefined && { 'aria-keyshortcuts': key })}
              onClick={() => say(state)}
            >
              {verb}
              {key !== undefined && (
                <span class="key" aria-hidden="true">
                  {key}
                </span>
              )}
            </button>
          ))}
        </span>
        <label>
          note
          <input
            {...(field && { ref: field })}
            value={note}
            maxLength={4000}
            onInput={({ currentTarget }) => setNote(currentTarget.value)}
            placeholder="why; Enter writes it"
          />
        </label>
        <label>
          your name
          <input
            class="name"
            value={name}
            maxLength={100}
            autocomplete="name"
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
              rememberName(currentTarget.value);
            }}
          />
        </label>
      </div>
      <p role="status" class={triage.problem ? 'problem' : 'quiet told'}>
        {triage.problem ? `${triage.problem.message} ${triage.problem.hint}` : triage.message}{' '}
        {triage.canUndo && (
          <button type="button" class="small" onClick={() => triage.undo()}>
            undo
            <span class="key" aria-hidden="true">
              u
            </span>
          </button>
        )}
      </p>
    </form>
  );
}
