const MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
};

/** For messages where a duration was expected. */
export const DURATION = 'a duration with its unit, such as 30s, 15m, 2h or 7d';

/** Node's timers hold at most 2^31 - 1 ms, a little more than 24 days. */
export const LONGEST_TIMEOUT_MS = 24 * 86_400_000;

/** A server is not polled for new commits more often. */
export const SHORTEST_WATCH_MS = 10_000;

/** "2h", "1h30m", "1.5 d" -> milliseconds; undefined when invalid or not above zero. */
export function parseDuration(text: string): number | undefined {
  if (!/^\s*(?:\d+(?:\.\d+)?\s*(?:ms|s|min|m|h|d|w|y)\s*)+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d|w|y)/g)) {
    total += Number(amount) * (MS[unit] ?? Number.NaN);
  }
  return Number.isFinite(total) && total > 0 ? Math.round(total) : undefined;
}

/** The default limit for graphs and data files of a site. */
export const DEFAULT_SITE_SIZE = '500MB';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
};

/** "512MB", "16G", "1.5 GiB" -> bytes; undefined when it is not a size above zero. Units are powers of 1,024. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(amount) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
