import { type ByteReader, type ByteWriter, damaged } from './byte-stream.ts';

/**
 * Integers as deltas of the order (0, 1 or 2) that is smallest: deltas of deltas of regular times are all zeros. Frames of
 * 128 have a minimum and a bit width, so that an outlier costs its own frame only, and any value is one 32-bit read.
 */
export function writeIntegers(out: ByteWriter, values: Float64Array): void {
  if (isSteadyWalk(values)) {
    out.byte(1 | STEADY);
    out.whole(values[0] as number);
    out.whole((values[1] as number) - (values[0] as number));
    return;
  }
  const orders = [values, differences(values), differences(differences(values))];
  let [best, bestCost] = [0, Number.POSITIVE_INFINITY];
  for (const [order, residuals] of orders.entries()) {
    const cost = costOf(residuals) + order * 4;
    if (cost < bestCost && order <= values.length) [best, bestCost] = [order, cost];
  }
  const residuals = orders[best] as Float64Array;
  const isSteady = residuals.length > 0 && residuals.every((value) => value === residuals[0]);
  out.byte(best | (isSteady ? STEADY : 0));
  for (let order = 0; order < best; order++) out.whole((orders[order] as Float64Array)[0] as number);
  if (isSteady) out.whole(residuals[0] as number);
  else
    for (let at = 0; at < residuals.length; at += GROUP) writeGroup(out, residuals.subarray(at, at + GROUP));
}

export function readIntegers(input: ByteReader, length: number): Float64Array {
  const values = new Float64Array(length);
  fillIntegers(input, values);
  return values;
}

/** Fills the array. */
export function fillIntegers(input: ByteReader, values: Float64Array): void {
  const mode = input.byte();
  const order = mode & 3;
  const starts = Array.from({ length: order }, () => input.whole());
  const end = values.length;
  if (mode & STEADY) {
    const step = input.whole();
    if (order === 1) {
      const start = starts[0] as number;
      for (let i = 0; i < end; i++) values[i] = start + i * step;
      return;
    }
    values.fill(step, order);
  } else for (let from = order; from < end; from += GROUP) readGroup(input, values, from);
  if (order === 1) sumUp(values, starts[0] as number);
  if (order === 2) sumUpTwice(values, starts[0] as number, starts[1] as number);
}

/** Whether these are integers, none of them minus zero, within a span that is encoded exactly. */
export function areIntegers(values: Float64Array): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return false;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low < MAX_SPAN || values.length === 0;
}

const GROUP = 128;
const STEADY = 0x80;
/** Sums and differences of anything below are exact in 64-bit floats. */
const MAX_SPAN = 2 ** 51;
/** Up to 24 bits, with at most 7 bits before them, are within 32 bits; wider values take whole bytes. */
const NARROW_BITS = 24;

/** Many values in equal steps: no form is smaller than their first delta, so no other is tried. */
function isSteadyWalk(values: Float64Array): boolean {
  const step = (values[1] as number) - (values[0] as number);
  if (values.length < GROUP || step === 0) return false;
  for (let i = 2; i < values.length; i++)
    if ((values[i] as number) - (values[i - 1] as number) !== step) return false;
  return true;
}

function differences(values: Float64Array): Float64Array {
  const result = new Float64Array(Math.max(0, values.length - 1));
  for (let i = 0; i < result.length; i++) result[i] = (values[i + 1] as number) - (values[i] as number);
  return result;
}

/** Size in bytes; infinite where deltas are too large to be exact. */
function costOf(residuals: Float64Array): number {
  let cost = 0;
  let isSteady = true;
  for (let at = 0; at < residuals.length; at += GROUP) {
    const end = Math.min(at + GROUP, residuals.length);
    let low = residuals[at] as number;
    let high = low;
    for (let i = at + 1; i < end; i++) {
      const value = residuals[i] as number;
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    if (high - low >= MAX_SPAN * 2) return Number.POSITIVE_INFINITY;
    if (low !== high || low !== residuals[0]) isSteady = false;
    cost += 4 + ((end - at) * widthOf(high - low)) / 8;
  }
  return isSteady ? 4 : cost;
}

function widthOf(span: number): number {
  if (span < 2 ** NARROW_BITS) return 32 - Math.clz32(span);
  return (
    8 *
    Math.ceil((64 - Math.clz32(Math.floor(span / 2 ** 32)) - (span >= 2 ** 32 ? 0 : Math.clz32(span))) / 8)
  );
}

function writeGroup(out: ByteWriter, group: Float64Array): void {
  let low = group[0] as number;
  let high = low;
  for (const value of group) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const width = widthOf(high - low);
  out.whole(low);
  out.byte(width);
  const bytes = out.claim(Math.ceil((group.length * width) / 8));
  if (width > NARROW_BITS) {
    writeWide(bytes, { group, low, size: width / 8 });
    return;
  }
  let [bits, filled, at] = [0, 0, 0];
  for (let i = 0; i < group.length && width > 0; i++) {
    bits |= ((group[i] as number) - low) << filled;
    filled += width;
    while (filled >= 8) {
      bytes[at++] = bits;
      bits >>>= 8;
      filled -= 8;
    }
  }
  if (filled > 0) bytes[at] = bits;
}

/** The group whose first value is at `from`. */
function readGroup(input: ByteReader, values: Float64Array, from: number): void {
  const end = Math.min(from + GROUP, values.length);
  const low = input.whole();
  const width = input.byte();
  if (width > 56) throw damaged('a bit width is too large');
  const start = input.position;
  input.skip(Math.ceil(((end - from) * width) / 8));
  const { bytes } = input;
  if (width > NARROW_BITS)
    readWide(bytes.subarray(start), { group: values.subarray(from, end), low, size: width / 8 });
  if (width === 0) values.fill(low, from, end);
  if (width > NARROW_BITS || width === 0) return;
  // A block ends in three bytes of padding, so that there are always four to read.
  if (input.position + 3 > bytes.length) throw damaged('it ends too early');
  const mask = 2 ** width - 1;
  const { view } = input;
  let bit = start * 8;
  for (let i = from; i < end; i++) {
    values[i] = low + ((view.getInt32(bit >>> 3, true) >>> (bit & 7)) & mask);
    bit += width;
  }
}

interface WideGroup {
  readonly group: Float64Array;
  readonly low: number;
  readonly size: number;
}

function writeWide(bytes: Uint8Array, { group, low, size }: WideGroup): void {
  let at = 0;
  for (const value of group) {
    let rest = value - low;
    for (let i = 0; i < size; i++) {
      bytes[at++] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }
}

function readWide(bytes: Uint8Array, { group, low, size }: WideGroup): void {
  let at = 0;
  for (let i = 0; i < group.length; i++) {
    let [value, scale] = [0, 1];
    for (let k = 0; k < size; k++) {
      value += (bytes[at++] as number) * scale;
      scale *= 256;
    }
    group[i] = low + value;
  }
}

function sumUp(values: Float64Array, first: number): void {
  let sum = first;
  values[0] = sum;
  for (let i = 1; i < values.length; i++) {
    sum += values[i] as number;
    values[i] = sum;
  }
}

function sumUpTwice(values: Float64Array, first: number, step: number): void {
  let [sum, delta] = [first + step, step];
  values[0] = first;
  values[1] = sum;
  for (let i = 2; i < values.length; i++) {
    delta += values[i] as number;
    sum += delta;
    values[i] = sum;
  }
}
