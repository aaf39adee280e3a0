import type { ChangeState } from '../../../home/core/changes/change.ts';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';

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
export function wordOf({ state, note, author }: FollowedChange): TriageWord {
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
