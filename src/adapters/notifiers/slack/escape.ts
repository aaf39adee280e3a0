/** A text for Slack, cut first: "<!channel>", "<@U1>" and links are made of these three characters only. */
export function escapeSlack(text: string, longest: number): string {
  return cut(text, longest).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The id of a member becomes a mention; any other text stays one. */
export function mentionText(who: string): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(who) ? `<@${who}>` : escapeSlack(who, 100);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Not between the halves of a character.
  return `${text.slice(0, longest - 6).replace(/[\ud800-\udbff]$/, '')} [...]`;
}
