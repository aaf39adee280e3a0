import { z } from 'zod';
import { DURATION, LONGEST_TIMEOUT_MS, parseDuration } from './durations-and-sizes.ts';

/**
 * Fields that both dialects have. Convention: the text of a custom error says what was expected
 * ("a duration ..."); issues.ts makes the sentence with field, place and value of it.
 */

export const STAGES = ['source', 'setup', 'run', 'analyze', 'visualize', 'summarize'] as const;

/** A text for paths and commands: not empty, and without NUL, which no system call takes. */
export function plainText(expected: string) {
  return z.string({ error: expected }).refine((text) => text !== '' && !text.includes('\0'), {
    error: `${expected}, not empty and without NUL`,
  });
}

/** A text with a unit -> milliseconds. */
export const duration = z.string({ error: DURATION }).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: DURATION });
  return z.NEVER;
});

/** A number of seconds (the dashboard's habit) or a text with a unit -> milliseconds. */
export const secondsOrDuration = z
  .union([z.number().positive(), z.string()], { error: `seconds above 0, or ${DURATION}` })
  .transform((value, context) => {
    const ms = typeof value === 'number' ? Math.round(value * 1000) : parseDuration(value);
    if (ms !== undefined && ms > 0) return ms;
    context.addIssue({ code: 'custom', message: `seconds above 0, or ${DURATION}` });
    return z.NEVER;
  });

/** What a `timeout` says: milliseconds, or that there is no limit. */
export type Limit = number | 'none';

function limitOf<T extends z.ZodType<number>>(time: T) {
  return z
    .union([z.literal('none'), time], { error: `${DURATION}, or "none"` })
    .refine((limit) => limit === 'none' || limit <= LONGEST_TIMEOUT_MS, {
      error: 'a timeout of at most 24d, or "none"',
    });
}

/** One limit for all stages, or one per stage. */
export function timeoutOf<T extends z.ZodType<number>>(time: T) {
  const limit = limitOf(time);
  const perStage = z.strictObject(
    Object.fromEntries(
      STAGES.map((stage) => [stage, limit.optional().describe(`Of the ${stage} stage.`)]),
    ) as Record<(typeof STAGES)[number], z.ZodOptional<typeof limit>>,
  );
  return z.union([limit, perStage], {
    error: `${DURATION}, "none", or a mapping of stages (${STAGES.join(', ')}) to those`,
  });
}

export const retries = z.int().min(0).max(100);
export const seed = z
  .int()
  .min(0)
  .max(2 ** 32 - 1);

const ENV_VALUE = 'a text, a number, true or false';

/** Environment variables; numbers and switches become their text. */
export const env = z
  .record(
    z.string(),
    z
      .union([z.string(), z.number(), z.boolean()], { error: ENV_VALUE })
      .transform(String)
      .refine((text) => !text.includes('\0'), { error: 'a text without NUL characters' }),
  )
  .superRefine((variables, context) => {
    for (const name of Object.keys(variables)) {
      if (name !== '' && !/[=\0]/.test(name)) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'a variable name without "=" and NUL' });
    }
  });

/** One text, or a list of texts. */
export const texts = z
  .union([z.string(), z.array(z.string())], { error: 'a text or a list of texts' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

/** Only the form of a cron expression; the timetable decides whether its times exist. */
export const cron = z.string().refine((text) => [5, 6].includes(text.trim().split(/\s+/).length), {
  error: 'a cron expression with five fields, such as "0 2 * * *"',
});

export const timezone = z.string().refine(isTimezone, { error: 'a time zone such as Europe/Berlin or UTC' });

/** "30d", or {count, age} (keep is an alias of count). */
function keepRuleOf<T extends z.ZodType<number>>(time: T) {
  const count = z.int().min(1);
  return z.union(
    [
      time,
      z.strictObject({
        count: count.optional().describe('The newest so many are kept.'),
        keep: count.optional().describe('Alias of `count`.'),
        age: time.optional().describe('Older ones are removed.'),
      }),
    ],
    { error: `${DURATION}, or a mapping with count (a whole number above 0) and age` },
  );
}

export function retentionOf<T extends z.ZodType<number>>(time: T) {
  const rule = keepRuleOf(time).optional();
  return z.strictObject({
    backups: rule.describe('Backups of the home.'),
    raw: rule.describe('Archives of raw data.'),
    logs: rule.describe('Logs and journals of nights.'),
  });
}

export const backups = z.strictObject({
  before: z.boolean().optional().meta({ description: 'Back up the home before each night.', usual: true }),
  after: z.boolean().optional().meta({ description: 'Back up the home after each night.', usual: true }),
});

export type KeepRuleInput = z.output<ReturnType<typeof keepRuleOf<typeof duration>>>;
export type TimeoutInput = z.output<ReturnType<typeof timeoutOf<typeof duration>>>;
export type BackupsInput = z.output<typeof backups>;
export type RetentionInput = z.output<ReturnType<typeof retentionOf<typeof duration>>>;

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
