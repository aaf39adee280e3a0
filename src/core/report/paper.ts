import type { Html } from '../text/html.ts';

/** A4 in points, with its margins. */
export const PAPER = { width: 595, height: 842, left: 40, right: 555, top: 44, bottom: 800 } as const;

/** Something that is drawn in one piece, over the whole width of the text. */
export interface Block {
  readonly height: number;
  /** Room that must be left behind it on the page: a heading does not stand alone. */
  readonly keep?: number;
  /** What comes again on top when a page ended before it: the head of a table. */
  readonly again?: Block;
  draw(top: number): Html | readonly Html[];
}

/** Blocks from top to bottom, page by page. */
export function fillPages(blocks: Iterable<Block>): readonly (readonly Html[])[] {
  const pages: Html[][] = [[]];
  let top: number = PAPER.top;
  const put = (block: Block) => {
    pages.at(-1)?.push(...[block.draw(top)].flat());
    top += block.height;
  };
  for (const block of blocks) {
    if (top + block.height + (block.keep ?? 0) > PAPER.bottom && top > PAPER.top) {
      pages.push([]);
      top = PAPER.top;
      if (block.again) put(block.again);
    }
    put(block);
  }
  return pages;
}
