import type { Cause, FactGroup, Fit } from './explanation.ts';
import { nameText, sidesText } from './fact-text.ts';

/** One line of the table of causes, as text; control characters are visible. */
export interface CauseRow {
  /** Empty for a fact that changed together with the one above. */
  readonly rank: string;
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly fit: string;
}

/** More are rarely read; the count of all is told. */
const MOST_CAUSES = 20;

export function causeRows(causes: readonly Cause[]): readonly CauseRow[] {
  return causes.slice(0, MOST_CAUSES).flatMap((cause, rank) =>
    cause.facts.map((fact, index) => ({
      rank: index === 0 ? String(rank + 1) : '',
      name: nameText(fact),
      ...sidesText(fact),
      fit: index === 0 ? fitText(cause) : 'together with it',
    })),
  );
}

/** What the table leaves out; undefined where it has all. */
export function leftOutText(causes: readonly Cause[]): string | undefined {
  return causes.length > MOST_CAUSES ? `and ${causes.length - MOST_CAUSES} that fit less` : undefined;
}

function fitText({ fit, offset, elsewhere, facts: [{ group }] }: Cause): string {
  const words = [
    wordFor(group, fit),
    ...(offset === 0 ? [] : [`${Math.abs(offset)} ${offset < 0 ? 'before' : 'after'}`]),
    ...(elsewhere.withEffect > 0 ? [`${elsewhere.withEffect} more with effect`] : []),
    ...(elsewhere.without > 0 ? [`${elsewhere.without} more without effect`] : []),
  ];
  return words.join(', ');
}

/** Other commits that had no effect speak neither for nor against this one: they were other code. */
function wordFor(group: FactGroup, fit: Fit): string {
  if (group === 'source' && fit === 'poor') return 'cannot tell';
  return group === 'telemetry' ? `moves with it, ${fit}` : fit;
}
