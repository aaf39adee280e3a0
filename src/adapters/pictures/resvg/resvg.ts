import type { PictureMaker } from '../../../core/ports/picture-maker.ts';
import { createRasterizer } from '../../../core/raster/rasterize.ts';
import { encodeSheet } from './encode-png.ts';
import { fonts } from './fonts.ts';
import { readyLetters } from './letters.ts';

/** SVG to PNG: charts by our own hand, every other drawing by resvg. No browser, no scripts, no network. */
export const resvg: PictureMaker = {
  id: 'resvg',
  async png(svg, options = {}) {
    const sheet = rasterize(svg, options.scale ?? 1);
    if (sheet) return encodeSheet(sheet);
    // To load it takes longer than to draw a chart, and few drawings need it.
    const { renderPng } = await import('./render-png.ts');
    return renderPng(svg, options);
  },
};

const rasterize = createRasterizer({ fonts, ready: readyLetters });
