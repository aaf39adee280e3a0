import { NightmarkError } from '../../../core/errors.ts';
import type { PictureOptions } from '../../../core/ports/picture-maker.ts';
import { render } from './binding.ts';
import { encodePixels } from './encode-png.ts';
import { fontFiles, fonts } from './fonts.ts';
import { outlineTexts } from './outline-text.ts';

/** Any drawing, by resvg. */
export async function renderPng(svg: string, { scale = 1 }: PictureOptions = {}): Promise<Uint8Array> {
  try {
    const isBeyond = BEYOND_ASCII.test(svg) && BEYOND_FONT.test(svg);
    const plain = withoutImages(svg);
    const drawing = isBeyond ? plain : outlineTexts(plain, fonts);
    const ground = GROUND.exec(drawing)?.[1];
    const image = await render(drawing, {
      ...(ground !== undefined && { background: ground }),
      fitTo: { mode: 'zoom', value: scale },
      font: {
        fontFiles: drawing.includes('<text') ? [...fontFiles()] : [],
        // Our own font has no Chinese, Japanese, Korean or emoji; to look through those of the machine takes time.
        loadSystemFonts: isBeyond,
        defaultFontFamily: 'DejaVu Sans',
        sansSerifFamily: 'DejaVu Sans',
      },
    });
    // Where something shines through, colours are stored in another way than the renderer gives them.
    if (ground === undefined) return image.asPng();
    return encodePixels({ width: image.width, height: image.height, bytes: image.pixels });
  } catch (cause) {
    throw new NightmarkError(
      'CHART_NOT_DRAWN',
      `The drawing could not be made a picture: ${reason(cause)}.`,
      {
        hint: 'Write it as SVG (--format svg) and open that in a browser to see what is wrong with it.',
        cause,
      },
    );
  }
}

/** The first mark of a chart: a plain colour over the whole of it. */
const GROUND = /^<svg\b[^>]*><rect width="[\d.]+" height="[\d.]+" fill="(#[0-9a-fA-F]{6})"\/>/;

/** Asked first, as the other pattern takes longer to compile than most drawings to be looked through. */
const BEYOND_ASCII = /[\u0080-\uffff]/;
const BEYOND_FONT =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60]|[\u{1f300}-\u{1faff}]/u;

/** The library reads the files that images name; a chart has no images. Entities could hide one: none are allowed. */
function withoutImages(svg: string): string {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(svg)) throw new Error('it declares a document type');
  return svg.replace(/<(\/?(?:[\w.-]+:)?)(?:image|feImage)\b/gi, '<$1g');
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
