import { useEffect, useRef, useState } from 'preact/hooks';
import { documentRef, SourceProblem, theSource } from '../../../platform/page/data/source.ts';
import { type Loaded, useDocument } from '../../../platform/page/data/use-document.ts';
import type { LogText, LogView } from '../../app/runs/read-log.ts';
import { addPiece, type LogSegment, newSegment, utf8Length } from './log-segment.ts';

export interface FollowedLog {
  readonly loaded: Loaded<LogView>;
  /** Without the gaps between them; in their order. */
  readonly segments: readonly LogSegment[];
  /** Bytes of the log, as far as it is known. */
  readonly size: number;
  readonly isRunning: boolean;
  /** Why the newest lines may be missing. */
  readonly problem?: string;
  /** Fetches what follows a byte. */
  fetchFrom(at: number): void;
}

const POLL_MS = 1000;
/** While the server does not answer it is polled less often. */
const BACKOFF_MS = 5000;

interface Known {
  readonly segments: readonly LogSegment[];
  readonly size: number;
  readonly isRunning: boolean;
}

/** The ends of a log, requested parts of its middle, and new lines while its stage runs. */
export function useLog(parts: readonly string[]): FollowedLog {
  const loaded = useDocument(documentRef<LogView>(parts));
  const [known, setKnown] = useState<Known>();
  const [problem, setProblem] = useState<string>();
  const [isAnew, setAnew] = useState(true);
  const newest = useRef(known);
  newest.current = known;
  const { value } = loaded;
  useEffect(() => {
    if (value === undefined || (!isAnew && newest.current !== undefined)) return;
    setKnown(knownOf(value));
    setAnew(false);
  }, [value]);
  const fetchPiece = async (after: number, signal: AbortSignal) => {
    const { path } = documentRef<LogText>(parts, { query: { after } });
    return (await theSource().json(path, signal)) as LogText;
  };
  const addToLog = (piece: LogText) => {
    setProblem(undefined);
    setKnown((before) => before && withPiece(before, piece));
  };
  const isRunning = known?.isRunning === true;
  useEffect(() => {
    if (!isRunning || !theSource().isLive) return;
    return poll(async (signal) => {
      const end = newest.current?.segments.at(-1)?.next ?? 0;
      const piece = await fetchPiece(end, signal);
      // The log began anew: another attempt of the stage overwrites the log of the previous one.
      if (piece.size < end) setAnew(true);
      if (piece.size < end || !piece.isRunning) loaded.reload();
      addToLog(piece);
      return piece.next < piece.size;
    }, setProblem);
  }, [isRunning]);
  const fetchFrom = (at: number) => {
    fetchPiece(at, new AbortController().signal).then(addToLog, (error) => setProblem(problemText(error)));
  };
  return {
    ...{ loaded, isRunning, fetchFrom, segments: known?.segments ?? [], size: known?.size ?? 0 },
    ...(problem !== undefined && { problem }),
  };
}

function knownOf({ ends, next, isRunning }: LogView): Known {
  if (ends === undefined) return { segments: [], size: 0, isRunning };
  const { head, tail, size, leftOutBytes } = ends;
  if (leftOutBytes === 0) return { segments: [newSegment({ from: 0, next, text: head })], size, isRunning };
  const [first, last] = [trimmed(head, 'end'), trimmed(tail, 'start')];
  const from = next - utf8Length(last);
  return {
    segments: [
      newSegment({ from: 0, next: utf8Length(first), text: first }),
      newSegment({ from, next, text: last }),
    ],
    ...{ size, isRunning },
  };
}

/** A split character shows as U+FFFD: it is fetched with the gap. */
function trimmed(text: string, side: 'start' | 'end'): string {
  return side === 'end' ? text.replace(/\ufffd{1,3}$/, '') : text.replace(/^\ufffd{1,3}/, '');
}

function withPiece(before: Known, piece: LogText): Known {
  const { size, isRunning } = piece;
  return { segments: addPiece(before.segments, piece), size, isRunning: before.isRunning && isRunning };
}

/** Polls while the page is visible; at once again where more is waiting. */
function poll(read: (signal: AbortSignal) => Promise<boolean>, fail: (message: string) => void): () => void {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (ms: number) => {
    timer = setTimeout(step, ms);
  };
  const step = async () => {
    if (document.visibilityState === 'hidden') return plan(POLL_MS);
    try {
      const hasMore = await read(control.signal);
      if (!control.signal.aborted) plan(hasMore ? 0 : POLL_MS);
    } catch (error) {
      if (control.signal.aborted) return;
      fail(problemText(error));
      plan(BACKOFF_MS);
    }
  };
  plan(POLL_MS);
  return () => {
    control.abort();
    clearTimeout(timer);
  };
}

function problemText(error: unknown): string {
  return error instanceof SourceProblem ? error.message : String(error);
}
