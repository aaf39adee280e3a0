/**
 * Turns drawings of pages into a document to print or to hand around. Contract (test/contracts/papers.test.ts):
 * 1. The same pages give the same bytes; each page has the size of its drawing, a pixel being a point.
 * 2. Text is text: it can be searched, and is drawn on a machine without any fonts.
 * 3. A page cannot make it read a file or an address, nor run anything; only web addresses become links.
 * 4. What is not SVG is a NightmarkError (REPORT_NOT_PRINTED).
 */
export interface PaperMaker {
  readonly id: string;
  paper(pages: readonly string[], options: PaperOptions): Promise<Uint8Array>;
}

export interface PaperOptions {
  readonly title: string;
}
