import type { Severity } from '../../../../home/core/home.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import { cutText, type Notice } from '../../../core/notices/notice.ts';
import type {
  Notifier,
  NotifyPlace,
  OutgoingMessage,
  SlackMessage,
  SlackTransport,
} from '../../../core/notices/notifier.ts';
import { slackCall, slackTransport } from './slack-api.ts';

/** Slack by a token (changes messages, answers below them, uploads pictures) or by an incoming webhook. */
const slack: Notifier = {
  id: 'slack',
  title: 'Slack',
  open(place) {
    const hasApi = place.secrets.webhook === undefined;
    let transport: SlackTransport | undefined;
    const open = () => {
      transport ??= slackTransport(place);
      return transport;
    };
    return {
      supports: { updates: hasApi, threads: hasApi, images: hasApi },
      preview: (message) => preview(message, place, hasApi),
      send: (message, signal) => open().post(slackMessage(message), signal),
      ...(hasApi && { attach: (receipt, picture, signal) => open().upload(receipt, picture, signal) }),
    };
  },
};

function preview(message: OutgoingMessage, { channel = '' }: NotifyPlace, isApi: boolean) {
  const made = slackMessage(message);
  if (!isApi) {
    const { text, attachments } = made;
    return { to: 'Slack, the channel of the webhook', body: JSON.stringify({ text, attachments }, null, 2) };
  }
  const { method, body } = slackCall(made, channel);
  return { to: `Slack ${channel}, ${method}`, body: JSON.stringify(body, null, 2) };
}

export default slack;

const COLORS: Readonly<Record<Severity, string>> = {
  critical: '#fa0000',
  warning: '#e8a317',
  info: '#0fbf24',
};

/** Slack cuts a text at 40,000 characters and folds an attachment at 700; a screen is enough. */
const LONGEST = { title: 300, text: 2500, fact: 600 } as const;
const MOST_FACTS = 20;

/** A notice as a message: the headline as its text, all else in one attachment with the colour of its severity. */
function slackMessage({ notice, kind, earlier }: OutgoingMessage): SlackMessage {
  const { title, severity, project } = notice;
  const headline = escapeSlack(title, LONGEST.title);
  const pings = kind === 'update' ? [] : notice.mentions.map(mentionText);
  return {
    text: [`${escapeSlack(project, 100)}: ${headline}`, pings.join(' ')].filter((it) => it !== '').join('\n'),
    attachments: [attachmentOf(notice, { headline, color: COLORS[severity] })],
    // Only the mentions are markup: nothing in the text is interpreted.
    more: { mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false },
    ...(earlier !== undefined && (kind === 'update' ? { replaces: earlier } : { answers: earlier })),
  };
}

function attachmentOf(
  { text, facts, link }: Notice,
  { headline, color }: { readonly headline: string; readonly color: string },
): JsonObject {
  const body = escapeSlack(text, LONGEST.text);
  const fields = facts.slice(0, MOST_FACTS).map(({ name, value }) => ({
    title: escapeSlack(name, 100),
    value: escapeSlack(value, LONGEST.fact),
    short: false,
  }));
  return {
    color,
    fallback: headline,
    ...(link !== undefined && { title: 'See the page', title_link: link }),
    ...(body !== '' && { text: body }),
    ...(fields.length > 0 && { fields }),
    mrkdwn_in: [],
  };
}

/** A text for Slack, cut first: "<!channel>", "<@U1>" and links are made of these three characters only. */
function escapeSlack(text: string, longest: number): string {
  return cutText(text, longest).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The id of a member becomes a mention; any other text stays text. */
function mentionText(who: string): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(who) ? `<@${who}>` : escapeSlack(who, 100);
}
