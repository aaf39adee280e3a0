import { colourOf, numberOf, plainNumber, transformOf, wordOf } from './attribute-values.ts';
import { Coverage } from './coverage.ts';
import { drawPath, drawRect, type Ground } from './draw-shape.ts';
import { type LetterSources, TextDrawer } from './draw-text.ts';
import { MarkCase } from './mark-case.ts';
import { Markup } from './markup.ts';
import { NotOurs } from './not-ours.ts';
import type { Place } from './read-path.ts';
import { Sheet } from './sheet.ts';

/**
 * A drawing of our charts as pixels, `scale` for one of its own. undefined: it has something that we do not draw.
 * The sheet is good until the next one is drawn: its cells are used again.
 */
export type Rasterizer = (svg: string, scale: number) => Sheet | undefined;

/** Letters that were drawn once are kept: many charts of one process have the same. */
export function createRasterizer(letters: LetterSources): Rasterizer {
  const coverage = new Coverage();
  const texts = new TextDrawer(letters, coverage);
  const marks = new MarkCase(coverage);
  const spare: Spare = { cells: new Uint16Array() };
  return (svg, scale) => {
    try {
      return draw(new Markup(svg), scale, { coverage, texts, marks, spare });
    } catch (error) {
      if (error instanceof NotOurs) return undefined;
      throw error;
    }
  };
}

interface Tools {
  readonly coverage: Coverage;
  readonly texts: TextDrawer;
  readonly marks: MarkCase;
  readonly spare: Spare;
}

/** The cells of the sheet before: to get a new megabyte takes longer than to clear one. */
interface Spare {
  cells: Uint16Array;
}

function cellsOf([width, height]: readonly [number, number], spare: Spare): Uint16Array {
  if (spare.cells.length === width * height) return spare.cells.fill(0);
  spare.cells = new Uint16Array(width * height);
  return spare.cells;
}

/** What elements may have; names that nothing is drawn from are for pages. */
const ROOT = new Set(['xmlns', 'class', 'role', 'aria-label', 'viewBox', 'width', 'height', 'font-family']);
const GROUP = new Set(['class', 'data-toggle', 'data-series', 'data-panel', 'transform']);
const PAINT = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'shape-rendering'];
const RECT = new Set(['x', 'y', 'width', 'height', ...PAINT]);
const PATH = new Set(['d', 'stroke-linejoin', 'stroke-dasharray', ...PAINT]);
const TEXT = new Set(['x', 'y', 'fill', 'font-size', 'text-anchor', 'font-weight', 'transform']);
const GROUND = new Set(['width', 'height', 'fill']);

function draw(markup: Markup, scale: number, tools: Tools): Sheet {
  const { sheet, place } = drawGround(markup, scale, tools.spare);
  const grounds: Target[] = [{ sheet, place, ...tools }];
  while (grounds.length > 0) {
    if (markup.takes('</g>')) {
      grounds.pop();
      if (grounds.length === 0) throw new NotOurs('the end of a group that did not begin');
    } else if (grounds.length === 1 && markup.takes('</svg>')) grounds.pop();
    else drawElement(markup, grounds);
  }
  if (!markup.isAtEnd) throw new NotOurs('something behind the drawing');
  return sheet;
}

/** Larger pictures are for the other renderer, which has its own limits. */
const MAX_PIXELS = 2 ** 26;

/** The root, and its first mark: a plain colour over the whole of it. */
function drawGround(
  markup: Markup,
  scale: number,
  spare: Spare,
): { readonly sheet: Sheet; readonly place: Place } {
  if (markup.name() !== 'svg') throw new NotOurs('another root');
  const root = markup.attributes(ROOT);
  markup.expect('>');
  const box = (root.get('viewBox') ?? '').split(' ').map(plainNumber);
  const [left, top, width = 0, height = 0] = box;
  const [shownWidth, shownHeight] = [numberOf(root, 'width', 0), numberOf(root, 'height', 0)];
  const zoom = shownWidth / width;
  const isWhole =
    box.length === 4 && left === 0 && top === 0 && root.get('xmlns') === 'http://www.w3.org/2000/svg';
  if (!isWhole || !(zoom > 0) || Math.abs(shownHeight - height * zoom) > 0.5)
    throw new NotOurs('another view');
  const pixels = [shownWidth, shownHeight].map((length) => Math.round(length * scale)) as [number, number];
  if (pixels[0] * pixels[1] > MAX_PIXELS || Math.min(...pixels) < 1)
    throw new NotOurs('the size of the picture');
  if (markup.name() !== 'rect') throw new NotOurs('no ground');
  const ground = markup.attributes(GROUND);
  markup.expect('/>');
  const colour = colourOf(ground.get('fill') ?? 'none');
  if (
    colour === undefined ||
    numberOf(ground, 'width', 0) !== width ||
    numberOf(ground, 'height', 0) !== height
  )
    throw new NotOurs('a ground that shines through');
  return {
    sheet: new Sheet(cellsOf(pixels, spare), pixels, colour),
    place: { scale: zoom * scale, left: 0, top: 0 },
  };
}

type Target = Ground & Tools;

/** Each group has a ground of its own, on top of those around it. */
function drawElement(markup: Markup, grounds: Target[]): void {
  const ground = grounds[grounds.length - 1] as Target;
  const name = markup.name();
  if (name === 'g') {
    const [x = 0, y = 0] = transformOf(markup.attributes(GROUP), 'translate') ?? [];
    markup.expect('>');
    const { scale, left, top } = ground.place;
    grounds.push({ ...ground, place: { scale, left: left + x * scale, top: top + y * scale } });
  } else if (name === 'title') {
    markup.expect('>');
    markup.skipTitle();
  } else if (name === 'text') drawText(markup, ground);
  else if (name === 'rect' || name === 'path') {
    const attributes = markup.attributes(name === 'rect' ? RECT : PATH);
    markup.expect('/>');
    if (name === 'rect') drawRect(attributes, ground);
    else drawPath(attributes, ground);
  } else throw new NotOurs(`the element ${name}`);
}

const SHARES = { start: 0, middle: 0.5, end: 1 };

function drawText(markup: Markup, { sheet, place, texts }: Target): void {
  const attributes = markup.attributes(TEXT);
  markup.expect('>');
  const content = markup.content();
  if (markup.takes('<title>')) markup.skipTitle();
  markup.expect('</text>');
  const [x, y] = [numberOf(attributes, 'x', 0), numberOf(attributes, 'y', 0)];
  const [turn = 0, aboutX = x, aboutY = y] = transformOf(attributes, 'rotate') ?? [];
  if (aboutX !== x || aboutY !== y) throw new NotOurs('a text that is turned about another place');
  const colour = colourOf(attributes.get('fill') ?? '#000000');
  if (colour === undefined) return;
  const text = {
    content,
    turn,
    x: x * place.scale + place.left,
    y: y * place.scale + place.top,
    share: SHARES[wordOf(attributes, 'text-anchor', ['start', 'middle', 'end'])],
    size: numberOf(attributes, 'font-size', 12) * place.scale,
    isBold: numberOf(attributes, 'font-weight', 400) >= 600,
  };
  texts.draw(sheet, text, sheet.paint(colour, 1));
}
