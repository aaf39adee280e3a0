import { runFiles } from '../../../home/core/home-layout.ts';
import { STAGE_ORDER, type StageResult, type Trial } from '../../../home/core/run.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { dirName, whyInvalidName } from '../../../platform/core/path.ts';

/** What a task that runs is doing now. */
export interface StageAtWork {
  /** Absent where it has printed nothing yet. */
  readonly stage?: StageResult['stage'];
  /** Tasks follow one another: it began when the stage before it had ended. */
  readonly startedAt: number;
}

/** The stage that has a log and no result. */
export async function stageAtWork(
  trial: Trial,
  {
    home,
    stages,
    since,
  }: { readonly home: string; readonly stages: readonly StageResult[]; readonly since: number },
  disk: Disk,
): Promise<StageAtWork> {
  const { runId, kind, task } = trial;
  const ended = new Set<string>();
  let startedAt = since;
  for (const stage of stages) {
    if (stage.kind === kind && stage.task === task) ended.add(stage.stage);
    startedAt = Math.max(startedAt, stage.startedAt + stage.durationMs);
  }
  if ([runId, task].some((name) => whyInvalidName(name) !== undefined)) return { startedAt };
  const folder = dirName(runFiles(home, runId).log(kind, task, 'run'));
  const open = STAGE_ORDER.filter((stage) => !ended.has(stage));
  const names = new Set((await disk.list(folder)).map(({ name }) => name));
  const stage = open.find((one) => names.has(`${one}.log`));
  return { startedAt, ...(stage && { stage }) };
}
