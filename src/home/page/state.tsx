import type { Run, Trial } from '../core/run.ts';

const SIGNS = {
  succeeded: ['✓', 'succeeded'],
  failed: ['✕', 'failed'],
  inactive: ['–', 'inactive'],
  skipped: ['»', 'skipped'],
  running: ['…', 'running'],
  waiting: ['·', 'waiting'],
  missing: ['?', 'not run'],
  finished: ['✓', 'finished'],
  interrupted: ['!', 'interrupted'],
} as const;

export type ShownState = Trial['state'] | Run['state'] | 'missing';

/** A sign and a word; the colour only repeats them. */
export function State({ state, word }: { readonly state: ShownState; readonly word?: string }) {
  const [sign, usual] = SIGNS[state];
  return (
    <span class={`state ${state}`}>
      <span aria-hidden="true">{sign}</span> {word ?? usual}
    </span>
  );
}
