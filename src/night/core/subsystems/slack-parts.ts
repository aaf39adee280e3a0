import type { JsonObject } from '../../../platform/core/text/json.ts';
import { cutText } from '../../../publish/core/notices/notice.ts';

export const BLACK = '#000000';
export const RED = '#fa0000';
export const GREEN = '#0fbf24';
export const GREY = '#616161';

export interface AttachmentParts {
  readonly color?: string;
  readonly title?: string;
  readonly fields?: readonly JsonObject[];
  readonly text?: string;
}

/** Slack takes a hundred and refuses the whole message beyond. */
const MOST_FIELDS = 99;
const LONGEST = 3000;

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

/** "<@U1>, <@U2>": they are told by Slack. */
export function pings(who: readonly string[]): string {
  return who.map((id) => `<@${id.replace(/[^\w.-]/gu, '')}>`).join(', ');
}

/**
 * A text in which nothing rings but the mention of a person: "<!channel>" in the output of a benchmark is four signs and a
 * word. Links, and what was escaped already, stay.
 */
export function harmless(text: string): string {
  return cutText(text, LONGEST).replace(MEANT, (found) => ESCAPED[found] ?? found);
}

const MEANT = /<@[\w.-]*>|<https?:\/\/[^<>\s]+>|&(?:amp|lt|gt);|[&<>]/g;
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
