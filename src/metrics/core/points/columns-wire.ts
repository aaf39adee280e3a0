import { NightmarkError } from '../../../platform/core/errors.ts';
import type { FieldType } from './points.ts';

/** The name of a series. */
export interface WireSeriesName {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly field: string;
  readonly type: FieldType;
}

/** Sent before the series. */
export interface WireHeader {
  readonly kind: WireKind;
  readonly series: number;
  /** Further series that match, beyond the requested limit. */
  readonly leftOut?: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Equal parts of the range; 0 for raw values. */
  readonly buckets: number;
}

export interface WireSeries extends WireSeriesName {
  /** In the order of `WIRE_COLUMNS`, each as long as the others. */
  readonly columns: readonly Float64Array[];
}

export type WireKind = 'buckets' | 'points';

/** Columns of each kind, in their order. */
export const WIRE_COLUMNS: Readonly<Record<WireKind, readonly string[]>> = {
  buckets: ['timeMs', 'min', 'max', 'count'],
  points: ['timeMs', 'value'],
};

/** docs/reference/points-api.md describes each byte. */
const MAGIC = 'NMPC';
const VERSION = 1;
const KINDS: readonly WireKind[] = ['buckets', 'points'];
const HEADER_BYTES = 40;

export function encodeWireHeader(header: WireHeader): Uint8Array {
  const { kind, series, fromMs, toMs, buckets, leftOut = 0 } = header;
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  view.setUint16(4, VERSION, true);
  view.setUint16(6, KINDS.indexOf(kind), true);
  view.setUint32(8, series, true);
  view.setUint32(12, WIRE_COLUMNS[kind].length, true);
  view.setFloat64(16, fromMs, true);
  view.setFloat64(24, toMs, true);
  view.setUint32(32, buckets, true);
  view.setUint32(36, leftOut, true);
  return bytes;
}

/** One series after the header or after another series, so that a server holds one at a time. */
export function encodeWireSeries({ columns, measurement, tags, field, type }: WireSeries): Uint8Array {
  const name = asciiJson({ measurement, tags, field, type });
  // Spaces, which JSON allows, until the columns begin at a multiple of eight bytes.
  const nameBytes = Math.ceil(name.length / 8) * 8;
  const rows = columns[0]?.length ?? 0;
  const bytes = new Uint8Array(8 + nameBytes + 8 * rows * columns.length).fill(0x20, 8, 8 + nameBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, nameBytes, true);
  view.setUint32(4, rows, true);
  for (let i = 0; i < name.length; i++) bytes[8 + i] = name.charCodeAt(i);
  let at = 8 + nameBytes;
  for (const column of columns) {
    for (let row = 0; row < rows; row++, at += 8) view.setFloat64(at, column[row] as number, true);
  }
  return bytes;
}

export function decodeWire(bytes: Uint8Array): {
  readonly header: WireHeader;
  readonly series: readonly WireSeries[];
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [header, columnCount] = readHeader(view);
  const series: WireSeries[] = [];
  let at = HEADER_BYTES;
  for (let i = 0; i < header.series; i++) {
    if (at + 8 > bytes.length) throw notReadable('it ends too early');
    const [nameBytes, rows] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const start = at + 8 + nameBytes;
    at = start + 8 * rows * columnCount;
    if (at > bytes.length) throw notReadable('it ends too early');
    const name = readName(bytes.subarray(start - nameBytes, start));
    const columns = Array.from({ length: columnCount }, (_, column) =>
      readColumn(view, start + 8 * rows * column, rows),
    );
    series.push({ ...name, columns });
  }
  if (at !== bytes.length) throw notReadable('something follows its end');
  return { header, series };
}

function readHeader(view: DataView): readonly [WireHeader, columns: number] {
  if (view.byteLength < HEADER_BYTES) throw notReadable('it ends too early');
  for (let i = 0; i < MAGIC.length; i++) {
    if (view.getUint8(i) !== MAGIC.charCodeAt(i)) throw notReadable(`it does not begin with ${MAGIC}`);
  }
  const version = view.getUint16(4, true);
  if (version !== VERSION) throw notReadable(`its version is ${version}, not ${VERSION}`);
  const kind = KINDS[view.getUint16(6, true)];
  const columns = view.getUint32(12, true);
  if (kind === undefined || columns !== WIRE_COLUMNS[kind].length) throw notReadable('its kind is unknown');
  const leftOut = view.getUint32(36, true);
  const header = {
    ...(leftOut > 0 && { leftOut }),
    kind,
    series: view.getUint32(8, true),
    fromMs: view.getFloat64(16, true),
    toMs: view.getFloat64(24, true),
    buckets: view.getUint32(32, true),
  };
  return [header, columns];
}

function readName(bytes: Uint8Array): WireSeriesName {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  try {
    // Only our servers write it; a name is shown, and decides nothing.
    return JSON.parse(text) as WireSeriesName;
  } catch (cause) {
    throw notReadable('the name of a series is not JSON', cause);
  }
}

function readColumn(view: DataView, start: number, rows: number): Float64Array {
  const column = new Float64Array(rows);
  for (let row = 0; row < rows; row++) column[row] = view.getFloat64(start + 8 * row, true);
  return column;
}

/** One byte a character, for any text: even lone surrogates, which UTF-8 cannot encode. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function notReadable(why: string, cause?: unknown): NightmarkError {
  return new NightmarkError('POINTS_WIRE', `These columns of points cannot be read: ${why}.`, {
    hint: 'Load the page again: it and the server may be of different versions.',
    cause,
  });
}
