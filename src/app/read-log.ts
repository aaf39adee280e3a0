import { homeLayout, runFiles } from '../core/model/layout.ts';
import type { Run, StageResult, Trial } from '../core/model/run.ts';
import { joinPath, whyNotAName } from '../core/path.ts';
import type { Disk, FileEnds } from '../core/ports/disk.ts';
import type { Store } from '../core/ports/store.ts';

/** What a stage printed: its beginning and its end. */
export interface LogView {
  readonly run: Run;
  readonly task: string;
  readonly kind: Trial['kind'];
  readonly stage: string;
  /** Absent while the stage runs. */
  readonly result?: StageResult;
  /** Absolute. */
  readonly path: string;
  /** Absent when the file is gone (or was never written). */
  readonly ends?: FileEnds;
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

/** Undefined when there is no such run, task or stage. */
export async function readLog(
  { home, runId, kind, task, stage }: LogRequest,
  { store, disk }: { readonly store: Store; readonly disk: Disk },
): Promise<LogView | undefined> {
  if ([runId, task, stage].some((name) => whyNotAName(name) !== undefined)) return undefined;
  const run = await store.run(runId);
  if (!run) return undefined;
  const stages = await store.stagesOf(runId);
  const result = stages.find((one) => one.kind === kind && one.task === task && one.stage === stage);
  const path = result?.log ? joinPath(home, result.log) : runFiles(home, runId).log(kind, task, stage);
  const within = homeLayout(home).runs;
  const ends = await disk.readEnds(path, { headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES, within });
  if (!result && !ends) return undefined;
  return { run, task, kind, stage, path, ...(result && { result }), ...(ends && { ends }) };
}
