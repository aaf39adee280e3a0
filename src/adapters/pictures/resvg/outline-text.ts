import type { Contour, Font } from '../../../core/fonts/outlines.ts';

/** Fonts by weight; opened when the first text asks for one. */
export type Fonts = (isBold: boolean) => Font;

/**
 * The drawing with its texts as paths. The renderer reads the whole font anew for each text, which took most of the time
 * of a picture. Only texts as our charts write them: what has other attributes, or needs more than one shape a
 * character, stays as it is.
 */
export function outlineTexts(svg: string, fonts: Fonts): string {
  return svg.replace(TEXT, (whole, words: string, content: string) => {
    const attributes = new Map<string, string>();
    for (const [, name = '', value = ''] of words.matchAll(ATTRIBUTE)) attributes.set(name, value);
    if ([...attributes.keys()].some((name) => !KNOWN.has(name))) return whole;
    const outline = outlineOf(decoded(content), attributes, fonts);
    if (outline === undefined) return whole;
    if (outline.path === '') return '';
    const fill = attributes.get('fill') ?? '#000000';
    const turn = attributes.get('transform') ?? '';
    return `<path d="${outline.path}" fill="${fill}" transform="${turn}${outline.transform}"/>`;
  });
}

const TEXT = /<text\b([^>]*)>([^<]*)(?:<title>[^<]*<\/title>)?<\/text>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
const KNOWN = new Set(['x', 'y', 'fill', 'font-size', 'text-anchor', 'font-weight', 'transform']);
/** Most texts; to compile the other pattern takes longer than a picture. */
const PLAIN = /^[\x20-\x7e]*$/;
/** Marks that stand over the letter before them, and scripts whose letters change with their neighbours. */
const SHAPED = /[\p{M}\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u200c-\u200f\u202a-\u202e]/u;

interface Outline {
  readonly path: string;
  /** From halves of the units of the font to pixels. */
  readonly transform: string;
}

function outlineOf(text: string, attributes: ReadonlyMap<string, string>, fonts: Fonts): Outline | undefined {
  if (!PLAIN.test(text) && SHAPED.test(text)) return undefined;
  const number = (name: string, usual: number) => Number(attributes.get(name) ?? usual);
  const font = fonts(number('font-weight', 400) >= 600);
  const shapes = shapesOf(font);
  let path = '';
  let pen = 0;
  for (const character of text) {
    const shape = shapes(character);
    if (shape === undefined) return undefined;
    for (const { x, y, rest } of shape.parts) path += `M${pen + x} ${y}${rest}`;
    pen += shape.advance;
  }
  const scale = number('font-size', 12) / font.unitsPerEm / 2;
  const anchor = attributes.get('text-anchor');
  const share = anchor === 'middle' ? 0.5 : anchor === 'end' ? 1 : 0;
  const start = Math.round((number('x', 0) - share * pen * scale) * 1000) / 1000;
  return { path, transform: `translate(${start} ${number('y', 0)})scale(${scale} ${-scale})` };
}

/**
 * A character in halves of the units of its font, upside down as there: whole numbers, which are written several times as
 * fast as pixels, and the same text at every size. Each part begins somewhere and goes on by steps.
 */
interface Shape {
  readonly advance: number;
  readonly parts: readonly { readonly x: number; readonly y: number; readonly rest: string }[];
}

const CACHE = new WeakMap<Font, Map<string, Shape | undefined>>();
/** Texts of a stranger's drawing must not fill the memory. */
const MAX_SHAPES = 5000;

function shapesOf(font: Font): (character: string) => Shape | undefined {
  const known = CACHE.get(font) ?? new Map<string, Shape | undefined>();
  CACHE.set(font, known);
  return (character) => {
    const seen = known.get(character);
    if (seen !== undefined) return seen;
    if (known.size > MAX_SHAPES) known.clear();
    const glyph = font.glyph(character);
    const shape = glyph && { advance: glyph.advance * 2, parts: glyph.contours.map(partOf) };
    known.set(character, shape);
    return shape;
  };
}

/** TrueType's curves are the quadratic ones of SVG; halfway between two points off the curve lies one on it. */
function partOf(contour: Contour) {
  const points = contour.map(({ x, y, isOnCurve }) => ({
    x: 2 * Math.round(x),
    y: 2 * Math.round(y),
    isOnCurve,
  }));
  const first = points.findIndex(({ isOnCurve }) => isOnCurve);
  const [a, b] = [points[0], points.at(-1)];
  const start = points[first] ?? {
    x: ((a?.x ?? 0) + (b?.x ?? 0)) / 2,
    y: ((a?.y ?? 0) + (b?.y ?? 0)) / 2,
    isOnCurve: true,
  };
  const order =
    first < 0 ? [...points, start] : [...points.slice(first + 1), ...points.slice(0, first), start];
  let { x, y } = start;
  let control: { readonly x: number; readonly y: number } | undefined;
  let rest = '';
  const goTo = (toX: number, toY: number) => {
    rest += control ? `q${control.x - x} ${control.y - y} ${toX - x} ${toY - y}` : `l${toX - x} ${toY - y}`;
    x = toX;
    y = toY;
  };
  for (const point of order) {
    if (point.isOnCurve) {
      goTo(point.x, point.y);
      control = undefined;
    } else {
      if (control) goTo((control.x + point.x) / 2, (control.y + point.y) / 2);
      control = point;
    }
  }
  return { x: start.x, y: start.y, rest: `${rest}z` };
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  );
}
