import type { ChangeRecord, Shift } from '../../../home/core/changes/change-record.ts';
import { seriesText } from '../../../home/core/changes/series-key.ts';
import { formatChange, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/visible.ts';

/** "+5.1 % (+3.9 to +6.3)"; in the unit of the values where the level before is zero. */
export function effectText({ difference, low, high, relative }: Shift, unit: string): string {
  if (!relative) {
    const [one, from, to] = [difference, low, high].map((value) => signed(value, unit));
    return `${one} (${from} to ${to})`;
  }
  const [from, to] = [relative.low, relative.high].map((value) => formatChange(value).replace(/.%$/u, ''));
  return plainly(`${formatChange(relative.change)} (${from} to ${to})`);
}

/** How sure it is, of 100: "99.8 %", never "100 %". */
export function certaintyText(p: number): string {
  if (!(p > 0.0001)) return '>99.99 %';
  const percent = (1 - p) * 100;
  return `${percent.toFixed(percent >= 99.9 ? 2 : 1)} %`;
}

/** From one level to the other: "12.5 ms -> 13.1 ms". */
export function levelsText({ before, after, unit }: Pick<ChangeRecord, 'before' | 'after' | 'unit'>): string {
  return plainly(`${formatNumber(before, unit)} -> ${formatNumber(after, unit)}`);
}

/** "sort/10000 +5.1 % (+3.9 to +6.3) worse, provisional": a change in a line. */
export function changeText(
  change: Pick<ChangeRecord, 'series' | 'shift' | 'unit' | 'direction' | 'isProvisional' | 'moved'>,
): string {
  const { series, shift, unit, direction, isProvisional, moved } = change;
  const word = direction === 'unknown' ? '' : ` ${direction}`;
  return `${visible(seriesText(series))} ${effectText(shift, unit)}${word}${isProvisional ? ', provisional' : ''}${movedText(moved)}`;
}

/** Where a machine changed: how many measurements say so. */
export function movedText(moved: number | undefined): string {
  return moved === undefined ? '' : `: ${moved} measurements moved together, and are judged without it`;
}

export function signed(value: number, unit: string): string {
  return plainly(`${value > 0 ? '+' : ''}${formatNumber(value, unit)}`);
}
