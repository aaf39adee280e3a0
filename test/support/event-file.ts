/** Writes event files of TensorBoard byte by byte, by the formats' descriptions and not with our reader's parts. */
export function eventRecord(event: {
  wallTime: number;
  step?: number;
  version?: string;
  scalars?: Scalars;
}): Buffer {
  const parts = [key(1, 1), double(event.wallTime)];
  if (event.step) parts.push(key(2, 0), varint(event.step));
  if (event.version !== undefined) parts.push(message(3, Buffer.from(event.version)));
  if (event.scalars) parts.push(message(5, Buffer.concat(Object.entries(event.scalars).map(summaryValue))));
  return tfRecord(Buffer.concat(parts));
}

/** A number is a simple_value; others are tensors, as version 2 of TensorBoard writes them. */
type Scalars = Record<string, number | { double: number } | { content: number } | { histogram: number }>;

export function tfRecord(data: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  return Buffer.concat([length, masked(length), data, masked(data)]);
}

function summaryValue([tag, value]: [string, Scalars[string]]): Buffer {
  const name = message(1, Buffer.from(tag));
  return message(1, Buffer.concat([name, scalarBytes(value)]));
}

function scalarBytes(value: Scalars[string]): Buffer {
  if (typeof value === 'number') return Buffer.concat([key(2, 5), float(value)]);
  if ('histogram' in value) return message(5, Buffer.concat([key(1, 1), double(value.histogram)]));
  if ('double' in value) return tensor(2, message(6, double(value.double)));
  return tensor(1, message(4, float(value.content)));
}

function tensor(type: number, content: Buffer): Buffer {
  return message(8, Buffer.concat([key(1, 0), varint(type), message(2, Buffer.alloc(0)), content]));
}

function key(field: number, type: number): Buffer {
  return varint(field * 8 + type);
}

function message(field: number, content: Buffer): Buffer {
  return Buffer.concat([key(field, 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

/** Bit by bit, without a table. */
function masked(data: Buffer): Buffer {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  crc = ~crc >>> 0;
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return bytes;
}
