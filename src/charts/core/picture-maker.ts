/**
 * Turns a drawing into a picture for places that show no SVG. Contract (test/contracts/pictures.test.ts):
 * 1. The same drawing gives the same bytes; the picture has the size of the drawing times `scale`.
 * 2. Text is drawn on a machine without any fonts.
 * 3. A drawing cannot make it read a file or an address.
 * 4. What is not SVG is a NightmarkError (CHART_NOT_DRAWN).
 */
export interface PictureMaker {
  png(svg: string, options?: PictureOptions): Promise<Uint8Array>;
}

export interface PictureOptions {
  /** Pixels of the picture for one of the drawing; 1 by default, 2 for sharp screens. */
  readonly scale?: number;
}
