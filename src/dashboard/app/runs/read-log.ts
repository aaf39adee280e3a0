import { homeLayout, runFiles } from '../../../home/core/home-layout.ts';
import type { Run, StageResult, Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk, FileEnds } from '../../../platform/core/disk.ts';
import { joinPath, whyInvalidName } from '../../../platform/core/path.ts';
import { brokenEnd, brokenStart } from '../../../platform/core/text/utf8.ts';

/** What a stage printed: its beginning and its end. */
export interface LogView {
  readonly run: Run;
  readonly task: string;
  readonly kind: Trial['kind'];
  readonly stage: string;
  /** Absent while the stage runs. */
  readonly result?: StageResult;
  /** Its run goes on and it has left no result: more may come. */
  readonly isRunning: boolean;
  /** Absolute. */
  readonly path: string;
  /** Absent when the file is gone (or was never written). */
  readonly ends?: FileEnds;
  /** How many bytes of the file were read: a partly written character is left for later. */
  readonly next: number;
}

/** A part of a log. */
export interface LogPiece {
  readonly bytes: Uint8Array;
  /** The first byte and the one behind the last. */
  readonly from: number;
  readonly next: number;
  /** Of the whole log. */
  readonly size: number;
  readonly isRunning: boolean;
}

/** The same for readers of text. */
export interface LogText extends Omit<LogPiece, 'bytes'> {
  readonly text: string;
}

export interface LogRequest {
  readonly home: string;
  readonly runId: string;
  readonly kind: Trial['kind'];
  readonly task: string;
  readonly stage: string;
}

/** A failure is explained at the end of a log more often than at its beginning. */
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 192 * 1024;
const PIECE_BYTES = 256 * 1024;

interface LogEffects {
  readonly store: Store;
  readonly disk: Disk;
}

/** Undefined when there is no such run, task or stage. */
export async function readLog(request: LogRequest, effects: LogEffects): Promise<LogView | undefined> {
  const place = await findLog(request, effects);
  if (!place) return undefined;
  const { path, result } = place;
  const within = homeLayout(request.home).runs;
  const ends = await effects.disk.readEnds(path, { headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES, within });
  if (!result && !ends) return undefined;
  const { kind, task, stage } = request;
  const whole = ends && (await wholeCharacters(ends, place, effects.disk));
  return { ...place, kind, task, stage, next: 0, ...whole };
}

/** What follows a byte of the log, at most one piece. */
export async function readLogPiece(
  request: LogRequest & { readonly after: number },
  effects: LogEffects,
): Promise<LogPiece | undefined> {
  const place = await findLog(request, effects);
  if (!place) return undefined;
  const { disk } = effects;
  const { path, isRunning } = place;
  const within = homeLayout(request.home).runs;
  // Also refuses a link that leads elsewhere, which readFrom does not check.
  const facts = await disk.readEnds(path, { headBytes: 0, tailBytes: 0, within });
  if (!facts) return undefined;
  const read = (await disk.readFrom(path, request.after, PIECE_BYTES)) ?? new Uint8Array();
  const start = brokenStart(read);
  const isAtEnd = request.after + read.length >= facts.size;
  const cut = isAtEnd && !isRunning ? 0 : brokenEnd(read);
  const bytes = read.subarray(start, Math.max(start, read.length - cut));
  const from = request.after + start;
  return {
    bytes,
    from,
    next: from + bytes.length,
    size: Math.max(facts.size, from + bytes.length),
    isRunning,
  };
}

interface LogPlace extends Pick<LogView, 'run' | 'path' | 'result' | 'isRunning'> {}

async function findLog(
  { home, runId, kind, task, stage }: LogRequest,
  { store }: LogEffects,
): Promise<LogPlace | undefined> {
  if ([runId, task, stage].some((name) => whyInvalidName(name) !== undefined)) return undefined;
  const run = await store.run(runId);
  if (!run) return undefined;
  const stages = await store.stagesOf(runId);
  const result = stages.find((one) => one.kind === kind && one.task === task && one.stage === stage);
  const path = result?.log ? joinPath(home, result.log) : runFiles(home, runId).log(kind, task, stage);
  return { run, path, ...(result && { result }), isRunning: !result && run.state === 'running' };
}

/** The last character of a growing log may be half written: it is sent when it is complete. */
async function wholeCharacters(
  ends: FileEnds,
  { path, isRunning }: LogPlace,
  disk: Disk,
): Promise<Pick<LogView, 'ends' | 'next'>> {
  const last = isRunning ? await disk.readFrom(path, Math.max(0, ends.size - 3), 3) : undefined;
  const cut = last === undefined ? 0 : brokenEnd(last.subarray(0, Math.min(3, ends.size)));
  if (cut === 0) return { ends, next: ends.size };
  const withoutLast = (text: string) => text.replace(/\ufffd$/, '');
  const shown =
    ends.tail === '' ? { ...ends, head: withoutLast(ends.head) } : { ...ends, tail: withoutLast(ends.tail) };
  return { ends: shown, next: ends.size - cut };
}
