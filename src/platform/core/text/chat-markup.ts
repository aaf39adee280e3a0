/** A part of a text in the markup of chat programs (Slack). */
export type MarkupPart =
  | { readonly type: 'text' | 'bold' | 'italic' | 'struck' | 'code'; readonly text: string }
  | { readonly type: 'link'; readonly text: string; readonly url: string };

/**
 * `*bold*`, `_italic_`, `~struck~`, "`code`" and `<https://x|label>`, which summaries use; everything else is text. One form
 * within another is left as it stands. Only what leads to the web is a link. Markup never spans lines.
 */
export function readMarkup(text: string): readonly MarkupPart[] {
  const parts: MarkupPart[] = [];
  let from = 0;
  for (const found of text.matchAll(FORMS)) {
    const part = partOf(found.groups ?? {});
    if (found.index > from) parts.push({ type: 'text', text: plain(text.slice(from, found.index)) });
    parts.push(part);
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ type: 'text', text: plain(text.slice(from)) });
  return parts;
}

/** A sign opens at the beginning of a word and closes at the end of one: snake_case and 2*3*4 are none. Lengths are bounded. */
const marked = (sign: string, name: string) =>
  `(?<![\\p{L}\\p{N}${sign}])${sign}(?<${name}>[^\\s${sign}](?:[^\\n${sign}]{0,500}[^\\s${sign}])?)${sign}(?![\\p{L}\\p{N}${sign}])`;

const FORMS = new RegExp(
  [
    '`(?<code>[^`\\n]{1,500})`',
    '<(?<url>https?://[^\\s<>|]{1,2000})(?:\\|(?<label>[^<>\\n]{0,500}))?>',
    marked('\\*', 'bold'),
    marked('_', 'italic'),
    marked('~', 'struck'),
  ].join('|'),
  'gu',
);

function partOf(groups: Readonly<Record<string, string | undefined>>): MarkupPart {
  const { code, url, label, bold, italic, struck } = groups;
  if (url !== undefined) return { type: 'link', url: plain(url), text: plain(label || url) };
  if (code !== undefined) return { type: 'code', text: plain(code) };
  if (bold !== undefined) return { type: 'bold', text: plain(bold) };
  if (italic !== undefined) return { type: 'italic', text: plain(italic) };
  return { type: 'struck', text: plain(struck ?? '') };
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** The three signs that such texts have escaped. */
function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (found) => ENTITIES[found] ?? found);
}
