import { floatOf, type WireField, wireFields } from '../../../../platform/core/protobuf.ts';

/** What of an event we keep: numbers with names. Pictures, histograms and graphs are passed over. */
export interface ScalarEvent {
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly step: bigint;
  readonly values: readonly (readonly [name: string, value: number])[];
}

/** Event of tensorflow/core/util/event.proto: 1 wall_time, 2 step, 5 summary. Throws RangeError when it is none. */
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
