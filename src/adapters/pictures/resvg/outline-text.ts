import type { Contour, Font } from './font.ts';

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
    const path = pathOf(decoded(content), attributes, fonts);
    if (path === undefined) return whole;
    const turn = attributes.get('transform');
    const fill = attributes.get('fill') ?? '#000000';
    return path === ''
      ? ''
      : `<path d="${path}" fill="${fill}"${turn === undefined ? '' : ` transform="${turn}"`}/>`;
  });
}

const TEXT = /<text\b([^>]*)>([^<]*)(?:<title>[^<]*<\/title>)?<\/text>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
const KNOWN = new Set(['x', 'y', 'fill', 'font-size', 'text-anchor', 'font-weight', 'transform']);
/** Most texts; to compile the other pattern takes longer than a picture. */
const PLAIN = /^[\x20-\x7e]*$/;
/** Marks that stand over the letter before them, and scripts whose letters change with their neighbours. */
const SHAPED = /[\p{M}\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u200c-\u200f\u202a-\u202e]/u;

function pathOf(text: string, attributes: ReadonlyMap<string, string>, fonts: Fonts): string | undefined {
  if (!PLAIN.test(text) && SHAPED.test(text)) return undefined;
  const number = (name: string, usual: number) => Number(attributes.get(name) ?? usual);
  const size = number('font-size', 12);
  const font = fonts(Number(attributes.get('font-weight') ?? 400) >= 600);
  const shapes = shapesOf(font, size);
  const drawn: Shape[] = [];
  let width = 0;
  for (const character of text) {
    const shape = shapes(character);
    if (shape === undefined) return undefined;
    drawn.push(shape);
    width += shape.advance;
  }
  const anchor = attributes.get('text-anchor');
  let x = number('x', 0) - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0);
  const y = number('y', 0);
  let path = '';
  for (const { advance, parts } of drawn) {
    for (const part of parts) path += `M${rounded(x + part.x)} ${rounded(y + part.y)}${part.rest}`;
    x += advance;
  }
  return path;
}

/** A character at a size: each part begins somewhere and goes on by steps, so that it is the same text wherever it stands. */
interface Shape {
  readonly advance: number;
  readonly parts: readonly { readonly x: number; readonly y: number; readonly rest: string }[];
}

const CACHE = new WeakMap<Font, Map<number, Map<string, Shape | undefined>>>();
/** Texts of a stranger's drawing must not fill the memory. */
const MAX_SHAPES = 5000;

function shapesOf(font: Font, size: number): (character: string) => Shape | undefined {
  const bySize = CACHE.get(font) ?? new Map<number, Map<string, Shape | undefined>>();
  CACHE.set(font, bySize);
  if (bySize.size > 50) bySize.clear();
  const known = bySize.get(size) ?? new Map<string, Shape | undefined>();
  bySize.set(size, known);
  return (character) => {
    const seen = known.get(character);
    if (seen !== undefined) return seen;
    if (known.size > MAX_SHAPES) known.clear();
    const shape = shapeOf(font, size, character);
    known.set(character, shape);
    return shape;
  };
}

function shapeOf(font: Font, size: number, character: string): Shape | undefined {
  const glyph = font.glyph(character);
  if (!glyph) return undefined;
  const scale = size / font.unitsPerEm;
  return { advance: glyph.advance * scale, parts: glyph.contours.map((contour) => partOf(contour, scale)) };
}

/** TrueType's curves are the quadratic ones of SVG; between two points off the curve lies one on it. */
function partOf(contour: Contour, scale: number) {
  const points = contour.map(({ x, y, isOnCurve }) => ({ x: x * scale, y: -y * scale, isOnCurve }));
  const first = points.findIndex(({ isOnCurve }) => isOnCurve);
  const [a, b] = [points[0], points.at(-1)];
  const start = points[first] ?? {
    x: ((a?.x ?? 0) + (b?.x ?? 0)) / 2,
    y: ((a?.y ?? 0) + (b?.y ?? 0)) / 2,
    isOnCurve: true,
  };
  const order =
    first < 0 ? [...points, start] : [...points.slice(first + 1), ...points.slice(0, first), start];
  let [x, y] = [start.x, start.y];
  let control: { readonly x: number; readonly y: number } | undefined;
  let rest = '';
  const lineTo = (to: { readonly x: number; readonly y: number }) => {
    rest += control
      ? `q${rounded(control.x - x)} ${rounded(control.y - y)} ${rounded(to.x - x)} ${rounded(to.y - y)}`
      : `l${rounded(to.x - x)} ${rounded(to.y - y)}`;
    [x, y] = [to.x, to.y];
  };
  for (const point of order) {
    if (point.isOnCurve) {
      lineTo(point);
      control = undefined;
    } else {
      if (control) lineTo({ x: (control.x + point.x) / 2, y: (control.y + point.y) / 2 });
      control = point;
    }
  }
  return { x: start.x, y: start.y, rest: `${rest}z` };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
  );
}
