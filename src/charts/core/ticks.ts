import type { Extent } from './extent.ts';

/** Round numbers (1, 2 or 5 times a power of ten) that enclose the extent, about `count` of them. */
export function linearTicks({ low, high }: Extent, count: number): readonly number[] {
  const step = niceStep((high - low) / Math.max(1, count));
  // Near the limits of the numbers no round step exists any more.
  if (!Number.isFinite(step) || step <= 0 || low + step === low) return [low, high];
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step, decimals));
}

/** Powers of ten; with 2 and 5 between them where there are few, every so many where there are lots. */
export function logTicks({ low, high }: Extent, count: number): readonly number[] {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.ceil(Math.log10(high) - 1e-9);
  const decades = Math.max(1, last - first);
  const factors = decades * 3 <= count ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / count));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += every) {
    for (const factor of factors) ticks.push(Number(`${factor}e${power}`));
  }
  const inside = ticks.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  if (inside.length > 1) return inside;
  // Within one decade: the two that enclose the values.
  const from = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= low * (1 + 1e-9)),
  );
  const to = ticks.findIndex((tick) => tick >= high * (1 - 1e-9));
  return ticks.slice(from, to < 0 ? undefined : Math.max(to, from + 1) + 1);
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const part = rough / power;
  return (part <= 1.0001 ? 1 : part <= 2.0001 ? 2 : part <= 5.0001 ? 5 : 10) * power;
}

/** 3 * 0.1 is 0.30000000000000004. */
function rounded(value: number, decimals: number): number {
  return decimals > 0 && decimals <= 100 ? Number(value.toFixed(decimals)) : value;
}
