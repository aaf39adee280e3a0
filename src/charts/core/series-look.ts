import type { Html } from '../../platform/core/text/html.ts';
import { px, raw } from './drawing.ts';
import type { Theme } from './theme.ts';

/** How one series is told from the others: by colour, by the shape of its points, and by dashes from the ninth on. */
export interface SeriesLook {
  readonly colour: string;
  readonly dash: Html;
  marker(x: number, y: number, radius?: number): Html;
}

const DASHES = ['', '6 3', '2 3', '9 3 2 3'];

export function seriesLook(index: number, theme: Theme): SeriesLook {
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
