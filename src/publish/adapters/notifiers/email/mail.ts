import { textHash } from '../../../../platform/core/text/change-hash.ts';
import { visible } from '../../../../platform/core/text/terminal-text.ts';
import { cutText } from '../../../core/notices/cut-text.ts';
import type { Notice } from '../../../core/notices/notice.ts';
import type { OutgoingMessage } from '../../../core/notifier.ts';

export interface Correspondents {
  readonly from: string;
  readonly to: readonly string[];
}

const LONGEST = { subject: 180, text: 50_000 } as const;

/** A notice as a mail of plain text, with its charts beside it. */
export function mailOf({ notice, earlier, pictures }: OutgoingMessage, { from, to }: Correspondents) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const { topic, state, at, project, title } = notice;
  return {
    from: { name: 'Nightmark', address: from },
    to: to.map((address) => ({ name: '', address })),
    // One line, whatever is in a title: no header can begin in it.
    subject: cutText(visible(`[${project}] ${title}`), LONGEST.subject),
    text: bodyOf(notice),
    // The same notice has the same id: a mail that arrives twice is shown once.
    messageId: `<${textHash(JSON.stringify([topic, state, at, title, to]))}.${at}@${domain}>`,
    date: new Date(at),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Nightmark-Severity': notice.severity },
    ...(earlier !== undefined && { inReplyTo: earlier, references: [earlier] }),
    attachments: pictures.map(({ name, png }) => ({
      filename: name,
      content: Buffer.from(png),
      contentType: 'image/png',
    })),
  };
}

function bodyOf({ title, text, facts, link, mentions }: Notice): string {
  const parts = [
    title,
    text,
    facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    mentions.length === 0 ? '' : `To look at it: ${mentions.map(visible).join(', ')}`,
    link ?? '',
  ];
  return `${cutText(parts.filter((part) => part !== '').join('\n\n'), LONGEST.text)}\n`;
}
