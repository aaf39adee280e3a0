import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { useMayWrite } from '../../../platform/page/data/use-document.ts';
import { TRIAGE_STATES } from '../changes/triage-words.ts';
import type { Triage } from '../changes/use-triage.ts';

/** The keys of the table of changes, on the page of one. */
export function useTriageKeys(
  change: FollowedChange | undefined,
  triage: Triage,
  note: RefObject<HTMLInputElement>,
): void {
  const mayWrite = useMayWrite();
  useEffect(() => {
    if (change === undefined || !mayWrite) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const state = TRIAGE_STATES.find(({ key }) => key === event.key)?.state;
      if (state !== undefined) triage.say([change], { state });
      else if (event.key === 'u') triage.undo();
      else if (event.key === 'n') note.current?.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
