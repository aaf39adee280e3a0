import { useState } from 'preact/hooks';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import type { ChangeState } from '../../../home/core/changes/change-record.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { SourceProblem, theSource } from '../../../platform/page/data/source.ts';

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

/** What is said of one change, or of several at once. */
export interface TriageWord {
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
}

/** One request: the same word for all of its changes. */
export interface TriagePart extends TriageWord {
  readonly ids: readonly string[];
}

/** Each change with a word of its own, as few requests as there are different words. */
export function triageParts(words: readonly (readonly [string, TriageWord])[]): readonly TriagePart[] {
  const parts = new Map<string, TriageWord & { readonly ids: string[] }>();
  for (const [id, { state, note, author }] of words) {
    const word = { state, ...(note && { note }), ...(author && { author }) };
    const key = JSON.stringify([state, note, author]);
    const known = parts.get(key) ?? { ...word, ids: [] };
    known.ids.push(id);
    parts.set(key, known);
  }
  return [...parts.values()];
}

/** What was said of it before, to say it again. */
function wordOf({ state, note, author }: FollowedChange): TriageWord {
  return { state, ...(note !== undefined && { note }), ...(author !== undefined && { author }) };
}

/** States with the key that gives them, and what they mean. */
export const TRIAGE_STATES: readonly {
  readonly state: ChangeState;
  readonly key?: string;
  readonly verb: string;
  readonly meaning: string;
}[] = [
  { state: 'confirmed', key: 'c', verb: 'confirm', meaning: 'It is real, and stays open.' },
  {
    state: 'expected',
    key: 'e',
    verb: 'expected',
    meaning: 'It is meant: the new level becomes the reference.',
  },
  { state: 'false', key: 'f', verb: 'false', meaning: 'Nothing changed: both sides are one level.' },
  { state: 'fixed', verb: 'fixed', meaning: 'It is mended: values are held against the level before it.' },
  { state: 'new', verb: 'new again', meaning: 'Takes back what was said.' },
];

const KEY = 'nightmark-name';

/** Who speaks about changes from this browser; empty where nobody said. */
export function rememberedName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    // Browsers may be told to keep nothing.
    return '';
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name.slice(0, 100));
  } catch {
    // Then it is asked for again.
  }
}
