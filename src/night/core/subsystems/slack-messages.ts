import type { Deadline } from '../../../home/core/subsystem-config.ts';
import { pythonFixed } from '../../../platform/core/python/python-format.ts';
import { type JsonObject, type JsonValue, texts } from '../../../platform/core/text/json.ts';
import { cutText } from '../../../publish/core/notices/notice.ts';
import type { SlackMessage } from '../../../publish/core/notices/notifier.ts';

/** How an experiment ended, for the message about all of them. */
export type ExperimentOutcome =
  | { readonly state: 'inactive' | 'skipped'; readonly title: string }
  | ExperimentFailure
  | {
      readonly state: 'succeeded';
      /** Of the summary. */
      readonly title: string;
      readonly value: string;
      readonly duration: string;
    };

export interface ExperimentFailure {
  readonly state: 'failed';
  readonly title: string;
  readonly stage: string;
  readonly message: string;
  /** Absent: it did not come to a run. */
  readonly duration?: string;
  /** Absent: its configuration has none; an empty list is shown as one. */
  readonly notify?: readonly string[];
}

export interface ExperimentMessageParts {
  readonly description: string;
  readonly outcomes: readonly ExperimentOutcome[];
  /** Titles of those whose graphs could not be drawn. */
  readonly unvisualized: readonly string[];
}

const MAX_SUMMARY_LENGTH = 280;

/** The results of a night, also where there are none. */
export function experimentMessage({
  description,
  outcomes,
  unvisualized,
}: ExperimentMessageParts): SlackMessage {
  const titles = (state: 'inactive' | 'skipped') =>
    outcomes.filter((it) => it.state === state).map(({ title }) => title);
  const attachments: JsonObject[] = [];
  const good = outcomes.flatMap((it) =>
    it.state === 'succeeded' ? [field(`_Duration: ${it.duration}_\n\n${it.value}`, it.title)] : [],
  );
  const bad = outcomes.flatMap((it) => (it.state === 'failed' ? [failureField(it)] : []));
  if (good.length > 0) attachments.push(attachment({ title: 'Successful benchmarks', fields: good }));
  if (bad.length > 0) attachments.push(attachment({ color: RED, title: 'Failed benchmarks', fields: bad }));
  const lists = [
    { color: GREY, title: 'Inactive benchmarks', names: titles('inactive') },
    { color: GREY, title: 'Skipped benchmarks', names: titles('skipped') },
    { color: RED, title: 'Failed to Visualize', names: unvisualized },
  ];
  for (const { color, title, names } of lists) {
    if (names.length > 0) attachments.push(attachment({ color, title, text: names.join(', ') }));
  }
  const text = `*Dashboard Results*${description === '' ? '' : `\n${harmless(description)}`}`;
  return { text, attachments };
}

function failureField({ title, stage, message, duration, notify }: ExperimentFailure): JsonObject {
  const lines = [`Failed at stage ${stage}:`, shorten(message, MAX_SUMMARY_LENGTH)];
  if (duration !== undefined) lines.push(`Time to failure: ${duration}`);
  if (notify !== undefined) lines.push(`ATTN: ${pings(notify)}`);
  return field(lines.join('\n'), title);
}

/** The report of a subsystem, or that it failed. */
export type SubsystemOutcome =
  | { readonly state: 'reported'; readonly title: string; readonly value: string }
  | { readonly state: 'failed'; readonly name: string; readonly message: string }
  /** Its report.json cannot be used. */
  | { readonly state: 'malformed'; readonly name: string };

const MAX_REPORT_LENGTH = 280;

/** The reports of the other subsystems; undefined when there are none. */
export function subsystemMessage(outcomes: readonly SubsystemOutcome[]): SlackMessage | undefined {
  const reports = outcomes.flatMap((it) => (it.state === 'reported' ? [field(it.value, it.title)] : []));
  const failures = outcomes.flatMap((it) =>
    it.state === 'failed'
      ? [field(`Failed to run:\n${shorten(it.message, MAX_REPORT_LENGTH)}`, it.name)]
      : [],
  );
  const malformed = outcomes.flatMap((it) => (it.state === 'malformed' ? [it.name] : []));
  const attachments: JsonObject[] = [];
  if (reports.length > 0) attachments.push(attachment({ title: 'Reports', fields: reports }));
  if (failures.length + malformed.length > 0) {
    const text = malformed.length === 0 ? '' : `Failed to parse reports: ${malformed.join(', ')}`;
    attachments.push(attachment({ color: RED, title: 'Errors', fields: failures, text }));
  }
  return attachments.length === 0 ? undefined : { text: 'Subsystem Results', attachments };
}

const DAY_SECONDS = 86_400;
/** So many whole days before, a deadline is red and its people are notified. */
const ALERT_DAYS = 7;

/** The message about deadlines to come, the current time included; undefined where there are none. */
export function deadlineMessage(deadlines: readonly Deadline[], now: number): SlackMessage | undefined {
  const attachments = deadlines.filter(({ at }) => at >= now).map((deadline) => attachmentOf(deadline, now));
  return attachments.length === 0 ? undefined : { text: '*Upcoming Deadlines*', attachments };
}

function attachmentOf({ name, date, at, ping }: Deadline, now: number) {
  const seconds = Math.floor((at - now) / 1000);
  const days = Math.floor(seconds / DAY_SECONDS);
  const hours = pythonFixed((seconds - days * DAY_SECONDS) / 3600, 2);
  const isNear = days <= ALERT_DAYS;
  const left = field(`${days} days, ${hours} hours left`);
  return attachment({
    color: isNear ? RED : GREEN,
    title: name,
    fields: isNear && ping.length > 0 ? [left, field(`Beware ${pings(ping)}!`)] : [left],
    text: `Deadline: ${date}`,
  });
}

const BLACK = '#000000';
const RED = '#fa0000';
const GREEN = '#0fbf24';
const GREY = '#616161';

export interface AttachmentParts {
  readonly color?: string;
  readonly title?: string;
  readonly fields?: readonly JsonObject[];
  readonly text?: string;
}

/** Slack takes a hundred and refuses the whole message beyond. */
const MOST_FIELDS = 99;
const MAX_SECTION_LENGTH = 3000;

/** The keys in the order of the old messages; what is empty is left out. */
export function attachment({
  color = BLACK,
  title = '',
  fields = [],
  text = '',
}: AttachmentParts): JsonObject {
  const left = fields.length - MOST_FIELDS;
  const shown = left > 0 ? [...fields.slice(0, MOST_FIELDS), field(`and ${left} more`)] : fields;
  return {
    color,
    ...(title !== '' && { title: harmless(title) }),
    ...(shown.length > 0 && { fields: shown }),
    ...(text !== '' && { text: harmless(text) }),
  };
}

export function field(value: string, title = ''): JsonObject {
  return { value: harmless(value), short: false, ...(title !== '' && { title: harmless(title) }) };
}

/** "<@U1>, <@U2>": Slack notifies them. */
export function pings(who: readonly string[]): string {
  return who.map((id) => `<@${id.replace(/[^\w.-]/gu, '')}>`).join(', ');
}

/**
 * Escapes a text so that only mentions of people notify: "<!channel>" in the output of a benchmark stays text. Links, and
 * what was escaped already, stay.
 */
export function harmless(text: string): string {
  return cutText(text, MAX_SECTION_LENGTH).replace(MEANT, (found) => ESCAPED[found] ?? found);
}

const MEANT = /<@[\w.-]*>|<https?:\/\/[^<>\s]+>|&(?:amp|lt|gt);|[&<>]/g;
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const SIGN = ' [...]';

/**
 * Words on one line, as many as fit with the sign that some were left out, as Python's textwrap.shorten. It may
 * also part "some-words" after the hyphen. A single word that is too long is cut inside, where Python leaves nothing of it.
 */
export function shorten(text: string, longest: number): string {
  const line = text.split(/\s+/u).filter(Boolean).join(' ');
  if (sizeOf(line) <= longest) return line;
  const room = longest - SIGN.length;
  let kept = '';
  for (const piece of line.split(BREAKS)) {
    if (sizeOf(kept + piece) > room) break;
    kept += piece;
  }
  const words = kept.trimEnd();
  return `${words === '' ? [...line].slice(0, room).join('') : words}${SIGN}`;
}

/** Before blanks, and after the hyphen between two words. */
const BREAKS = /(?= )|(?<=[\p{L}]-)(?=[\p{L}]{2})/u;

/** Python counts characters, not UTF-16 units. */
function sizeOf(text: string): number {
  return [...text].length;
}

/** Where a subsystem posts: by a token to channels, by the webhook of the older fields, or nowhere. */
export type SlackConfig =
  | { readonly type: 'token'; readonly token: string; readonly channels: readonly string[] }
  | { readonly type: 'webhook'; readonly url: string }
  | { readonly type: 'missing'; readonly message: string };

/** The fields of both eras. `slack_client_token_env` and `webhook_url_env` name variables that hold the secret instead. */
export function readSlackConfig(config: JsonObject, env: Readonly<Record<string, string>>): SlackConfig {
  const secret = (name: string) => text(config[name]) ?? env[text(config[`${name}_env`]) ?? ''] ?? '';
  const [token, url, channels] = [
    secret('slack_client_token'),
    secret('webhook_url'),
    texts(config['channel_id']),
  ];
  if (token !== '' && channels.length > 0) return { type: 'token', token, channels };
  if (url !== '') return { type: 'webhook', url };
  if (channels.length === 0) return { type: 'missing', message: 'No channel token given' };
  const variable = text(config['slack_client_token_env']);
  const why = variable === undefined ? '' : `: ${variable} is not set in the environment`;
  return { type: 'missing', message: `No client token given${why}` };
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
