import { cutText } from '../../../core/notices/cut-text.ts';

/** A text for Slack, cut first: "<!channel>", "<@U1>" and links are made of these three characters only. */
export function escapeSlack(text: string, longest: number): string {
  return cutText(text, longest).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The id of a member becomes a mention; any other text stays one. */
export function mentionText(who: string): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(who) ? `<@${who}>` : escapeSlack(who, 100);
}
