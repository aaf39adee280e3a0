import { compareNaturally } from '../../../platform/core/text/text-order.ts';

/** "1.10", "v2.0.0-rc1+2024-09-02": numbers with dots first, then anything behind a dash or a plus. */
const VERSION =
  /^v?(\d+(?:\.\d+)*)(?:[-_.]?((?:rc|a|b|alpha|beta|dev|pre|post)[\w.]*)|-([^+]*))?(?:\+(.*))?$/i;

export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** Older versions first: 1.9 before 1.10, and a release after what preceded it (https://semver.org, rule 11). */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [VERSION.exec(a), VERSION.exec(b)];
  if (!one || !other) return compareNaturally(a, b);
  const numbers = compareNumbers(one[1] ?? '', other[1] ?? '');
  if (numbers !== 0) return numbers;
  const [before, otherBefore] = [one[2] ?? one[3], other[2] ?? other[3]];
  if ((before === undefined) !== (otherBefore === undefined)) {
    return before === undefined ? rankOf(otherBefore) : -rankOf(before);
  }
  const early = compareNaturally(before ?? '', otherBefore ?? '');
  return early || compareNaturally(one[4] ?? '', other[4] ?? '') || compareNaturally(a, b);
}

/** A "post" release follows the release; everything else precedes it. */
function rankOf(suffix: string | undefined): number {
  return /^post/i.test(suffix ?? '') ? -1 : 1;
}

/** 1.2 and 1.2.0 are the same. */
function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compareNaturally(strip(left[at]), strip(right[at]));
    if (order !== 0) return order;
  }
  return 0;
}

function strip(digits = '0'): string {
  return digits.replace(/^0+(?=\d)/, '');
}
