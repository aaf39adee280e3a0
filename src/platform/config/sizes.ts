/** Room for graphs and data files of a site where nobody says otherwise. */
export const USUAL_SITE_SIZE = '500MB';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
};

/** "512MB", "16G", "1.5 GiB" -> bytes; undefined when it is no size above zero. Units are powers of 1,024. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(amount) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
