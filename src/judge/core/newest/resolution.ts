/**
 * Smallest step that the values can show, from the decimals that they are written with: 12 may mean 11.6 or 12.4.
 * Values that a computer prints in full have one that does not matter.
 */
export function resolutionOf(values: Float64Array): number {
  let decimals = 0;
  for (const value of values) {
    decimals = Math.max(decimals, decimalsOf(value));
    // Finer than a number of this size can be: more values would not make it matter, and text costs time.
    if (10 ** -decimals <= Math.abs(value) * Number.EPSILON) break;
  }
  return 10 ** -decimals;
}

function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}
