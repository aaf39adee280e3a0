import { z } from 'zod';

const PERCENT = 'a percentage such as 1% or 0.5%';

/** "1%" -> 0.01 */
export const percent = z.string({ error: PERCENT }).transform((text, context) => {
  const number = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1];
  if (number !== undefined) return Number(number) / 100;
  context.addIssue({ code: 'custom', message: PERCENT });
  return z.NEVER;
});
