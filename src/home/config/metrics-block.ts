import { z } from 'zod';
import { parseSize } from '../../platform/config/durations-and-sizes.ts';
import { duration, plainText } from '../../platform/config/schema-fields.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import type { ForwardTarget, HomeMetrics, MetricsRetention, UdpRules } from '../core/home.ts';

const SIZE = 'a size such as 512MB or 2GB';
const USUAL_BUFFER = 512 * 1024 ** 2;

/** "512MB" -> bytes */
const size = z.string({ error: SIZE }).transform((text, context) => {
  // A number without a unit is ambiguous.
  const bytes = /[a-z]/i.test(text) ? parseSize(text) : undefined;
  if (bytes !== undefined) return bytes;
  context.addIssue({ code: 'custom', message: SIZE });
  return z.NEVER;
});

const ADDRESS = 'an http or https address without user and password';
const address = z.string({ error: ADDRESS }).refine(isAddress, { error: ADDRESS });

const NAME = 'a name that a folder can have';
const name = z.string({ error: NAME }).refine((text) => whyInvalidName(text) === undefined, { error: NAME });

const PATTERNS = 'a pattern such as loss*, or a list of them';
const patterns = z
  .union([z.string(), z.array(z.string())], { error: PATTERNS })
  .transform((value) => (typeof value === 'string' ? [value] : value));

const variable = plainText('the name of an environment variable');

const target = z.strictObject({
  name: name.optional().describe('Names its buffer and its counters. Default: host and port of the address.'),
  to: z
    .enum(['influx', 'prometheus'])
    .describe('How: influx (InfluxDB, VictoriaMetrics) or prometheus (remote write).'),
  url: address.describe('Where: http://influx:8086, or http://prometheus:9090/api/v1/write'),
  database: plainText('a name').optional().describe('For influx. Default: the database that points came to.'),
  only: z
    .strictObject({
      databases: patterns.optional().describe('Patterns of databases.'),
      measurements: patterns.optional().describe('Patterns of measurements.'),
      tags: z.record(z.string(), patterns).optional().describe('Patterns of values by tag; all must fit.'),
    })
    .optional()
    .describe('What is mirrored, `*` for any characters. Default: all.'),
  buffer: size.optional().meta({
    description: 'Space on disk for points while the target is unavailable; the oldest are dropped first.',
    usual: '512MB',
  }),
  'user-env': variable.optional().describe('Environment variable that holds the user.'),
  'password-env': variable.optional().describe('Environment variable that holds the password.'),
  'token-env': variable.optional().describe('Environment variable that holds a token.'),
});

const retention = z
  .strictObject({
    raw: duration.describe('How long values are kept as they came.'),
    minutes: duration
      .optional()
      .describe('How long they are kept as summaries of a minute. Default: for ever.'),
    hours: duration
      .optional()
      .describe('How long they are kept as summaries of an hour; then they go. Default: for ever.'),
  })
  .superRefine(({ raw, minutes, hours }, context) => {
    const late = (key: string, earlier: string) =>
      context.addIssue({ code: 'custom', path: [key], message: `an age above that of "${earlier}"` });
    if (minutes !== undefined && minutes <= raw) late('minutes', 'raw');
    if (hours !== undefined && minutes === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['hours'],
        message: 'an age beside that of "minutes", which is missing',
      });
    } else if (hours !== undefined && hours <= (minutes ?? 0)) late('hours', 'minutes');
  });

const udp = z.strictObject({
  port: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .meta({ description: 'Port for points in UDP packets; 0: none.', usual: 8092 }),
  database: plainText('a name')
    .optional()
    .meta({ description: 'Where points of packets go; it is created.', usual: 'nightmark' }),
  strict: z
    .boolean()
    .optional()
    .meta({ description: 'One bad line refuses its whole packet.', usual: false }),
});

/** Live metrics of the home. */
export const metrics = z.strictObject({
  store: z.enum(['sqlite', 'postgres']).optional().meta({
    description:
      'Where points are stored: in the home, or in the database that NIGHTMARK_POSTGRES_URL names.',
    usual: 'sqlite',
  }),
  retention: retention
    .optional()
    .describe('How long points are kept, all ages from now. Default: all, for ever.'),
  udp: udp.optional().describe('Points in UDP packets. Options of `nightmark serve` go before these keys.'),
  'keep-not-finite': z
    .boolean()
    .optional()
    .meta({ description: 'Store nan and inf instead of refusing them.', usual: false }),
  forward: z
    .array(target)
    .superRefine((targets, context) => {
      const names = targets.map(nameOf);
      for (const [index, own] of names.entries()) {
        if (names.indexOf(own) === index) continue;
        context.addIssue({ code: 'custom', path: [index], message: `a name of its own, "${own}" is taken` });
      }
    })
    .optional()
    .describe('Systems to which points are mirrored.'),
});

type TargetInput = z.output<typeof target>;

export function toMetrics(input: z.output<typeof metrics> | undefined): HomeMetrics | undefined {
  if (input === undefined) return undefined;
  const { store = 'sqlite', forward = [], retention: ages, udp: packets } = input;
  const keepsNotFinite = input['keep-not-finite'];
  return {
    store,
    forward: forward.map(toTarget),
    ...(ages && { retention: toRetention(ages) }),
    ...(packets && { udp: toUdpRules(packets) }),
    ...(keepsNotFinite !== undefined && { keepsNotFinite }),
  };
}

function toRetention({ raw, minutes, hours }: z.output<typeof retention>): MetricsRetention {
  return {
    rawMs: raw,
    ...(minutes !== undefined && { minutesMs: minutes }),
    ...(hours !== undefined && { hoursMs: hours }),
  };
}

function toUdpRules({ port, database, strict }: z.output<typeof udp>): UdpRules {
  return {
    ...(port !== undefined && { port }),
    ...(database !== undefined && { database }),
    ...(strict !== undefined && { isStrict: strict }),
  };
}

function toTarget(input: TargetInput): ForwardTarget {
  const { to, url, database, only = {}, buffer = USUAL_BUFFER } = input;
  const { databases, measurements, tags } = only;
  const variables = {
    userEnv: input['user-env'],
    passwordEnv: input['password-env'],
    tokenEnv: input['token-env'],
  };
  return {
    name: nameOf(input),
    to,
    url,
    ...(database !== undefined && { database }),
    only: { ...(databases && { databases }), ...(measurements && { measurements }), ...(tags && { tags }) },
    bufferBytes: buffer,
    ...(Object.fromEntries(Object.entries(variables).filter(([, text]) => text !== undefined)) as Partial<
      Record<keyof typeof variables, string>
    >),
  };
}

/** The address was checked: it has a host. */
function nameOf({ name: own, url }: Pick<TargetInput, 'name' | 'url'>): string {
  return own ?? (URL.canParse(url) ? new URL(url).host.replace(/[^a-zA-Z0-9.-]/g, '-') : url);
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
