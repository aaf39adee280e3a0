import { ProtobufWriter } from '../../../platform/core/protobuf.ts';
import { FIELD_TYPES, type FieldKey, type PointRows } from '../points/points.ts';

/** One sample of one series of Prometheus. */
export interface RemoteSample {
  readonly series: string;
  readonly ms: number;
  readonly value: number;
}

export interface RemoteSamples {
  /** By time, so that a part of them can be sent alone. */
  readonly samples: readonly RemoteSample[];
  readonly labels: ReadonlyMap<string, Labels>;
  readonly notNumbers: number;
  readonly sameMoment: number;
}

type Labels = readonly (readonly [name: string, value: string])[];

/** Numbers and booleans of rows; the last of a series counts where several fall into one millisecond. */
export function remoteSamples(rows: PointRows, keyOf: (column: number) => FieldKey): RemoteSamples {
  const names = new Map<number, string>();
  const labels = new Map<string, Labels>();
  const found = new Map<string, RemoteSample>();
  let numbers = 0;
  for (let row = 0; row < rows.count; row++) {
    const value = numberOf(rows, row);
    if (value === undefined) continue;
    numbers++;
    const column = rows.column[row] as number;
    let series = names.get(column);
    if (series === undefined) {
      const own = labelsOf(keyOf(column));
      series = JSON.stringify(own);
      names.set(column, series);
      labels.set(series, own);
    }
    const ms = rows.timestamps.ms[row] as number;
    found.set(`${ms} ${series}`, { series, ms, value });
  }
  const samples = [...found.values()].sort((a, b) => a.ms - b.ms);
  return { samples, labels, notNumbers: rows.count - numbers, sameMoment: numbers - samples.length };
}

/** A WriteRequest of remote write 1.0: https://prometheus.io/docs/specs/remote_write_spec/ */
export function writeRequest(samples: readonly RemoteSample[], labels: RemoteSamples['labels']): Uint8Array {
  const bySeries = new Map<string, RemoteSample[]>();
  for (const sample of samples) {
    const own = bySeries.get(sample.series);
    if (own) own.push(sample);
    else bySeries.set(sample.series, [sample]);
  }
  const request = new ProtobufWriter();
  for (const [series, own] of bySeries) {
    const message = new ProtobufWriter();
    for (const [name, value] of labels.get(series) ?? []) {
      const label = new ProtobufWriter();
      label.bytes(1, name);
      label.bytes(2, value);
      message.bytes(1, label.take());
    }
    for (const { ms, value } of own) {
      const sample = new ProtobufWriter();
      sample.double(1, value);
      sample.int64(2, ms);
      message.bytes(2, sample.take());
    }
    request.bytes(1, message.take());
  }
  return request.take();
}

/** measurement_field, as VictoriaMetrics names points of line protocol; labels sorted by name, as the receiver requires. */
function labelsOf({ measurement, tags, field }: FieldKey): Labels {
  const labels = new Map([['__name__', legal(`${measurement}_${field}`, /[^a-zA-Z0-9_:]/g)]]);
  for (const [key, value] of tags) {
    const name = legal(key, /[^a-zA-Z0-9_]/g);
    // Names with two underscores are reserved; of two tags that become one name the first counts.
    const own = name.startsWith('__') ? `tag${name}` : name;
    if (value !== '' && !labels.has(own)) labels.set(own, value);
  }
  return [...labels].sort(([a], [b]) => (a < b ? -1 : 1));
}

function legal(name: string, illegal: RegExp): string {
  const text = name.replace(illegal, '_');
  return /^\d/.test(text) ? `_${text}` : text;
}

function numberOf(rows: PointRows, row: number): number | undefined {
  if (FIELD_TYPES[rows.type[row] as number] === 'string') return undefined;
  const value = rows.value[row] as number;
  return rows.isOther[row] === 1 ? Number(rows.others[value]) : value;
}

/** The maximum of a literal with two bytes of length. */
const CHUNK_BYTES = 65_536;

/**
 * The block format of snappy, which remote write requires, with literals only: the format allows it, and a batch is small.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
export function snappyBlock(bytes: Uint8Array): Uint8Array {
  const head: number[] = [];
  let rest = bytes.length;
  for (; rest > 127; rest = Math.floor(rest / 128)) head.push((rest % 128) | 128);
  head.push(rest);
  const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
  const result = new Uint8Array(head.length + 3 * chunks + bytes.length);
  result.set(head);
  let at = head.length;
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    const chunk = bytes.subarray(from, from + CHUNK_BYTES);
    // 61 << 2: a literal whose length less one is in the two bytes that follow.
    result.set([61 << 2, (chunk.length - 1) & 255, (chunk.length - 1) >> 8], at);
    result.set(chunk, at + 3);
    at += 3 + chunk.length;
  }
  return result;
}
