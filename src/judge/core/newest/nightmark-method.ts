import type { Better } from '../../../home/core/changes/change.ts';
import { findChanges } from '../levels/find-changes.ts';
import type { ChangeOptions } from '../levels/options.ts';
import type { RegressionMethod } from '../regression/method.ts';
import { judgeNewest, NEWEST_DEFAULTS, type NewestOptions } from './judge-newest.ts';

export interface NightmarkMethodOptions {
  readonly newest?: Partial<NewestOptions>;
  readonly changes?: Partial<ChangeOptions>;
}

/** Values before the judged one that are looked at: a verdict costs the same, however long the history. */
const WINDOW = 200;

/** The judge of this program as one of the named methods: level by the detector, then the newest value against it. */
export function nightmarkMethod({
  newest = {},
  changes = {},
}: NightmarkMethodOptions = {}): RegressionMethod {
  const { falseAlarms } = { ...NEWEST_DEFAULTS, ...newest };
  return {
    name: 'nightmark',
    judge(history, current, { lowerBetter }) {
      const level = levelBefore(history.subarray(-WINDOW), changes);
      const better: Better = lowerBetter === undefined ? 'unknown' : lowerBetter ? 'lower' : 'higher';
      const found = judgeNewest({ history: level, newest: Float64Array.of(current), better }, newest);
      const { verdict, p, shift } = found;
      return {
        // Undecided is an answer: there is no alarm. Without any p there was nothing to judge by.
        accepted: p === undefined ? undefined : verdict !== 'slower' && verdict !== 'changed',
        ...(p === undefined ? {} : { p, rating: Math.log(Math.max(p, 1e-300)) / Math.log(falseAlarms) }),
        ...(verdict === 'slower' || verdict === 'faster' ? { improved: verdict === 'faster' } : {}),
        description: [verdict, ...found.notes].join('. '),
        details: {
          history: found.history,
          ...(p === undefined ? {} : { p }),
          ...(shift === undefined ? {} : { difference: shift.difference, low: shift.low, high: shift.high }),
        },
      };
    },
  };
}

/** The values of the present level. */
function levelBefore(history: Float64Array, options: Partial<ChangeOptions>): Float64Array {
  const start = findChanges({ values: history }, options).levels.at(-1)?.start ?? 0;
  return history.subarray(start);
}
