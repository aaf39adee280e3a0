import { z } from 'zod';
import { DEFAULT_SITE_SIZE, parseSize } from '../../platform/config/durations-and-sizes.ts';
import { plainText } from '../../platform/config/schema-fields.ts';
import type { PublishTarget } from '../core/home.ts';

const SCHEMES = 'dir:PATH, git:REMOTE#BRANCH, s3://BUCKET/PATH or rsync:HOST:PATH';
const USUAL_TRIES = 3;
const SIZE = 'a size such as 500MB or 2GB';

/** A user in an ssh address is a name; in all others it may be a token, and a password is one everywhere. */
const HAS_SECRET = /:\/\/[^\s/@]*:[^\s/@]*@|https?:\/\/[^\s/@]*@/i;

const to = plainText(SCHEMES)
  .refine((text) => /^(?:dir|git|s3|rsync):./s.test(text), { error: SCHEMES })
  .refine((text) => !HAS_SECRET.test(text), {
    error: 'a target without user and password: those come from the environment or a credential helper',
  });

const size = z.string({ error: SIZE }).transform((text, context) => {
  // A number without a unit is ambiguous.
  const bytes = /[a-z]/i.test(text) ? parseSize(text) : undefined;
  if (bytes !== undefined) return bytes;
  context.addIssue({ code: 'custom', message: SIZE });
  return z.NEVER;
});

const target = z.strictObject({
  to: to.describe(`Where: ${SCHEMES}. A path is relative to this file.`),
  on: z.enum(['every night', 'good nights']).optional().meta({
    description:
      'After which nights: every one (after a broken one the earlier site stays, with a note), or only those in which nothing failed.',
    usual: 'every night',
  }),
  'max-size': size.optional().meta({
    description: 'Room for graphs and data files; the oldest nights are left out first.',
    usual: DEFAULT_SITE_SIZE,
  }),
  'write-old': z
    .boolean()
    .optional()
    .meta({ description: 'Also write the files of older pages, below resources/.', usual: false }),
  tries: z.int().min(1).max(10).optional().meta({
    description:
      'How often an unavailable target is tried after a night, with growing pauses; then the next night tries again.',
    usual: USUAL_TRIES,
  }),
});

/** Where the pages go after a night. */
export const publish = z
  .array(z.union([to, target], { error: `${SCHEMES}, or a mapping with to` }), {
    error: 'a list of targets',
  })
  .superRefine((targets, context) => {
    const places = targets.map((it) => (typeof it === 'string' ? it : it.to));
    for (const [index, place] of places.entries()) {
      if (places.indexOf(place) !== index)
        context.addIssue({
          code: 'custom',
          path: [index],
          message: 'a target of its own, this one is taken',
        });
    }
  });

export function toTargets(targets: z.output<typeof publish>): readonly PublishTarget[] {
  return targets.map((input) => {
    const given = typeof input === 'string' ? { to: input } : input;
    return {
      to: given.to,
      on: given.on ?? 'every night',
      maxBytes: given['max-size'] ?? (parseSize(DEFAULT_SITE_SIZE) as number), // our own text
      writesOld: given['write-old'] ?? false,
      tries: given.tries ?? USUAL_TRIES,
    };
  });
}
