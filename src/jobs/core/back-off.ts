const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;

/** How long a job waits after so many failed attempts: 5 s, 10 s, 20 s ... and at most 5 minutes. */
export function backOffMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, Math.min(failures, 20) - 1));
}
