interface Range {
  readonly low: number;
  readonly high: number;
}

/** Maps values to places in a picture, to a tenth of a point; a range without width to the middle. */
export function scale({ low, high }: Range, from: number, to: number): (value: number) => number {
  if (high === low) return () => tenth((from + to) / 2);
  // Halved first: the width of a range may be more than the largest number.
  const width = high / 2 - low / 2;
  return (value) => tenth(from + ((value / 2 - low / 2) / width) * (to - from));
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
