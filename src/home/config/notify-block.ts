import { z } from 'zod';
import { duration, plainText, texts, timezone } from '../../platform/config/schema-fields.ts';
import { NOTICE_EVENTS, type NotifyRoute, type QuietHours, SEVERITIES } from '../core/home.ts';

const HOURS = 'hours such as "22:00-07:00"';

const hours = z.string({ error: HOURS }).transform((text, context) => {
  const found = /^\s*(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})\s*$/.exec(text)?.slice(1).map(Number);
  const [fromHour = 99, fromMinute = 99, untilHour = 99, untilMinute = 99] = found ?? [];
  const [from, until] = [fromHour * 60 + fromMinute, untilHour * 60 + untilMinute];
  const isTime = fromMinute < 60 && untilMinute < 60 && from <= DAY && until <= DAY && from !== until;
  if (isTime) return { from, until };
  context.addIssue({ code: 'custom', message: HOURS });
  return z.NEVER;
});

const DAY = 24 * 60;

const exceptions = z.enum([...SEVERITIES, ...NOTICE_EVENTS]);
const EXCEPTIONS = `severities (${SEVERITIES.join(', ')}) or events (${NOTICE_EVENTS.join(', ')}), one or a list`;

/** A night that broke can be repaired while there is time; a change can wait until the morning. */
const USUAL_EXCEPTIONS = ['night-broken'] as const;

/** "22:00-07:00", or a mapping. */
const quiet = z
  .union(
    [
      hours,
      z.strictObject({
        hours: hours.optional().describe('Such as "22:00-07:00"; over midnight where the end is earlier.'),
        timezone: timezone.optional().describe('Default: that of the machine.'),
        weekends: z
          .boolean()
          .optional()
          .meta({ description: 'Saturdays and Sundays are quiet all day.', usual: false }),
        except: z
          .union([exceptions, z.array(exceptions)], { error: EXCEPTIONS })
          .optional()
          .meta({
            description:
              'What is sent all the same: events, or a severity, which stands for itself and all above. `[]`: nothing.',
            usual: USUAL_EXCEPTIONS[0],
          }),
      }),
    ],
    { error: `${HOURS}, or a mapping with hours, timezone, weekends and except` },
  )
  .transform((input): QuietHours => {
    if ('from' in input) return { hours: input, weekends: false, except: USUAL_EXCEPTIONS };
    const { hours: times, timezone: zone, weekends = false, except: given = USUAL_EXCEPTIONS } = input;
    const except = typeof given === 'string' ? [given] : given;
    return {
      ...(times && { hours: times }),
      ...(zone !== undefined && { timezone: zone }),
      weekends,
      except,
    };
  });

const ADDRESS = 'an http or https address without user and password';

/** The public address of a page. */
export const page = z.string({ error: ADDRESS }).refine(isHttp, { error: ADDRESS });

const variable = z
  .string({ error: 'the name of an environment variable' })
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable, not its value' });

const MAIL = 'a plain mail address such as perf@example.org';
const mail = z
  .string({ error: MAIL })
  .regex(/^[^\s\p{Cc}@,;:<>"()[\]\\]+@[^\s\p{Cc}@,;:<>"()[\]\\]+$/u, { error: MAIL });

const CHANNEL = 'the name or the id of a channel such as "#perf"';
const channel = z.string({ error: CHANNEL }).regex(/^[^\s\p{Cc}]+$/u, { error: CHANNEL });

const SERVER = 'a mail server without user and password, such as smtp://mail.example.org:587';
const USUAL = { tries: 3, timeoutMs: 15_000 } as const;

const route = z
  .strictObject({
    name: plainText('a name')
      .optional()
      .describe('For `nightmark notify --test NAME`. Default: `to`, with a number from the second on.'),
    to: z.enum(['slack', 'webhook', 'email']).describe('How.'),
    channel: z
      .union([channel, z.array(channel).min(1)], { error: `${CHANNEL}, or a list of them` })
      .optional()
      .describe('Of Slack, with `token-env`. A text or a list.'),
    'token-env': variable.optional().describe('Environment variable that holds the token of a Slack app.'),
    'webhook-env': variable
      .optional()
      .describe('Environment variable that holds the address of an incoming webhook of Slack.'),
    url: page.optional().describe('Of a webhook.'),
    'url-env': variable.optional().describe('The same where the address is a secret.'),
    'secret-env': variable
      .optional()
      .describe('Environment variable that holds the secret by which a webhook is signed.'),
    address: z
      .union([mail, z.array(mail).min(1)], { error: `${MAIL}, or a list of them` })
      .optional()
      .describe('Who gets e-mail. A text or a list.'),
    from: mail.optional().describe('Who e-mail is from.'),
    server: z
      .string({ error: SERVER })
      .refine(isMailServer, { error: SERVER })
      .optional()
      .describe('smtp://host:587 (STARTTLS) or smtps://host (TLS).'),
    'user-env': variable.optional().describe('Environment variable that holds the user at the mail server.'),
    'password-env': variable.optional().describe('Environment variable that holds the password there.'),
    experiments: texts
      .optional()
      .describe('Patterns of experiments (or names of KPIs), `*` for any characters. Default: everything.'),
    severity: z
      .enum(SEVERITIES)
      .optional()
      .meta({ description: 'At least: info, warning or critical.', usual: 'warning' }),
    on: z
      .union([z.enum(NOTICE_EVENTS), z.array(z.enum(NOTICE_EVENTS))], {
        error: `one of ${NOTICE_EVENTS.join(', ')}, or a list of them`,
      })
      .optional()
      .describe(`Which events: ${NOTICE_EVENTS.join(', ')}. Default: all.`),
    quiet: quiet
      .optional()
      .describe(
        'Quiet hours: "22:00-07:00", or {hours, timezone, weekends, except}. What happens in them comes as one message at their end.',
      ),
    tries: z.int().min(1).max(10).optional().meta({
      description: 'How often a message is tried before it waits for the next time.',
      usual: USUAL.tries,
    }),
    timeout: duration.optional().meta({ description: 'Longest time of one request.', usual: '15s' }),
  })
  .superRefine((input, context) => {
    const need = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (input.to === 'slack') {
      const isHook = input['webhook-env'] !== undefined;
      if (isHook === (input['token-env'] !== undefined))
        need('to', '"slack" with either token-env and channel, or webhook-env');
      else if (!isHook && input.channel === undefined) need('to', '"slack" with a channel beside token-env');
    }
    if (input.to === 'webhook' && (input.url === undefined) === (input['url-env'] === undefined))
      need('to', '"webhook" with either url or url-env');
    if (input.to === 'email') {
      const missing = (['address', 'from', 'server'] as const).filter((key) => input[key] === undefined);
      if (missing.length > 0) need('to', `"email" with ${missing.join(', ')}`);
    }
  });

/** Who is notified of what. */
export const notify = z.array(route, { error: 'a list of routes' }).superRefine((routes, context) => {
  const names = routes.map((_, index) => nameOf(routes, index));
  for (const [index, own] of names.entries()) {
    if (names.indexOf(own) !== index)
      context.addIssue({ code: 'custom', path: [index], message: `a name of its own, "${own}" is taken` });
  }
});

type RouteInput = z.output<typeof route>;

export function toRoutes(routes: readonly RouteInput[]): readonly NotifyRoute[] {
  return routes.map((input, index) => toRoute(input, nameOf(routes, index)));
}

function toRoute(input: RouteInput, name: string): NotifyRoute {
  const { to, from, experiments = [], severity = 'warning', on, tries = USUAL.tries, timeout } = input;
  const url = input.to === 'email' ? input.server : input.url;
  const variables = {
    token: input['token-env'],
    webhook: input['webhook-env'] ?? input['url-env'],
    secret: input['secret-env'],
    user: input['user-env'],
    password: input['password-env'],
  };
  return {
    name,
    to,
    channels: listOf(input.channel),
    addresses: listOf(input.address),
    ...(from !== undefined && { from }),
    ...(url !== undefined && { url }),
    variables: Object.fromEntries(
      Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    experiments,
    severity,
    events: on === undefined ? NOTICE_EVENTS : typeof on === 'string' ? [on] : on,
    ...(input.quiet && { quiet: input.quiet }),
    tries,
    timeoutMs: timeout ?? USUAL.timeoutMs,
  };
}

function nameOf(routes: readonly Pick<RouteInput, 'name' | 'to'>[], index: number): string {
  const { name, to } = routes[index] as Pick<RouteInput, 'name' | 'to'>; // the index is one of theirs
  if (name !== undefined) return name;
  const before = routes.slice(0, index).filter((it) => it.name === undefined && it.to === to).length;
  return before === 0 ? to : `${to}-${before + 1}`;
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function isHttp(text: string): boolean {
  return isPlainAddress(text, /^https?:$/);
}

function isMailServer(text: string): boolean {
  return isPlainAddress(text, /^smtps?:$/) && new URL(text).hostname !== '';
}

function isPlainAddress(text: string, protocols: RegExp): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocols.test(protocol) && username === '' && password === '';
}
