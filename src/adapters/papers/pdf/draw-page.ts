import { IDENTITY, type Matrix, numbers, readTransform, times } from './matrix.ts';
import type { PaperFont } from './paper-font.ts';
import { pathOperators } from './path-operators.ts';
import { type Attributes, svgEvents } from './svg-elements.ts';

/** What the pages of one document share. */
export interface PageTools {
  font(isBold: boolean): { readonly key: string; readonly font: PaperFont };
  /** Name of a state that draws so transparently. */
  opacity(value: number): string;
}

export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly content: string;
  readonly links: readonly PageLink[];
}

/** A place to click at: left, bottom, right, top. */
export interface PageLink {
  readonly address: string;
  readonly box: readonly [number, number, number, number];
}

interface Level {
  readonly attributes: Attributes;
  readonly matrix: Matrix;
  readonly link?: string;
  readonly isMoved: boolean;
}

/** One SVG as the content of a page. What is not known to it draws nothing. */
export function drawPage(svg: string, tools: PageTools): DrawnPage {
  const operators: string[] = [];
  const links: PageLink[] = [];
  const levels: Level[] = [];
  let size: readonly [number, number] = [0, 0];
  for (const event of svgEvents(svg)) {
    const parent = levels.at(-1);
    if (event.type === 'text') {
      if (parent?.attributes['#name'] === 'text') drawText(event.text, parent, { operators, links, tools });
      continue;
    }
    if (event.type === 'close') {
      if (levels.pop()?.isMoved) operators.push('Q');
      continue;
    }
    const { name, attributes, isEmpty } = event;
    if (parent === undefined && size[0] === 0) {
      size = sizeOf(attributes);
      operators.push(`1 0 0 -1 0 ${numbers([size[1]])} cm`);
    }
    const level = within(parent ?? top(size[1]), name, attributes);
    if (level.isMoved) operators.push(`q ${numbers(readTransform(attributes['transform']))} cm`);
    drawShape(name, level.attributes, { operators, tools });
    if (!isEmpty) levels.push(level);
    else if (level.isMoved) operators.push('Q');
  }
  return { width: size[0], height: size[1], content: operators.join('\n'), links };
}

function sizeOf(attributes: Attributes): readonly [number, number] {
  const [width, height] = [Number(attributes['width']), Number(attributes['height'])];
  if (width > 0 && height > 0 && width < 14_400 && height < 14_400) return [width, height];
  throw new Error('it has no usable size');
}

function top(height: number): Level {
  return { attributes: {}, matrix: [1, 0, 0, -1, 0, height], isMoved: false };
}

const INHERITED = [
  'fill',
  'stroke',
  'stroke-width',
  'fill-opacity',
  'font-size',
  'font-weight',
  'text-anchor',
];

function within(parent: Level, name: string, own: Attributes): Level {
  const inherited = Object.fromEntries(
    INHERITED.flatMap((key) => {
      const value = parent.attributes[key];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const isMoved = own['transform'] !== undefined;
  const matrix = isMoved ? times(parent.matrix, readTransform(own['transform'])) : parent.matrix;
  const href = name === 'a' ? own['href'] : undefined;
  const link = href !== undefined && /^https?:\/\//i.test(href) ? href : parent.link;
  return {
    attributes: { ...inherited, ...own, '#name': name },
    matrix,
    isMoved,
    ...(link !== undefined && { link }),
  };
}

interface Out {
  readonly operators: string[];
  readonly tools: PageTools;
}

function drawShape(name: string, attributes: Attributes, { operators, tools }: Out): void {
  const path = shapePath(name, attributes);
  if (path === undefined || path === '') return;
  const stroke = colour(attributes['stroke'] ?? 'none');
  // A line of a chart has no area, but viewers would draw one a hair wide between its dashes.
  const fill = colour(attributes['fill'] ?? (stroke ? 'none' : '#000000'));
  const opacity = Number(attributes['fill-opacity'] ?? 1);
  const isFilled = fill !== undefined && opacity > 0;
  if (!isFilled && !stroke) return;
  const words = ['q'];
  if (opacity < 1) words.push(`/${tools.opacity(opacity)} gs`);
  if (isFilled) words.push(`${fill} rg`);
  if (stroke) {
    words.push(`${stroke} RG ${numbers([Number(attributes['stroke-width'] ?? 1)])} w`);
    const dashes = attributes['stroke-dasharray'];
    if (dashes !== undefined && /^[\d. ]+$/.test(dashes)) words.push(`[${dashes}] 0 d`);
    if (attributes['stroke-linejoin'] === 'round') words.push('1 j');
    if (attributes['stroke-linejoin'] === 'bevel') words.push('2 j');
  }
  operators.push(words.join(' '), path, isFilled ? (stroke ? 'B' : 'f') : 'S', 'Q');
}

function shapePath(name: string, attributes: Attributes): string | undefined {
  const number = (key: string) => Number(attributes[key] ?? 0);
  if (name === 'path') return pathOperators(attributes['d'] ?? '');
  if (name !== 'rect') return undefined;
  return `${numbers([number('x'), number('y'), number('width'), number('height')])} re`;
}

function drawText(
  text: string,
  level: Level,
  { operators, tools, links }: Out & { readonly links: PageLink[] },
): void {
  const { attributes, matrix, link } = level;
  const number = (key: string, usual: number) => Number(attributes[key] ?? usual);
  const size = number('font-size', 12);
  const { key, font } = tools.font(number('font-weight', 400) >= 600);
  const { hex, width } = font.encode(text);
  const anchor = attributes['text-anchor'];
  const x = number('x', 0) - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0) * size;
  const y = number('y', 0);
  const fill = colour(attributes['fill'] ?? '#000000');
  if (fill === undefined || hex === '') return;
  operators.push(
    `BT ${fill} rg /${key} ${numbers([size])} Tf ${numbers([1, 0, 0, -1, x, y])} Tm <${hex}> Tj ET`,
  );
  if (link !== undefined)
    links.push({ address: link, box: boxOf(matrix, [x, y + size * 0.25], [x + width * size, y - size]) });
}

function boxOf(
  matrix: Matrix,
  ...corners: readonly (readonly [number, number])[]
): readonly [number, number, number, number] {
  const places = corners.map(([x, y]) => times(matrix, [...IDENTITY.slice(0, 4), x, y] as unknown as Matrix));
  const [xs, ys] = [places.map((place) => place[4]), places.map((place) => place[5])];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Undefined: nothing is drawn. */
function colour(text: string): string | undefined {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return numbers([red, green, blue].map((part) => Number.parseInt(part, 16) / 255));
}
