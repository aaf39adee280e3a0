import { sha256 } from '../../../platform/core/text/sha256.ts';
import type { JudgedSeries } from './change-record.ts';
import { seriesKey } from './series-key.ts';

const LETTERS = 7;

/**
 * A short name that can be typed. It follows from the series and the run at which the change was first found, so that a
 * ledger that was lost and made anew has the same names. Longer where that name is taken.
 */
export function changeId(series: JudgedSeries, runId: string, isTaken: (id: string) => boolean): string {
  const digest = BigInt(`0x${sha256(`${seriesKey(series)}\n${runId}`)}`).toString(36);
  for (let length = LETTERS; length < digest.length; length++) {
    const id = digest.slice(0, length);
    if (!isTaken(id)) return id;
  }
  return digest;
}
