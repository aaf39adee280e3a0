import { useState } from 'preact/hooks';
import type { ChangeState } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { SourceProblem, theSource } from '../../../platform/page/data/source.ts';

/** Sets the state of changes, and undoes it. */
export interface Triage {
  /** A state for all of them; without one each keeps its own and gets the note. */
  say(
    changes: readonly FollowedChange[],
    decision: { readonly state?: ChangeState; readonly note?: string },
  ): void;
  undo(): void;
  readonly canUndo: boolean;
  readonly isBusy: boolean;
  /** What was done, as a sentence. */
  readonly message?: string;
  readonly problem?: SourceProblem;
}

interface Done {
  readonly message: string;
  readonly before: readonly (readonly [string, TriageDecision])[];
}

export function useTriage(reload: () => void): Triage {
  const [done, setDone] = useState<Done>();
  const [problem, setProblem] = useState<SourceProblem>();
  const [isBusy, setBusy] = useState(false);
  const send = async (decisions: readonly (readonly [string, TriageDecision])[], after: Done) => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const body of triageParts(decisions))
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
      const remark = { ...(note !== '' && { note }), ...(author !== '' && { author }) };
      const decisions = changes.map(
        (change) => [change.id, { state: state ?? change.state, ...remark }] as const,
      );
      const before = changes.map((change) => [change.id, decisionOf(change)] as const);
      const many = changes.length === 1 ? `${changes[0]?.id} is` : `${counted(changes.length, 'change')} are`;
      const what =
        state === undefined ? `${many.replace(/ (?:is|are)$/, '')}: note written` : `${many} ${state}`;
      void send(decisions, { message: what, before });
    },
    undo() {
      if (done && done.before.length > 0 && !isBusy)
        void send(done.before, { message: `Undone: ${done.message}`, before: [] });
    },
    canUndo: (done?.before.length ?? 0) > 0,
    isBusy,
    ...(done && { message: done.message }),
    ...(problem && { problem }),
  };
}

/** The triage of one change, or of several at once. */
export interface TriageDecision {
  readonly state: ChangeState;
  readonly note?: string;
  readonly author?: string;
}

/** One request: the same decision for all of its changes. */
export interface TriagePart extends TriageDecision {
  readonly ids: readonly string[];
}

/** Each change with a decision of its own, as few requests as there are different decisions. */
export function triageParts(
  decisions: readonly (readonly [string, TriageDecision])[],
): readonly TriagePart[] {
  const parts = new Map<string, TriageDecision & { readonly ids: string[] }>();
  for (const [id, { state, note, author }] of decisions) {
    const decision = { state, ...(note && { note }), ...(author && { author }) };
    const key = JSON.stringify([state, note, author]);
    const known = parts.get(key) ?? { ...decision, ids: [] };
    known.ids.push(id);
    parts.set(key, known);
  }
  return [...parts.values()];
}

/** Its triage so far, for undo. */
function decisionOf({ state, note, author }: FollowedChange): TriageDecision {
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
    meaning: 'It is intended: the new level becomes the reference.',
  },
  { state: 'false', key: 'f', verb: 'false', meaning: 'Nothing changed: both sides are one level.' },
  { state: 'fixed', verb: 'fixed', meaning: 'It is fixed: values are compared with the level before it.' },
  { state: 'new', verb: 'new again', meaning: 'Undoes the triage.' },
];

const KEY = 'nightmark-name';

/** Author of triage from this browser; empty where none was given. */
export function rememberedName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    // Browsers may refuse to store anything.
    return '';
  }
}

export function rememberName(name: string): void {
  try {
    localStorage.setItem(KEY, name.slice(0, 100));
  } catch {
    // Then the name is requested again.
  }
}
