import type { Severity } from '../../../../home/core/home.ts';
import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { Notice } from '../../../core/notices/notice.ts';
import type { OutgoingMessage } from '../../../core/notifier.ts';
import type { SlackMessage } from '../../../core/slack-transport.ts';
import { escapeSlack, mentionText } from './escape.ts';

const COLORS: Readonly<Record<Severity, string>> = {
  critical: '#fa0000',
  warning: '#e8a317',
  info: '#0fbf24',
};

/** Slack cuts a text at 40,000 characters and folds an attachment at 700; a screen is enough. */
const LONGEST = { title: 300, text: 2500, fact: 600 } as const;
const MOST_FACTS = 20;

/** A notice as a message: the headline as its text, all else in one attachment with the colour of its severity. */
export function slackMessage({ notice, kind, earlier }: OutgoingMessage): SlackMessage {
  const { title, severity, project } = notice;
  const headline = escapeSlack(title, LONGEST.title);
  const pings = kind === 'update' ? [] : notice.mentions.map(mentionText);
  return {
    text: [`${escapeSlack(project, 100)}: ${headline}`, pings.join(' ')].filter((it) => it !== '').join('\n'),
    attachments: [attachmentOf(notice, { headline, color: COLORS[severity] })],
    // Nothing in the text is to be understood but the mentions.
    more: { mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false },
    ...(earlier !== undefined && (kind === 'update' ? { replaces: earlier } : { answers: earlier })),
  };
}

function attachmentOf(
  { text, facts, link }: Notice,
  { headline, color }: { readonly headline: string; readonly color: string },
): JsonObject {
  const said = escapeSlack(text, LONGEST.text);
  const fields = facts.slice(0, MOST_FACTS).map(({ name, value }) => ({
    title: escapeSlack(name, 100),
    value: escapeSlack(value, LONGEST.fact),
    short: false,
  }));
  return {
    color,
    fallback: headline,
    ...(link !== undefined && { title: 'See the page', title_link: link }),
    ...(said !== '' && { text: said }),
    ...(fields.length > 0 && { fields }),
    mrkdwn_in: [],
  };
}
