import { label } from '../charts/drawing.ts';
import { textWidth } from '../charts/text-width.ts';
import { type Html, html } from '../text/html.ts';
import { visible } from '../text/visible.ts';
import { type Block, PAPER } from './paper.ts';

export interface TextLook {
  readonly size: number;
  readonly fill: string;
  readonly isBold?: boolean;
}

/** A text in lines of the given width; words that are too long are broken. At most so many lines, the last one cut. */
export function wrapText(
  text: string,
  look: TextLook,
  room: { width: number; most: number },
): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // A message of a megabyte is not measured to its end.
  for (const word of visible(text.replace(/\s+/g, ' ').trim())
    .slice(0, room.most * 400)
    .split(' ')) {
    if (lines.length > room.most) break;
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOnPaper(longer, look) <= room.width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && widthOnPaper(line + character, look) > room.width) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  if (line !== '') lines.push(line);
  if (lines.length <= room.most) return lines;
  return [...lines.slice(0, room.most - 1), `${(lines[room.most - 1] ?? '').slice(0, -1)}…`];
}

/** The widest letters are a little wider than `textWidth` counts them, and bold ones more. */
export function widthOnPaper(text: string, { size, isBold }: TextLook): number {
  return textWidth(text, size) * (isBold ? 1.16 : 1.04);
}

/** A paragraph; a line each, so that it may go over to the next page. */
export function paragraph(text: string, look: TextLook, link?: string): readonly Block[] {
  const lines = wrapText(text, look, { width: PAPER.right - PAPER.left, most: 40 });
  const height = look.size * 1.4;
  return [
    ...lines.map((line) => ({
      height,
      draw: (top: number) => linked(label(line, { at: [PAPER.left, top + look.size], ...look }), link),
    })),
    space(look.size * 0.6),
  ];
}

export function linked(text: Html, link: string | undefined): Html {
  // Links come from results: nothing but a web address is followed.
  return link !== undefined && /^https?:\/\//i.test(link) ? html`<a href="${link}">${text}</a>` : text;
}

export function space(height: number): Block {
  return { height, draw: () => [] };
}
