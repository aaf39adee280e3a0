/** Stays narrow and never breaks a line: between thousands, and between a number and its unit. */
const THIN = '\u202f';

/**
 * A number for a person: three significant digits, whole digits never rounded away below ten million,
 * seconds and bytes in the multiple that reads best. The exact value belongs beside it (see exactNumber).
 */
export function formatNumber(value: number, unit = ''): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  const scaled = readableUnit(value, unit);
  // A count is exact as it stands; what was scaled, or is a time, was measured.
  const isCount = Number.isInteger(value) && scaled.unit === unit && !Object.hasOwn(SECONDS, unit);
  const digits = isCount ? countDigits(scaled.value) : threeDigits(scaled.value);
  return scaled.unit === '' ? digits : `${digits}${THIN}${scaled.unit}`;
}

/** The value as it was stored, with the unit as it was given. */
export function exactNumber(value: number, unit = ''): string {
  return unit === '' ? String(value) : `${value} ${unit}`;
}

/** A relative difference with its sign: 0.048 is "+4.8 %". */
export function formatChange(ratio: number): string {
  if (!Number.isFinite(ratio)) return '~';
  const percent = ratio * 100;
  if (Math.abs(percent) < 0.05) return `0.0${THIN}%`;
  const size = Math.abs(percent);
  return `${percent < 0 ? '−' : '+'}${size < 99.95 ? size.toFixed(1) : threeDigits(size)}${THIN}%`;
}

/** A duration in at most two units: "820 ms", "12.5 s", "1 h 12 min", "3 d 4 h". */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return '~';
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms < 999.5) return `${Math.round(ms)}${THIN}ms`;
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(1))}${THIN}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return pair(seconds, [60, 'min'], [1, 's']);
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return pair(minutes, [60, 'h'], [1, 'min']);
  return pair(Math.round(minutes / 60), [24, 'd'], [1, 'h']);
}

/** For terminals, logs and files that programs read: ordinary spaces and signs. */
export function plainly(text: string): string {
  return text.replaceAll(THIN, ' ').replaceAll('−', '-');
}

/** "1 night", "3 nights". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(String(count))} ${count === 1 ? one : many}`;
}

type Step = readonly [size: number, unit: string];

const SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 };
const TIME_STEPS: readonly Step[] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
];
const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  byte: 1,
  bytes: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};
const BYTE_STEPS: readonly Step[] = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
  [1, 'B'],
];

/** Seconds and bytes in the multiple that reads best; anything else as it is. */
export function readableUnit(value: number, unit: string): { value: number; unit: string } {
  // A time for each operation reads as a time does: 5 us/op.
  const per = /^(s|ms|us|ns)(\/.+)$/.exec(unit);
  if (per) {
    const { value: scaled, unit: top } = readableUnit(value, per[1] ?? '');
    return { value: scaled, unit: `${top}${per[2]}` };
  }
  for (const [sizes, steps] of [
    [SECONDS, TIME_STEPS],
    [BYTES, BYTE_STEPS],
  ] as const) {
    const size = Object.hasOwn(sizes, unit) ? sizes[unit] : undefined;
    if (size === undefined) continue;
    if (value === 0) return { value, unit };
    const base = value * size;
    // 0.9995 because three digits would round it up to the next step.
    const step = steps.find(([stepSize]) => Math.abs(base) >= stepSize * 0.9995) ?? steps.at(-1);
    if (step) return { value: base / step[0], unit: step[1] };
  }
  return { value, unit };
}

function threeDigits(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  if (size === 0) return '0';
  if (size >= 1e7 || size < 1e-4) return sign + size.toExponential(2).replace('e+', 'e').replace('e-', 'e−');
  if (size >= 999.5) return sign + grouped(String(Math.round(size)));
  return sign + Number(size.toPrecision(3)).toFixed(decimalsFor(size));
}

function countDigits(value: number): string {
  return Math.abs(value) < 1e7
    ? `${value < 0 ? '−' : ''}${grouped(String(Math.abs(value)))}`
    : threeDigits(value);
}

/** Decimals that leave three significant digits, also where rounding adds a digit in front (9.999). */
function decimalsFor(size: number): number {
  return Math.max(0, 2 - Math.floor(Math.log10(Number(size.toPrecision(3)))));
}

/** Four digits stand alone in tables of mixed sizes just as well with a gap. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, THIN);
}

function pair(count: number, [size, unit]: Step, [, smaller]: Step): string {
  const rest = count % size;
  const first = `${Math.floor(count / size)}${THIN}${unit}`;
  return rest === 0 ? first : `${first} ${rest}${THIN}${smaller}`;
}
