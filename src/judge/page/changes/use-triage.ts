import { useState } from 'preact/hooks';
import type { ChangeState } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { SourceProblem, theSource } from '../../../platform/page/data/source.ts';
import { rememberedName } from './remembered-name.ts';
import { type TriageWord, triageParts, wordOf } from './triage-words.ts';

/** How people speak about changes, and take it back. */
export interface Triage {
  /** A state for all of them; without one each keeps its own and gets the note. */
  say(
    changes: readonly FollowedChange[],
    word: { readonly state?: ChangeState; readonly note?: string },
  ): void;
  undo(): void;
  readonly canUndo: boolean;
  readonly isBusy: boolean;
  /** What was done, or why it was not. */
  readonly told?: string;
  readonly problem?: SourceProblem;
}

interface Done {
  readonly told: string;
  readonly before: readonly (readonly [string, TriageWord])[];
}

export function useTriage(reload: () => void): Triage {
  const [done, setDone] = useState<Done>();
  const [problem, setProblem] = useState<SourceProblem>();
  const [isBusy, setBusy] = useState(false);
  const send = async (words: readonly (readonly [string, TriageWord])[], after: Done) => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const body of triageParts(words))
        await theSource().change('changes/triage', { method: 'POST', body });
      setDone(after);
    } catch (error) {
      setProblem(error instanceof SourceProblem ? error : new SourceProblem(String(error)));
    }
    setBusy(false);
    reload();
  };
  return {
    say(changes, { state, note = '' }) {
      if (changes.length === 0 || isBusy) return;
      const author = rememberedName();
      const said = { ...(note !== '' && { note }), ...(author !== '' && { author }) };
      const words = changes.map((change) => [change.id, { state: state ?? change.state, ...said }] as const);
      const before = changes.map((change) => [change.id, wordOf(change)] as const);
      const many = changes.length === 1 ? `${changes[0]?.id} is` : `${counted(changes.length, 'change')} are`;
      const what =
        state === undefined ? `${many.replace(/ (?:is|are)$/, '')}: note written` : `${many} ${state}`;
      void send(words, { told: what, before });
    },
    undo() {
      if (done && done.before.length > 0 && !isBusy)
        void send(done.before, { told: `Taken back: ${done.told}`, before: [] });
    },
    canUndo: (done?.before.length ?? 0) > 0,
    isBusy,
    ...(done && { told: done.told }),
    ...(problem && { problem }),
  };
}
