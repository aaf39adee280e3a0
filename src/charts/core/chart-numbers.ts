import { readableUnit } from '../../platform/core/text/numbers.ts';
import type { Axis } from './chart.ts';
import type { Extent } from './extent.ts';

/** In which multiple of its unit an axis is labelled: values are multiplied by `factor`. */
export interface AxisUnit {
  readonly factor: number;
  readonly unit: string;
}

/** One multiple for the whole axis, so that its ticks can be compared: that of the largest value. */
export function axisUnit({ unit = '' }: Axis, { low, high }: Extent): AxisUnit {
  const largest = Math.max(Math.abs(low), Math.abs(high));
  if (largest === 0) return { factor: 1, unit };
  const scaled = readableUnit(largest, unit);
  return { factor: scaled.value / largest, unit: scaled.unit };
}

/** The name of the axis with its unit: "latency [ms]". */
export function axisLabel({ label }: Axis, unit: string): string {
  return unit === '' ? label : `${label} [${unit}]`;
}

/** Numbers of one axis with the same number of decimals; large ones with k, M, G, T. */
export function tickTexts(ticks: readonly number[]): readonly string[] {
  const largest = Math.max(...ticks.map(Math.abs));
  const [size, sign] = PREFIXES.find(([from]) => largest >= (from === 1e3 ? 1e4 : from)) ?? [1, ''];
  if (largest >= 1e16 || (largest > 0 && largest < 1e-4)) return ticks.map(exponent);
  const scaled = ticks.map((tick) => tick / size);
  const decimals = Math.min(9, Math.max(...scaled.map(decimalsOf)));
  return scaled.map((value) =>
    value === 0 ? '0' : `${value < 0 ? '−' : ''}${grouped(Math.abs(value).toFixed(decimals))}${sign}`,
  );
}

/** Each number with as many digits as it needs: for an axis of powers. */
export function logTickTexts(ticks: readonly number[]): readonly string[] {
  return ticks.map((tick) => {
    if (tick >= 1e16 || tick < 1e-4) return exponent(tick);
    const [size, sign] = PREFIXES.find(([from]) => tick >= from) ?? [1, ''];
    return `${Number((tick / size).toPrecision(6))}${sign}`;
  });
}

const PREFIXES: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

function decimalsOf(value: number): number {
  const text = String(Number(value.toPrecision(10)));
  return text.includes('e') ? 0 : (text.split('.')[1]?.length ?? 0);
}

function exponent(value: number): string {
  return value === 0
    ? '0'
    : String(Number(value.toPrecision(3)).toExponential())
        .replace('e+', 'e')
        .replaceAll('-', '−');
}

function grouped(digits: string): string {
  const [whole = '', part] = digits.split('.');
  const gaps = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return part === undefined ? gaps : `${gaps}.${part}`;
}

/**
 * A number with so many significant figures, as "%.3g" of C and Python writes it: no zeros at the end, an exponent of at
 * least two digits below 0.0001 and where the figures do not reach the decimal point.
 */
export function significant(value: number, figures: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const digits = Math.min(Math.max(1, Math.round(figures)), 17);
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return stripped(value.toFixed(digits - 1 - exponent));
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${stripped(mantissa)}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** The label of a bar: one figure less below 1, one alone where the text gets long, nothing for zero. */
export function barText(value: number, figures: number): string {
  if (value === 0 || !Number.isFinite(value)) return '';
  const text = significant(value, Math.abs(value) < 1 ? figures - 1 : figures);
  return text.includes('e+') && text.length > 6 ? significant(value, 1) : text;
}

function stripped(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
