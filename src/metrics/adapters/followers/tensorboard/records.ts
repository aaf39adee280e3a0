import { maskedCrc32c } from './crc32c.ts';

export interface RecordScan {
  readonly records: readonly Uint8Array[];
  /** Bytes of whole records. */
  readonly taken: number;
  /** Where it ended, the length of a record is damaged. */
  readonly isStuck: boolean;
  readonly problems: readonly { readonly at: number; readonly text: string }[];
}

const HEAD = 12;
const FOOT = 4;

/**
 * TFRecords: length (8 bytes), checksum of the length, data, checksum of the data. Ends before a record that is not whole.
 * A wrong checksum at the very end may be one that is being written: it waits too. A record with damaged data is passed
 * over; where a length is damaged nobody knows where the next one begins, and reading stays there.
 */
export function scanRecords(bytes: Uint8Array, { isEnd }: { readonly isEnd: boolean }): RecordScan {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: Uint8Array[] = [];
  const problems: { at: number; text: string }[] = [];
  let at = 0;
  let isStuck = false;
  while (at + HEAD <= bytes.length) {
    if (view.getUint32(at + 8, true) !== maskedCrc32c(bytes.subarray(at, at + 8))) {
      isStuck = !isEnd || at + HEAD < bytes.length;
      if (isStuck) problems.push({ at, text: 'the length of a record is damaged' });
      break;
    }
    const length = Number(view.getBigUint64(at, true));
    const end = at + HEAD + length + FOOT;
    if (end > bytes.length) break;
    const data = bytes.subarray(at + HEAD, at + HEAD + length);
    if (view.getUint32(end - FOOT, true) === maskedCrc32c(data)) records.push(data);
    else if (isEnd && end === bytes.length) break;
    else problems.push({ at, text: 'the data of a record is damaged; it is passed over' });
    at = end;
  }
  return { records, taken: at, isStuck, problems };
}
