/** Compares by code point, as Python sorts texts; JavaScript compares UTF-16 units, which differs beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Surrogates stand for what lies beyond U+FFFF, so they go behind; the end of a text comes first. */
function rank(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
