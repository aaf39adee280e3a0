import { px } from './drawing.ts';

/** Pixels of a band; NaN is a gap. */
export interface BandEdges {
  readonly xs: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
}

/**
 * The path of a band: along its upper edge and back along the lower one, for each stretch without gaps. Per column of
 * pixels it is as wide as its widest point, so that ten thousand points cost no more than can be seen.
 */
export function bandPath({ xs, highs, lows }: BandEdges): string {
  const path: string[] = [];
  let upper: string[] = [];
  let lower: string[] = [];
  const close = () => {
    if (upper.length > 0) path.push(`M${upper.join('L')}L${lower.toReversed().join('L')}z`);
    upper = [];
    lower = [];
  };
  for (let start = 0; start < xs.length; ) {
    const x = xs[start] ?? Number.NaN;
    // Down is up in pixels: the upper edge has the smaller number.
    let [top, bottom] = [highs[start] ?? Number.NaN, lows[start] ?? Number.NaN];
    let end = start + 1;
    while (
      end < xs.length &&
      Math.floor(xs[end] ?? Number.NaN) === Math.floor(x) &&
      Number.isFinite((highs[end] ?? Number.NaN) + (lows[end] ?? Number.NaN))
    ) {
      top = Math.min(top, highs[end] ?? top);
      bottom = Math.max(bottom, lows[end] ?? bottom);
      end++;
    }
    if (Number.isFinite(x + top + bottom)) {
      upper.push(`${px(x)} ${px(top)}`);
      lower.push(`${px(x)} ${px(bottom)}`);
    } else close();
    start = end;
  }
  close();
  return path.join('');
}
