import { seriesKey, seriesText } from '../../../home/core/changes/change.ts';
import { type FollowedChange, isUndirected, isWorse } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';

/** What a gate decides: a regression, nothing, or that it could not judge. */
export interface Gate {
  readonly state: 'passed' | 'regression' | 'unknown';
  /** Names of series that got worse. */
  readonly regressions: readonly string[];
  /** Names of series that changed, and whose good direction nobody knows. */
  readonly unknown: readonly string[];
  /** Why nothing could be judged, in a sentence. */
  readonly missing?: string;
}

/** What was judged: undefined where there was nothing new, a sentence where judging failed. */
export interface JudgedResults {
  readonly news: readonly FollowedChange[];
  readonly judged: number;
  readonly ignored: number;
  /** Series with enough earlier values. */
  readonly compared: number;
}

/** The gate of new results. A regression is one whatever else is unknown. `orLikely`: also what is only probably beyond `min-effect`. */
export function gateOf(results: JudgedResults | string | undefined, orLikely = false): Gate {
  if (results === undefined) return gateOfNames([], []);
  if (typeof results === 'string') return gateOfNames([], [], results);
  const { news } = results;
  const missing = whyNothingJudged(results);
  return gateOfChanges(news, { orLikely, ...(missing !== undefined && { missing }) });
}

/** The gate of changes that are open. What was reverted since is no regression any more. */
export function gateOfChanges(
  changes: readonly FollowedChange[],
  { orLikely, missing }: { readonly orLikely: boolean; readonly missing?: string },
): Gate {
  const reverts = new Map<string, FollowedChange[]>();
  for (const change of changes) {
    if (change.returns?.kind !== 'back') continue;
    const key = seriesKey(change.series);
    reverts.set(key, [...(reverts.get(key) ?? []), change]);
  }
  const standing = changes.filter((change) => {
    if (change.isLikely && !orLikely) return false;
    return !reverts.get(seriesKey(change.series))?.some((later) => isRevertOf(later, change));
  });
  return gateOfNames(
    standing.filter(isWorse).map(nameOf),
    standing.filter(isUndirected).map(nameOf),
    missing,
  );
}

export function gateOfNames(
  regressions: readonly string[],
  unknown: readonly string[],
  missing?: string,
): Gate {
  const isUnknown = unknown.length > 0 || missing !== undefined;
  return {
    state: regressions.length > 0 ? 'regression' : isUnknown ? 'unknown' : 'passed',
    ...{ regressions: [...new Set(regressions)], unknown: [...new Set(unknown)] },
    ...(missing !== undefined && { missing }),
  };
}

/** Whether a change back led to where the series was before another one, or nearer to it. */
function isRevertOf(later: FollowedChange, { at, before, after }: FollowedChange): boolean {
  return later.at > at && Math.abs(later.after - before) < Math.abs(later.after - after);
}

function nameOf({ series }: FollowedChange): string {
  return seriesText(series);
}

/** As docs/statistics.md says, a value is judged when it has three before it. */
function whyNothingJudged({ judged, ignored, compared }: JudgedResults): string | undefined {
  if (compared > 0) return undefined;
  if (judged > 0)
    return `No history: none of ${counted(judged, 'series', 'series')} has the 3 earlier values that judging needs.`;
  return ignored > 0 ? undefined : 'No values: there was nothing to judge.';
}

const SHOWN = 10;

/** Why a gate could not judge, and what helps; nothing where it could. `home` as it is typed; absent: files are compared. */
export function gateLines({ state, unknown, missing }: Gate, home?: string): readonly string[] {
  if (state !== 'unknown') return [];
  const more = unknown.length - SHOWN;
  const [first = ''] = unknown;
  const directions =
    unknown.length === 0
      ? []
      : [
          `${counted(unknown.length, 'series', 'series')} changed, and it is unknown which direction is good:`,
          ...unknown.slice(0, SHOWN).map((name) => `  ${visible(name)}`),
          ...(more > 0 ? [`  and ${more} more`] : []),
          home === undefined
            ? 'Say it: --better lower|higher'
            : `Declare it: nightmark directions ${shellQuote(home)} ${shellQuote(visible(first))} lower|higher|none`,
        ];
  return [
    'The gate could not judge:',
    ...(missing === undefined ? [] : [missing]),
    ...directions,
    'Exit code 2; --allow-unknown passes all the same.',
  ];
}
