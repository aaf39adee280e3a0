/** The longest a server may have us wait: beyond it people think that nothing happens. */
const LONGEST_MS = 120_000;

/** The wait that a Retry-After header requests: seconds, or a date. Undefined when it says nothing that can be understood. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  // A date of HTTP begins with the day of the week; Date.parse alone would take "1.5" for a year.
  const at = /^[A-Z][a-z]{2,8}, ?\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - nowMs), LONGEST_MS);
}

/** Why a request failed that should be made again: the cause of a DOWNLOAD_UNREACHABLE whose server sent Retry-After. */
export class ServerBusy extends Error {
  override readonly name = 'ServerBusy';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super(`requests a wait of ${retryAfterMs / 1000} s`);
    this.retryAfterMs = retryAfterMs;
  }
}
