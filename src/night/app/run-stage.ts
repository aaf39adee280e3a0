import type { Command, Executed, Exit } from '../../executors/core/executor.ts';
import { concernsOneStage, readStatusFile } from '../../experiment/app/stage-results.ts';
import { lastLines } from '../../home/app/result-files.ts';
import type { StageName, Task } from '../../home/core/home.ts';
import type { StageResult } from '../../home/core/run.ts';
import { failure, readStatus, type Status, success } from '../../home/core/status.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import type { Night } from './night.ts';
import { taskExecutor } from './task-executor.ts';

/** A stage that is about to run. */
export interface StageWork {
  readonly task: Task;
  readonly stage: StageName;
  /** Brings the folders of the stage into the state in which its script may start; called before every attempt. */
  prepare(): Promise<void>;
  /** Absent: Nightmark does the work of this stage itself. */
  readonly command?: Command;
  /** Runs in place of the command, of which only the folders and files then count. */
  perform?(): Promise<Executed>;
  /** Nightmark's own work where there is no command; timed as a command is. */
  performOwn?(): Promise<Status>;
  /** How often it is tried again, where not as often as the task says. */
  readonly retries?: number;
  /** Folder whose status.json counts. */
  readonly output: string;
  /** Files beyond the output folder that belong to the result. */
  readonly alsoWritten?: readonly string[];
  /** Runs after each attempt, however it ended, before anything is recorded. */
  afterAttempt?(): Promise<void>;
  /** Stores the results of a successful command. May turn success into failure. */
  conclude?(status: Status): Promise<Status>;
  /** Fields that the night adds to the status. */
  extra?(startedAt: number, micros: number): JsonObject;
}

/** Runs a stage, again where retries allow it, and records how it ended. Work that is recorded is not done again. */
export async function runStage(night: Night, work: StageWork): Promise<StageResult> {
  const { task, stage } = work;
  const { clock, report } = night.effects;
  const done = night.recorder.result(task, stage);
  if (done) return done;

  if (isAlone(work)) await night.recorder.writePendingStatuses();
  const startedAt = clock.now();
  night.recorder.start(task);
  report({ type: 'stage-started', kind: task.kind, task: task.name, stage, at: startedAt });
  let attempt: Attempt;
  let attempts = 0;
  do {
    attempts++;
    attempt = await tryStage(night, work);
  } while (!attempt.status.success && attempts <= (work.retries ?? task.retries));

  const { status, exit, micros, began, hasLog, host } = attempt;
  const result: StageResult = {
    task: task.name,
    kind: task.kind,
    stage,
    success: status.success,
    message: status.message,
    extra: { ...status.extra, ...whereabouts(work, host), ...work.extra?.(began, micros) },
    startedAt,
    durationMs: micros / 1000,
    attempts,
    ...(exit && { exit }),
    ...(work.command && hasLog && { log: relativeTo(night.home.dir, work.command.logFile) }),
  };
  await night.recorder.finish(result, [work.output, ...(work.alsoWritten ?? [])]);
  return result;
}

/** Where a command ran, if that is not simply here. */
function whereabouts({ task, command }: StageWork, host: string | undefined): JsonObject {
  if (!task.at || !command) return {};
  return { executor: task.at.executor, ...(host !== undefined && { host }) };
}

/** Nothing of ours is at work beside what is measured, and a subsystem finds the statuses of all experiments. */
function isAlone({ task, stage }: StageWork): boolean {
  return stage === 'run' || stage === 'setup' || task.kind === 'subsystem';
}

/** Records a stage that failed without being run. */
export async function failStage(
  night: Night,
  task: Task,
  stage: StageName,
  message: string,
): Promise<StageResult> {
  const startedAt = night.effects.clock.now();
  const outcome = { success: false, message, extra: {}, startedAt, durationMs: 0, attempts: 0 };
  const result: StageResult = { task: task.name, kind: task.kind, stage, ...outcome };
  await night.recorder.finish(result);
  return result;
}

interface Attempt {
  readonly status: Status;
  readonly exit?: Exit;
  readonly hasLog: boolean;
  readonly began: number;
  readonly micros: number;
  /** The node of a cluster that it ran on. */
  readonly host?: string;
}

async function tryStage(night: Night, work: StageWork): Promise<Attempt> {
  const { clock } = night.effects;
  let began = clock.now();
  let micros = 0;
  let hasLog = false;
  try {
    await work.prepare();
    began = clock.now();
    const from = clock.micros();
    if (work.performOwn) {
      const stop = () => {
        micros = clock.micros() - from;
      };
      const status = await work.performOwn().finally(stop);
      return { status, hasLog, began, micros };
    }
    const executed = work.perform
      ? await work.perform()
      : work.command && (await execute(night, work.command, work));
    const exit = executed?.exit;
    hasLog = (executed?.logBytes ?? 0) > 0;
    micros = clock.micros() - from;
    await work.afterAttempt?.();
    const judged = await judge(night, work, exit);
    const status = judged.success && work.conclude ? await work.conclude(judged) : judged;
    const host = executed?.host;
    return { status, ...(exit && { exit }), hasLog, began, micros, ...(host !== undefined && { host }) };
  } catch (error) {
    if (!concernsOneStage(error)) throw error;
    return { status: failure(messageOf(error)), hasLog, began, micros };
  }
}

async function execute({ effects, recorder }: Night, command: Command, work: StageWork): Promise<Executed> {
  const executor = await taskExecutor(work.task, effects);
  refuseWhenInterrupted(effects.signal.aborted);
  const execution = executor.start(command, effects.signal);
  if (!isAlone(work)) await recorder.tryWritePendingStatuses();
  const executed = await execution.wait();
  refuseWhenInterrupted(effects.signal.aborted);
  return executed;
}

export function refuseWhenInterrupted(isAborted: boolean): void {
  if (!isAborted) return;
  throw new NightmarkError('RUN_INTERRUPTED', 'The night was interrupted.', {
    hint: 'What is finished is kept: "nightmark run --resume" completes it.',
  });
}

async function judge(night: Night, work: StageWork, exit: Exit | undefined): Promise<Status> {
  const { implementation } = work.task;
  if (exit?.type === 'not-started') return failure(`${work.stage} could not be started: ${exit.reason}`);
  if (exit?.type === 'timeout') {
    return failure(
      `${work.stage} did not end within ${exit.afterMs / 1000} s and was ended with all its processes`,
    );
  }
  const file = await readStatusFile(work.output, night.effects.disk);
  if (implementation.type === 'scripts') return readStatus(file, work.output);

  // The exit code of a command of nightmark.yml counts; a status.json is optional.
  const isFine = exit === undefined || (exit.type === 'code' && exit.code === 0);
  if (!isFine && exit) return failure(await explainExit(night, work, exit));
  return file.state === 'missing' ? success() : readStatus(file, work.output);
}

async function explainExit({ effects }: Night, { stage, command }: StageWork, exit: Exit): Promise<string> {
  const how =
    exit.type === 'code'
      ? `exit code ${exit.code}`
      : exit.type === 'signal'
        ? `${exit.signal}${exit.reason === undefined ? '' : ` (${exit.reason})`}`
        : exit.type;
  const tail = command ? await lastLines(effects.disk, command.logFile, 20) : '';
  return `The command of ${stage} ended with ${how}${tail === '' ? '' : `:\n${tail}`}`;
}

function relativeTo(home: string, path: string): string {
  return path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path;
}
