import { type Content, Html, html } from '../../platform/core/text/html.ts';
import { shorten } from './text-width.ts';
import type { Theme } from './theme.ts';

/** A place a reader may point at, and what it says. Pixels of the drawing. */
export interface Hit {
  readonly x: number;
  readonly y: number;
  readonly series: number;
  readonly text: string;
  /** Which of several charts in one figure. */
  readonly panel?: number;
}

/** A drawn chart before it becomes a file. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly body: Content;
  readonly hits: readonly Hit[];
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What every chart is drawn with. */
export interface Canvas {
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  /** Whether places to point at are wanted: for thousands of points they take longer than the drawing. */
  readonly wantsHits: boolean;
}

export interface LabelStyle {
  readonly at: readonly [x: number, y: number];
  readonly fill: string;
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly isBold?: boolean;
  /** Pixels; longer text is shortened and told in full by its title. */
  readonly room?: number;
  readonly turn?: number;
}

/** A text of the chart. */
export function label(text: string, style: LabelStyle): Html {
  const {
    at,
    fill,
    size = 12,
    anchor = 'start',
    isBold = false,
    room = Number.POSITIVE_INFINITY,
    turn,
  } = style;
  const whole = printable(text);
  const short = shorten(whole, isBold ? size * BOLDER : size, room);
  const [x, y] = onLine(at, turn);
  return html`<text x="${x}" y="${y}" fill="${fill}" font-size="${size}" text-anchor="${anchor}"${
    isBold && BOLD
  }${turn !== undefined && html` transform="rotate(${turn} ${x} ${y})"`}>${short}${
    short !== whole && html`<title>${whole}</title>`
  }</text>`;
}

/** The line of a text lies on whole pixels: letters are sharper there, and look the same in each text. */
function onLine([x, y]: readonly [number, number], turn: number | undefined): readonly [string, string] {
  if (turn === undefined) return [px(x), String(Math.round(y))];
  return Math.abs(turn) === 90 ? [String(Math.round(x)), px(y)] : [px(x), px(y)];
}

/** Numbers of a drawing: a tenth of a pixel is enough, and the file stays small. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Markup that was put together here from numbers and words of our own. */
export function raw(text: string): Html {
  return new Html([text]);
}

/** A text of one line. */
export function printable(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Bold letters of DejaVu Sans are this much wider. */
const BOLDER = 1.12;
const BOLD = new Html([' font-weight="600"']);
