/** A unit in terms of its base unit (seconds, bytes): value * multiply / divide. Both are exact in a double. */
interface UnitScale {
  readonly unit: string;
  readonly multiply: number;
  readonly divide: number;
}

/** How to get to the base unit: "ms" is s / 1000, "KiB/s" is B/s * 1024; an unknown unit is its own base. */
export function toBase(unit: string): UnitScale {
  const [top = '', ...below] = unit.trim().split('/');
  const scale = SCALES.get(top.trim());
  if (!scale) return { unit: unit.trim(), multiply: 1, divide: 1 };
  return { ...scale, unit: [scale.unit, ...below.map((part) => part.trim())].join('/') };
}

/** The value in the base unit; dividing keeps 12 ms at exactly the double nearest to 0.012. */
export function inBase(value: number, { multiply, divide }: UnitScale): number {
  return (value * multiply) / divide;
}

/** Times and sizes should be small, rates large; of other units it is unknown. */
export function directionOf(baseUnit: string): 'lower' | 'higher' | 'unknown' {
  const [top, ...below] = baseUnit.split('/');
  if (below.includes('s') || below.includes('sec')) return 'higher';
  return top === 's' || top === 'B' ? 'lower' : 'unknown';
}

const SCALES = new Map<string, UnitScale>([
  ...scales('s', 1, 1, ['s', 'sec', 'secs', 'second', 'seconds']),
  ...scales('s', 1, 1e3, ['ms', 'msec', 'millisecond', 'milliseconds']),
  ...scales('s', 1, 1e6, ['us', '\u00b5s', '\u03bcs', 'usec', 'microsecond', 'microseconds']),
  ...scales('s', 1, 1e9, ['ns', 'nsec', 'nanosecond', 'nanoseconds']),
  ...scales('s', 60, 1, ['min', 'minute', 'minutes']),
  ...scales('s', 3600, 1, ['h', 'hour', 'hours']),
  ...scales('B', 1, 1, ['B', 'byte', 'bytes']),
  ...['K', 'M', 'G', 'T'].flatMap((letter, index) => [
    ...scales('B', 1000 ** (index + 1), 1, index === 0 ? ['kB', 'KB'] : [`${letter}B`]),
    ...scales('B', 1024 ** (index + 1), 1, [`${letter}iB`]),
  ]),
]);

function scales(unit: string, multiply: number, divide: number, names: readonly string[]) {
  return names.map((name): [string, UnitScale] => [name, { unit, multiply, divide }]);
}
