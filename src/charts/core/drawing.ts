import { type Content, Html, html } from '../../platform/core/text/html.ts';
import type { Chart } from './chart.ts';
import { CHART_STYLE, type Theme, type ThemeName, themeOf } from './theme.ts';

/** A place a reader may point at, with its tooltip. Pixels of the drawing. */
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
  /** Pixels; longer text is shortened; its title has all of it. */
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

/** The line of a text lies on whole pixels: glyphs are sharper there, and look the same in each text. */
function onLine([x, y]: readonly [number, number], turn: number | undefined): readonly [string, string] {
  if (turn === undefined) return [px(x), String(Math.round(y))];
  return Math.abs(turn) === 90 ? [String(Math.round(x)), px(y)] : [px(x), px(y)];
}

/** Numbers of a drawing: a tenth of a pixel is enough, and the file stays small. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Markup made here from numbers and texts of our own. */
export function raw(text: string): Html {
  return new Html([text]);
}

/** A text of one line. */
function printable(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Bold glyphs of DejaVu Sans are this much wider. */
const BOLDER = 1.12;
const BOLD = new Html([' font-weight="600"']);

/** A drawing as a file; `zoom`: shown so much larger than it is drawn. */
export function svgOf(
  chart: Chart,
  { width, height, body }: Drawing,
  { theme, zoom = 1 }: { readonly theme: ThemeName; readonly zoom?: number },
): string {
  const { font, ground } = themeOf(theme);
  const name = printable(chart.title);
  const box = `0 0 ${px(width)} ${px(height)}`;
  const svg =
    html`<svg xmlns="http://www.w3.org/2000/svg" class="nm-chart" role="img" aria-label="${name}" viewBox="${box}" width="${px(width * zoom)}" height="${px(height * zoom)}" font-family="${font}">${
      theme === 'auto' && html`<style>${raw(CHART_STYLE)}</style>`
    }<rect width="${px(width)}" height="${px(height)}" fill="${ground}"/>${body}</svg>`.toString();
  return BEYOND_ASCII.test(svg) ? svg.replace(REFUSED_BY_XML, '\ufffd') : svg;
}

/** Half characters and two code points: one of them in a name must not make the whole picture unreadable. */
const REFUSED_BY_XML = /\p{Cs}|[\ufffe\uffff]/gu;
const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * About how wide a text is, in pixels. There are no font metrics here: classes of characters as DejaVu Sans draws them,
 * which is wider than most system fonts, so that what fits by this measure fits on the screen.
 */
export function textWidth(text: string, size: number): number {
  let em = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    em += character.length === 1 && code < 128 ? (ASCII[code] ?? 0) : widthOf(character);
  }
  return em * size;
}

const NARROW = /[ijl.,:;'|!\u202f ]/;
const WIDE = /[mwMW@%…]/;

/** The text, or as much of it as fits, with "…" for the rest: in the middle, as names differ most often at their ends. */
function shorten(text: string, size: number, room: number): string {
  // A name of a megabyte is not measured to its end.
  const start = text.length > 500 ? text.slice(0, 250) + text.slice(-250) : text;
  if (start === text && textWidth(text, size) <= room) return text;
  const characters = graphemes(start);
  let kept = characters.length - 1;
  while (kept > 1 && textWidth(cut(characters, kept), size) > room) kept--;
  return cut(characters, kept);
}

/** An emoji of several code points is not to be cut in two. Plain text needs no segmenter, which takes long to make. */
function graphemes(text: string): readonly string[] {
  if (isAscii(text)) return [...text];
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/** Nearly all text of charts: looked up, not classified. */
const ASCII = Float64Array.from({ length: 128 }, (_, code) => asciiWidth(String.fromCharCode(code)));

function asciiWidth(character: string): number {
  if (NARROW.test(character)) return 0.34;
  if (WIDE.test(character)) return 0.95;
  return /[A-Z]/.test(character) ? 0.7 : 0.62;
}

function cut(characters: readonly string[], kept: number): string {
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`;
}

function widthOf(character: string): number {
  if (NARROW.test(character)) return 0.34;
  if (WIDE.test(character)) return 0.95;
  if (/\p{M}|\u200d|\ufe0f/u.test(character)) return 0;
  if (
    /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
      character,
    )
  ) {
    return character <= '\u00ff' ? 0.65 : 1.05;
  }
  return /\p{Lu}/u.test(character) ? 0.7 : 0.62;
}

/** How one series differs from the others: by colour, by the shape of its points, and by dashes from the ninth on. */
export interface SeriesStyle {
  readonly colour: string;
  readonly dash: Html;
  marker(x: number, y: number, radius?: number): Html;
}

const DASHES = ['', '6 3', '2 3', '9 3 2 3'];

export function seriesStyle(index: number, theme: Theme): SeriesStyle {
  const count = theme.series.length;
  const colour = theme.series[index % count] ?? theme.ink;
  const dash = DASHES[Math.floor(index / count) % DASHES.length] ?? '';
  return {
    colour,
    dash: raw(dash === '' ? '' : ` stroke-dasharray="${dash}"`),
    marker: (x, y, radius = 3.2) => raw(`<path d="${shape(index, radius)(x, y)}" fill="${colour}"/>`),
  };
}

/** Path of a mark around a place: circle, square, triangle, diamond in turn. */
export function shape(index: number, radius: number): (x: number, y: number) => string {
  const r = radius;
  const marks: readonly ((x: number, y: number) => string)[] = [
    (x, y) => `M${px(x - r)} ${px(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    (x, y) => `M${px(x - r)} ${px(y - r)}h${2 * r}v${2 * r}h${-2 * r}z`,
    (x, y) => `M${px(x)} ${px(y - 1.2 * r)}l${px(1.2 * r)} ${px(2.1 * r)}h${px(-2.4 * r)}z`,
    (x, y) =>
      `M${px(x)} ${px(y - 1.3 * r)}l${px(1.3 * r)} ${px(1.3 * r)}l${px(-1.3 * r)} ${px(1.3 * r)}l${px(-1.3 * r)} ${px(-1.3 * r)}z`,
  ];
  return marks[index % marks.length] ?? ((x, y) => `M${px(x)} ${px(y)}h1`);
}

/** The sign of a value that is not there. */
export function missingMark(x: number, y: number, colour: string): string {
  return `<path d="M${px(x - 3)} ${px(y - 3)}l6 6m0-6l-6 6" stroke="${colour}" stroke-width="1.4" fill="none"/>`;
}
