import type { JsonObject } from '../../../../platform/core/text/json.ts';
import type { FollowedRecord, Follower, FollowStep } from '../../../core/follower.ts';
import { type FileChunk, readChunk } from '../read-chunk.ts';
import { type RecordScan, readEvent, scanRecords } from './event-records.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** A file begins with a version event, which has a time: no two files begin with the same bytes. */
const HEAD_BYTES = 24;

/** Event files of TensorBoard: TFRecords with events. They only grow, so that the position is a number of bytes. */
const tensorboard: Follower = {
  id: 'tensorboard',
  title: 'TensorBoard event files',
  follows: (name) => /(^|\.)tfevents\.\d/.test(name),

  async read(path, position) {
    const start = await readChunk(path, 0, HEAD_BYTES);
    if (!start) return undefined;
    if (start.bytes.length < HEAD_BYTES) {
      return emptyStep(start, position ?? {}, start.size > 0);
    }
    const head = Buffer.from(start.bytes).toString('hex');
    const isSame = position?.['head'] === head;
    const from = isSame ? numberOf(position['bytes']) : 0;
    const done = isSame ? numberOf(position['records']) : 0;
    const chunk = await completeChunk(path, from);
    if (!chunk) return undefined;
    const scan = scanRecords(chunk.bytes, { isEnd: from + chunk.bytes.length >= chunk.size });
    const { records, problems } = readEvents(scan, done);
    const bytes = from + scan.taken;
    return {
      records,
      problems: [...problems, ...scan.problems.map(({ at, text }) => `at byte ${from + at}: ${text}`)],
      position: { head, bytes, records: done + scan.records.length },
      hasMore: scan.taken > 0 && bytes < chunk.size && !scan.isStuck,
      isWaiting: bytes < chunk.size && scan.problems.length === 0,
      modifiedAt: chunk.modifiedAt,
    };
  },
};

/** A record may be larger than a chunk. */
async function completeChunk(path: string, from: number): Promise<FileChunk | undefined> {
  const chunk = await readChunk(path, from, CHUNK_BYTES);
  if (!chunk || chunk.bytes.length < 12) return chunk;
  const length = new DataView(chunk.bytes.buffer, chunk.bytes.byteOffset).getBigUint64(0, true);
  const needed = Number(length) + 16;
  const isThere = needed > CHUNK_BYTES && from + needed <= chunk.size;
  return isThere ? readChunk(path, from, needed) : chunk;
}

function readEvents(
  scan: RecordScan,
  done: number,
): { records: readonly FollowedRecord[]; problems: readonly string[] } {
  const records: FollowedRecord[] = [];
  const problems: string[] = [];
  for (const [index, bytes] of scan.records.entries()) {
    try {
      const { wallTime, step, values } = readEvent(bytes);
      if (values.length === 0) continue;
      const ms = Math.floor(wallTime * 1000);
      // Seconds in a double resolve 238 ns at best: the digits below distinguish events of one time.
      const ns = Math.min(999_799, Math.floor((wallTime * 1000 - ms) * 1e6)) + ((done + index) % 200);
      records.push({ number: done + index, step, values, ...(wallTime > 0 && { at: { ms, ns } }) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`record ${done + index + 1} is not an event: ${error.message}`);
    }
  }
  return { records, problems };
}

function emptyStep(chunk: FileChunk, position: JsonObject, isWaiting: boolean): FollowStep {
  return { records: [], problems: [], position, hasMore: false, isWaiting, modifiedAt: chunk.modifiedAt };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0;
}

export default tensorboard;
