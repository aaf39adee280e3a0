import { type ByteReader, ByteWriter, damaged } from './byte-stream.ts';
import { areIntegers, fillIntegers, readIntegers, writeIntegers } from './integer-codec.ts';

/** Floats, lossless, in the smallest of these forms: one value, run lengths, decimals, XOR of neighbours, or raw. */
export function writeFloats(out: ByteWriter, values: Float64Array): void {
  const runs = runStarts(values);
  if (runs.length <= 1 && values.length > 0) {
    out.byte(FORM.one);
    out.number(values[0] as number);
    return;
  }
  // The size of the raw form, which is used only where no other is smaller.
  let best: ByteWriter | undefined;
  let least = 1 + values.length * 8;
  const consider = (candidate: ByteWriter) => {
    if (candidate.length < least) [best, least] = [candidate, candidate.length];
  };
  if (runs.length > 0 && runs.length <= values.length / 3)
    consider(written(FORM.runs, (form) => writeRuns(form, values, runs)));
  const decimals = asDecimals(values);
  if (decimals) {
    consider(
      written(FORM.decimals, (form) => {
        form.byte(decimals.places);
        writeIntegers(form, decimals.wholes);
      }),
    );
  }
  // The XOR form hardly ever needs less than two bytes a value: do not try.
  if (least > values.length * 2) consider(written(FORM.xor, (form) => writeXor(form, bytesOf(values))));
  best ??= written(FORM.raw, (form) => form.append(bytesOf(values)));
  out.append(best.finish());
}

/** Fills the array. */
export function fillFloats(input: ByteReader, values: Float64Array): void {
  const count = values.length;
  const form = input.byte();
  if (form === FORM.one) values.fill(input.number());
  else if (form === FORM.raw) bytesOf(values).set(input.take(count * 8));
  else if (form === FORM.xor) bytesOf(values).set(readXor(input, count));
  else if (form === FORM.runs) fillRuns(input, values);
  else if (form !== FORM.decimals) throw damaged(`invalid form ${form} of floats`);
  else {
    const scale = 10 ** input.byte();
    fillIntegers(input, values);
    if (scale !== 1) for (let i = 0; i < count; i++) values[i] = (values[i] as number) / scale;
  }
}

/** Stored on disk: never renumbered. */
const FORM = { raw: 0, one: 1, decimals: 2, xor: 3, runs: 4 } as const;
/** Values with more decimal places are measured noise, not written decimals. */
const MAX_PLACES = 9;

function written(form: number, write: (out: ByteWriter) => void): ByteWriter {
  const out = new ByteWriter();
  out.byte(form);
  write(out);
  return out;
}

/** Indexes of values that differ, by their bits, from the one before. */
function runStarts(values: Float64Array): Float64Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const starts = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const k = i * 2;
    if (i === 0 || words[k] !== words[k - 2] || words[k + 1] !== words[k - 1]) starts[count++] = i;
  }
  return starts.subarray(0, count);
}

function writeRuns(out: ByteWriter, values: Float64Array, starts: Float64Array): void {
  out.count(starts.length);
  writeIntegers(out, starts);
  // A run is not followed by itself, so this ends at the next level.
  writeFloats(
    out,
    starts.map((start) => values[start] as number),
  );
}

function fillRuns(input: ByteReader, values: Float64Array): void {
  const runs = input.count();
  if (runs > values.length) throw damaged('it has more runs than values');
  const starts = readIntegers(input, runs);
  const firsts = new Float64Array(runs);
  fillFloats(input, firsts);
  for (let i = 0; i < runs; i++) values.fill(firsts[i] as number, starts[i], starts[i + 1] ?? values.length);
}

/** Integers that give exactly these values when divided by a power of ten, if they exist. */
function asDecimals(values: Float64Array): { places: number; wholes: Float64Array } | undefined {
  const wholes = new Float64Array(values.length);
  let places = 0;
  let scale = 1;
  let scaledFrom = 0;
  for (let i = 0; i < values.length; ) {
    const value = values[i] as number;
    const whole = Math.round(value * scale);
    if (whole / scale === value && !Object.is(value, -0)) wholes[i++] = whole;
    else if (++places > MAX_PLACES || !Number.isFinite(value) || value === 0) return undefined;
    else {
      scale = 10 ** places;
      scaledFrom = i;
    }
  }
  // Earlier values were scaled by fewer places: they are scaled and checked again.
  for (let i = 0; i < scaledFrom; i++) {
    const whole = Math.round((values[i] as number) * scale);
    if (whole / scale !== values[i]) return undefined;
    wholes[i] = whole === 0 ? 0 : whole;
  }
  return areIntegers(wholes) ? { places, wholes } : undefined;
}

/**
 * 64-bit values as XOR with the one before (after Gorilla, Pelkonen et al. 2015), in groups of 128: bytes that are zero in
 * a whole group are left out. Words are little-endian, as on every machine that Node runs on but one.
 */
export function writeXor(out: ByteWriter, words: Uint8Array): void {
  const count = words.length / 8;
  for (let from = 0; from < count; from += WORD_GROUP) {
    const to = Math.min(from + WORD_GROUP, count);
    const [low, high] = usedBytes(words, from, to);
    out.byte((low << 4) | high);
    const size = high - low;
    const bytes = out.claim(size * (to - from));
    let at = 0;
    for (let i = from; i < to; i++) {
      for (let k = i * 8 + low; k < i * 8 + high; k++)
        bytes[at++] = (words[k] as number) ^ (k < 8 ? 0 : (words[k - 8] as number));
    }
  }
}

export function readXor(input: ByteReader, count: number): Uint8Array {
  const words = new Uint8Array(count * 8);
  for (let from = 0; from < count; from += WORD_GROUP) {
    const to = Math.min(from + WORD_GROUP, count);
    const used = input.byte();
    const [low, high] = [used >> 4, used & 15];
    const bytes = input.take(Math.max(0, high - low) * (to - from));
    let at = 0;
    for (let i = from; i < to; i++) {
      const start = i * 8;
      if (i > 0) words.copyWithin(start, start - 8, start);
      for (let k = start + low; k < start + high; k++)
        words[k] = (words[k] as number) ^ (bytes[at++] as number);
    }
  }
  return words;
}

/** The eight bytes of each value, in a view of the same memory. */
export function bytesOf(values: Float64Array | BigInt64Array | BigUint64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

const WORD_GROUP = 128;

/** The range of bytes in which any word of the group differs from the one before. */
function usedBytes(words: Uint8Array, from: number, to: number): readonly [low: number, high: number] {
  const differs = new Uint8Array(8);
  for (let k = from * 8; k < to * 8; k++) {
    differs[k & 7] =
      (differs[k & 7] as number) | ((words[k] as number) ^ (k < 8 ? 0 : (words[k - 8] as number)));
  }
  let [low, high] = [0, 8];
  while (low < 8 && differs[low] === 0) low++;
  while (high > low && differs[high - 1] === 0) high--;
  return [low, high];
}
