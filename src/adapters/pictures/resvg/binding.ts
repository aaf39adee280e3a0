import { createRequire } from 'node:module';

/** What we use of a drawn picture. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  asPng(): Uint8Array;
}

interface Native {
  renderAsync(svg: string, options: string): Promise<Image>;
}

const require = createRequire(import.meta.url);

/** Draws in a thread of the pool. */
export function render(svg: string, options: Readonly<Record<string, unknown>>): Promise<Image> {
  native ??= loadNative();
  return native.renderAsync(svg, JSON.stringify(options));
}

let native: Native | undefined;

/**
 * The package asks Node for a whole diagnostic report to learn which C library there is, which takes as long as a chart.
 * npm has installed the one that fits: it is taken where it is found, else the package decides.
 */
function loadNative(): Native {
  try {
    if (process.platform === 'linux') return require(`@resvg/resvg-js-linux-${process.arch}-gnu`) as Native;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
  }
  return require('@resvg/resvg-js/js-binding.js') as Native;
}
