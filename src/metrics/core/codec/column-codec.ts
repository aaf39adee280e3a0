import { type ColumnValues, FIELD_TYPES, type FieldType, type Timestamps } from '../points/points.ts';
import { ByteReader, ByteWriter, damaged } from './byte-stream.ts';
import { bytesOf, fillFloats, readXor, writeFloats, writeXor } from './float-codec.ts';
import { readIntegers, writeIntegers } from './integer-codec.ts';
import { readTimestamps, writeTimestamps } from './timestamp-codec.ts';

/** The header of a block, which is read without its values. */
export interface ColumnSummary {
  readonly type: FieldType;
  readonly count: number;
  /** Of numbers that are not NaN; the nearest double of large integers. */
  readonly range?: NumberRange;
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly last: number;
  /** How many of the values are numbers and not NaN. */
  readonly numbers: number;
}

/** Encodes values of one column: lossless, and the same bytes for the same values. */
export function encodeColumn(values: ColumnValues): Uint8Array {
  const { type, timestamps, numbers, bigints, strings } = values;
  const count = timestamps.ms.length;
  const out = new ByteWriter(64 + count * 2);
  out.byte(VERSION);
  out.byte(FIELD_TYPES.indexOf(type) | (bigints ? LARGE : 0));
  out.count(count);
  if (numbers) writeRange(out, numbers);
  writeTimestamps(out, timestamps);
  if (strings) writeStrings(out, strings);
  else if (bigints) writeXor(out, bytesOf(bigints));
  else writeFloats(out, numbers ?? new Float64Array(count));
  // Padding: a 32-bit read from the last byte must stay inside.
  out.claim(3);
  return out.finish();
}

export function decodeColumn(bytes: Uint8Array): ColumnValues {
  const input = new ByteReader(bytes);
  const { type, count, isLarge } = readHeader(input);
  const timestamps = { ms: new Float64Array(count), ns: new Int32Array(count) };
  readTimestamps(input, timestamps);
  if (type === 'string') return { type, timestamps, strings: readStrings(input, count) };
  if (!isLarge) {
    const numbers = new Float64Array(count);
    fillFloats(input, numbers);
    return { type, timestamps, numbers };
  }
  const { buffer } = readXor(input, count);
  const bigints = type === 'unsigned' ? new BigUint64Array(buffer) : new BigInt64Array(buffer);
  return { type, timestamps, numbers: Float64Array.from(bigints, Number), bigints };
}

/**
 * Decodes several blocks into one column, without intermediate copies. Undefined: they are strings or large integers,
 * which are decoded block by block.
 */
export function decodeColumns(blocks: readonly Uint8Array[]): ColumnValues | undefined {
  const inputs = blocks.map((bytes) => new ByteReader(bytes));
  const heads = inputs.map(readHeader);
  const [first] = heads;
  if (!first || heads.some(({ type, isLarge }) => type === 'string' || isLarge)) return undefined;
  const count = heads.reduce((sum, head) => sum + head.count, 0);
  const timestamps: Timestamps = { ms: new Float64Array(count), ns: new Int32Array(count) };
  const numbers = new Float64Array(count);
  let at = 0;
  for (const [i, input] of inputs.entries()) {
    const end = at + (heads[i]?.count ?? 0);
    readTimestamps(input, { ms: timestamps.ms.subarray(at, end), ns: timestamps.ns.subarray(at, end) });
    fillFloats(input, numbers.subarray(at, end));
    at = end;
  }
  return { type: first.type, timestamps, numbers };
}

/** Decodes one block after the other into the same memory: the result is valid until the next one. */
export class ColumnDecoder {
  #ms = new Float64Array(0);
  #ns = new Int32Array(0);
  #numbers = new Float64Array(0);

  decode(bytes: Uint8Array): ColumnValues {
    const input = new ByteReader(bytes);
    const { type, count, isLarge } = readHeader(input);
    if (type === 'string' || isLarge) return decodeColumn(bytes);
    if (count > this.#ms.length) {
      this.#ms = new Float64Array(count);
      this.#ns = new Int32Array(count);
      this.#numbers = new Float64Array(count);
    }
    const timestamps = { ms: this.#ms.subarray(0, count), ns: this.#ns.subarray(0, count).fill(0) };
    readTimestamps(input, timestamps);
    const numbers = this.#numbers.subarray(0, count);
    fillFloats(input, numbers);
    return { type, timestamps, numbers };
  }
}

/** Reads only the header of a block. */
export function readSummary(bytes: Uint8Array): ColumnSummary {
  const { type, count, range } = readHeader(new ByteReader(bytes));
  return range ? { type, count, range } : { type, count };
}

const VERSION = 1;
const LARGE = 0x10;

function readHeader(input: ByteReader): ColumnSummary & { isLarge: boolean } {
  const version = input.byte();
  if (version !== VERSION) throw damaged(`unknown version ${version}`);
  const flags = input.byte();
  const type = FIELD_TYPES[flags & 15];
  if (type === undefined) throw damaged(`invalid type ${flags & 15}`);
  const count = input.count();
  // Values per byte are bounded, so that a damaged count cannot allocate all memory.
  if (count > input.bytes.length * 2 ** 20) throw damaged('its count of values is too large');
  const isLarge = (flags & LARGE) !== 0;
  return type === 'string' ? { type, count, isLarge } : { type, count, isLarge, range: readRange(input) };
}

function writeRange(out: ByteWriter, numbers: Float64Array): void {
  let [min, max, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i] as number;
    if (value < min) min = value;
    if (value > max) max = value;
    if (!Number.isNaN(value)) count++;
  }
  out.number(min);
  out.number(max);
  out.number(numbers.at(-1) ?? Number.NaN);
  out.count(count);
}

function readRange(input: ByteReader): NumberRange {
  return { min: input.number(), max: input.number(), last: input.number(), numbers: input.count() };
}

/** Dictionary encoding: the distinct strings, and indexes into them. */
function writeStrings(out: ByteWriter, texts: readonly string[]): void {
  const numbers = new Map<string, number>();
  const places = Float64Array.from(texts, (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
  out.count(numbers.size);
  for (const text of numbers.keys()) writeString(out, text);
  writeIntegers(out, places);
}

function readStrings(input: ByteReader, count: number): readonly string[] {
  const size = input.count();
  if (size > count) throw damaged('its dictionary is larger than its count of strings');
  const different = Array.from({ length: size }, () => readString(input));
  return Array.from(readIntegers(input, count), (place) => different[place] ?? '');
}

/** UTF-16, or a byte each where all characters are below 256: lossless for any string, even with lone surrogates. */
function writeString(out: ByteWriter, text: string): void {
  let isNarrow = true;
  for (let i = 0; i < text.length && isNarrow; i++) isNarrow = text.charCodeAt(i) < 256;
  out.count(text.length * 2 + (isNarrow ? 0 : 1));
  const bytes = out.claim(text.length * (isNarrow ? 1 : 2));
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isNarrow) bytes[i] = code;
    else {
      bytes[i * 2] = code;
      bytes[i * 2 + 1] = code >> 8;
    }
  }
}

function readString(input: ByteReader): string {
  const size = input.count();
  const step = 1 + (size % 2);
  const bytes = input.take(Math.floor(size / 2) * step);
  let text = '';
  for (let i = 0; i < bytes.length; i += step) {
    text += String.fromCharCode((bytes[i] as number) | (step === 2 ? (bytes[i + 1] as number) << 8 : 0));
  }
  return text;
}
