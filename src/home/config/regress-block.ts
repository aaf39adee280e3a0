import { z } from 'zod';
import { texts } from '../../platform/config/schema-fields.ts';
import type { AlarmBudget, ConfirmRules, RegressRules } from '../core/home.ts';

const PERCENT = 'a percentage such as 1% or 0.5%';

/** "1%" -> 0.01 */
export const percent = z.string({ error: PERCENT }).transform((text, context) => {
  const number = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1];
  if (number !== undefined) return Number(number) / 100;
  context.addIssue({ code: 'custom', message: PERCENT });
  return z.NEVER;
});

const BUDGET = 'a number of alarms in a time, such as "1 per week" or "2 per 10 days"';
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** "1 per week" -> { count: 1, days: 7 }; undefined for any other text. */
export function parseBudget(text: string): AlarmBudget | undefined {
  const parts = /^\s*(\d+(?:\.\d+)?)\s+(?:per|a|an|in|every)\s+(?:(\d+)\s+)?(day|week|month|year)s?\s*$/.exec(
    text,
  );
  const [count, times, days] = [Number(parts?.[1]), Number(parts?.[2] ?? 1), DAYS[parts?.[3] ?? ''] ?? 0];
  return parts && count > 0 && times > 0 ? { count, days: times * days } : undefined;
}

const budget = z.string({ error: BUDGET }).transform((text, context): AlarmBudget => {
  const parsed = parseBudget(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: BUDGET });
  return z.NEVER;
});

const amount = (most: number, meaning: string) =>
  z.number().int().min(1).max(most).optional().describe(meaning);

function withoutUndefined({ duets, minutes }: { duets?: number | undefined; minutes?: number | undefined }) {
  return { ...(duets !== undefined && { duets }), ...(minutes !== undefined && { minutes }) };
}

/** What counts as a change; what is not written is as the detector has it. */
export const regress = z.strictObject({
  'min-effect': percent
    .optional()
    .describe(
      'The smallest change of interest, relative to the level before: no alarm unless a change is surely beyond it. Default: whatever is certain.',
    ),
  'min-difference': z
    .number()
    .positive()
    .optional()
    .describe('The same in the unit of the values; a change must be beyond both.'),
  'or-likely': z
    .boolean()
    .optional()
    .describe('What is probably beyond `min-effect` raises an alarm too. Default: false.'),
  budget: budget
    .optional()
    .describe('How many false alarms by newest values are bearable, such as `1 per week`.'),
  confirm: z
    .union(
      [
        z.boolean(),
        z.strictObject({
          duets: amount(20, 'No more than these after a night; default 2.'),
          minutes: amount(24 * 60, 'For all of them together; default 15.'),
        }),
      ],
      {
        error: 'true, false or a mapping of duets and minutes',
      },
    )
    .optional()
    .transform((value) => (typeof value === 'object' ? withoutUndefined(value) : value))
    .describe(
      'After a night, measure the commits of new regressions again by duets: `true`, or how many `duets` in how many `minutes` (2 and 15). Of a home: for all its experiments together; of an experiment: for it alone, in place of that. Default: false.',
    ),
  ignore: texts
    .optional()
    .describe('Series that are not judged: patterns over path or KPI, such as `cpu/*` or `sort/gc*`.'),
});

/** Two duets of a quarter of an hour together: enough for a night with news, and over before people come. */
const CONFIRM_DEFAULTS: ConfirmRules = { duets: 2, minutes: 15 };

function confirmOf(
  input: RegressInput['confirm'],
  common: ConfirmRules | undefined,
): ConfirmRules | undefined {
  if (input === undefined) return common;
  if (input === false) return undefined;
  return input === true ? CONFIRM_DEFAULTS : { ...CONFIRM_DEFAULTS, ...input };
}

type RegressInput = z.output<typeof regress>;

/** Rules of the experiment before those of the home. What is ignored adds up. */
export function toRegress(
  own: RegressInput | undefined,
  common: RegressRules = {},
): RegressRules | undefined {
  if (own === undefined) return undefined;
  const { budget: alarms = common.budget } = own;
  const minEffect = own['min-effect'] ?? common.minEffect;
  const minDifference = own['min-difference'] ?? common.minDifference;
  const orLikely = own['or-likely'] ?? common.orLikely;
  const ignore = [...(common.ignore ?? []), ...(own.ignore ?? [])];
  const confirm = confirmOf(own.confirm, common.confirm);
  return {
    ...(confirm && { confirm }),
    ...(minEffect !== undefined && { minEffect }),
    ...(minDifference !== undefined && { minDifference }),
    ...(orLikely !== undefined && { orLikely }),
    ...(alarms !== undefined && { budget: alarms }),
    ...(ignore.length > 0 && { ignore }),
  };
}
