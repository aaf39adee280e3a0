import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflate } from 'node:zlib';
import type { RenderedImage, ResvgRenderOptions } from '@resvg/resvg-js';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { packageFile } from '../../platform/core/package-file.ts';
import type { PictureMaker } from '../core/picture-maker.ts';

/**
 * SVG to PNG by resvg, in a thread of the pool. No browser, no scripts, no network. It knows no CSS variables:
 * the theme is `light` or `dark`, not `auto`.
 */
export const resvg: PictureMaker = {
  async png(svg, { scale = 1 } = {}) {
    try {
      const ground = GROUND.exec(svg)?.[1];
      const image = await render(withoutImages(svg), {
        ...(ground !== undefined && { background: ground }),
        fitTo: { mode: 'zoom', value: scale },
        font: { ...fontsFor(svg), defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
      });
      // Where something shines through, the colours of the pixels are not those of a PNG.
      return ground === undefined ? image.asPng() : await encodePng(image);
    } catch (cause) {
      throw new NightmarkError(
        'CHART_NOT_DRAWN',
        `The drawing could not be made a picture: ${messageOf(cause)}.`,
        {
          hint: 'Write it as SVG (--format svg) and open that in a browser to find the problem.',
          cause,
        },
      );
    }
  },
};

/** The first mark of a chart: a plain colour over the whole of it. */
const GROUND = /^<svg\b[^>]*><rect width="[\d.]+" height="[\d.]+" fill="(#[0-9a-fA-F]{6})"\/>/;

const require = createRequire(import.meta.url);

interface Renderer {
  renderAsync(svg: string, options: string): Promise<RenderedImage>;
}

let renderer: Renderer | undefined;

function render(svg: string, options: ResvgRenderOptions): Promise<RenderedImage> {
  renderer ??= loadRenderer();
  return renderer.renderAsync(svg, JSON.stringify(options));
}

/**
 * The package requests a diagnostic report of Node to learn which C library there is, which takes as long as a chart. npm
 * installs the build that fits, so the usual one is tried first.
 */
function loadRenderer(): Renderer {
  try {
    if (process.platform === 'linux') return require(`@resvg/resvg-js-linux-${process.arch}-gnu`) as Renderer;
  } catch {
    // Another C library: the package finds out.
  }
  return require('@resvg/resvg-js/js-binding.js') as Renderer;
}

/** The library reads the files that images name; a chart has no images. Entities could hide one: none are allowed. */
function withoutImages(svg: string): string {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(svg)) throw new Error('it declares a document type');
  return svg.replace(/<(\/?(?:[\w.-]+:)?)(?:image|feImage)\b/gi, '<$1g');
}

/**
 * The library reads the font files anew for each text, so most charts get the small ones of this package. No chart
 * depends on the fonts of the machine, unless DejaVu lacks its glyphs.
 */
function fontsFor(svg: string): { readonly fontFiles: string[]; readonly loadSystemFonts: boolean } {
  const folder = BEYOND_SMALL_FONT.test(svg) ? wholeFont() : SMALL_FONT;
  return {
    fontFiles: [`${folder}/DejaVuSans.ttf`, `${folder}/DejaVuSans-Bold.ttf`],
    loadSystemFonts: BEYOND_DEJAVU.test(svg),
  };
}

const SMALL_FONT = fileURLToPath(packageFile(import.meta.url, 'fonts'));

function wholeFont(): string {
  return dirname(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
}

/** What the small font has (fonts/README.md), also where it is written by its number. */
const BEYOND_SMALL_FONT =
  /[^\t\n\r -\u017f\u0391-\u03c9\u2000-\u2044\u2190-\u2193\u2212\u221e\u2248\u2264\u2265]|&#(?:[xX]|\d{4})/;

/** Chinese, Japanese, Korean and emoji. */
const BEYOND_DEJAVU =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|[\u{1f300}-\u{1faff}]/u;

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, a byte each. */
  readonly pixels: Uint8Array;
}

/**
 * A PNG (https://www.w3.org/TR/png-3/) of opaque pixels, without filters: charts are plain areas. A quarter of the time
 * of resvg's own encoder for the same size, and in a thread of the pool.
 */
export async function encodePng({ width, height, pixels }: Pixels): Promise<Uint8Array> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([BITS_A_CHANNEL, COLOUR_AND_ALPHA], 8);
  const stride = width * 4;
  // Each row begins with the number of its filter: 0, none.
  const rows = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  const packed = await new Promise<Buffer>((resolve, reject) => {
    deflate(rows, { level: 1, chunkSize: 2 ** 16 }, (error, bytes) =>
      error ? reject(error) : resolve(bytes),
    );
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', packed),
    chunk('IEND', new Uint8Array()),
  ]);
}

const SIGNATURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [BITS_A_CHANNEL, COLOUR_AND_ALPHA] = [8, 6];

function chunk(type: string, content: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([size, named, check]);
}
