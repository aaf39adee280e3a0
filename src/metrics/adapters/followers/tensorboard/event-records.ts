import { floatOf, type WireField, wireFields } from '../../../../platform/core/protobuf.ts';

/** The scalars of an event. Images, histograms and graphs are skipped. */
export interface ScalarEvent {
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly step: bigint;
  readonly values: readonly (readonly [name: string, value: number])[];
}

/** Event of tensorflow/core/util/event.proto: 1 wall_time, 2 step, 5 summary. Throws RangeError when it is invalid. */
export function readEvent(bytes: Uint8Array): ScalarEvent {
  let wallTime = 0;
  let step = 0n;
  const values: (readonly [string, number])[] = [];
  for (const field of wireFields(bytes)) {
    if (field.number === 1) wallTime = floatOf(field.bytes) ?? 0;
    else if (field.number === 2) step = field.integer;
    else if (field.number === 5) values.push(...summaryValues(field.bytes));
  }
  return { wallTime, step, values };
}

/** Summary: repeated 1 value. Value: 1 tag, 2 simple_value, 8 tensor. */
function* summaryValues(bytes: Uint8Array): Generator<readonly [string, number]> {
  for (const field of wireFields(bytes)) {
    if (field.number !== 1) continue;
    let tag = '';
    let value: number | undefined;
    for (const part of wireFields(field.bytes)) {
      if (part.number === 1) tag = new TextDecoder().decode(part.bytes);
      else if (part.number === 2) value = floatOf(part.bytes);
      else if (part.number === 8) value = scalarOf([...wireFields(part.bytes)]);
    }
    // The plugin for hyperparameters hides its tables behind names of this kind.
    if (value !== undefined && tag !== '' && !tag.startsWith('_hparams_/')) yield [tag, value];
  }
}

const FLOAT = 1n;
const DOUBLE = 2n;

/** TensorProto: 1 dtype, 4 tensor_content, 5 float_val, 6 double_val. Undefined unless it holds exactly one number. */
function scalarOf(fields: readonly WireField[]): number | undefined {
  const type = fields.find(({ number }) => number === 1)?.integer;
  const place = type === FLOAT ? 5 : type === DOUBLE ? 6 : undefined;
  if (place === undefined) return undefined;
  const held = fields.filter(({ number, bytes }) => (number === 4 || number === place) && bytes.length > 0);
  const [only] = held;
  return held.length === 1 && only?.bytes.length === (type === FLOAT ? 4 : 8)
    ? floatOf(only.bytes)
    : undefined;
}

export interface RecordScan {
  readonly records: readonly Uint8Array[];
  /** Bytes of complete records. */
  readonly taken: number;
  /** It ended at a record whose length is damaged. */
  readonly isStuck: boolean;
  readonly problems: readonly { readonly at: number; readonly text: string }[];
}

const HEAD = 12;
const FOOT = 4;

/**
 * TFRecords: length (8 bytes), checksum of the length, data, checksum of the data. Ends before an incomplete record. A wrong
 * checksum at the very end may be a write in progress: it waits too. A record with damaged data is skipped; after a damaged
 * length the start of the next record is unknown, and reading stops there.
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
    else problems.push({ at, text: 'the data of a record is damaged; it is skipped' });
    at = end;
  }
  return { records, taken: at, isStuck, problems };
}

/** Castagnoli's polynomial, bits reversed. */
const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value >>> 0;
});

/** CRC-32C, masked as TFRecord has it: a checksum of data that holds checksums would be weak otherwise. */
function maskedCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
