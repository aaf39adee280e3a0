import type { StageName, Task } from '../../home/core/home.ts';
import type { HomeLayout } from '../../home/core/home-layout.ts';
import type { JournalEvent, NightStep, PointResult } from '../../home/core/journal.ts';
import { STAGE_ORDER, type StageResult, type Trial } from '../../home/core/run.ts';
import type { JournalFile } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import type { NightEffects } from './night-effects.ts';
import { NightIndex, type TaskRef } from './night-index.ts';

type AnyStage = StageName | 'precheck';

/** Names of the status files; the original dashboard names three of them otherwise than the stages. */
const STATUS_FILE: Readonly<Record<AnyStage, string>> = {
  precheck: 'precheck.json',
  source: 'setup.json',
  setup: 'setup.json',
  run: 'run.json',
  analyze: 'analysis.json',
  visualize: 'visualization.json',
  summarize: 'summary.json',
};

export interface NightRecorderOptions {
  readonly journal: JournalFile;
  readonly layout: HomeLayout;
  readonly runId: string;
  /** The state of a task, from what is recorded. */
  readonly trialOf: (task: TaskRef) => Trial | undefined;
}

/** Stages whose status no following stage reads: the next one is of another experiment, or independent. */
const MAY_WAIT: ReadonlySet<AnyStage> = new Set(['analyze', 'visualize', 'summarize']);

/** Stages of milliseconds share a flush; a longer one has its own. */
const FLUSH_EVERY_MS = 3000;

/**
 * Records what a night did. Every result is in the journal before anything builds on it; status files and index are
 * made from the journal, and can be made again.
 */
export class NightRecorder {
  readonly #journal: JournalFile;
  readonly #effects: NightEffects;
  readonly #layout: HomeLayout;
  readonly #index: NightIndex;
  readonly #results = new Map<string, StageResult>();
  readonly #points = new Map<string, PointResult>();
  readonly #steps = new Set<NightStep>();
  readonly #commits = new Map<string, Readonly<Record<string, string>>>();
  readonly #skipped = new Map<string, string>();
  readonly #warnings = new Set<string>();
  #running: string | undefined;
  #hasEnded = false;
  #unflushed: string[] = [];
  #flushedAt = 0;
  /** Results whose status files are not written yet. */
  #pending: StageResult[] = [];

  constructor({ journal, layout, runId, trialOf }: NightRecorderOptions, effects: NightEffects) {
    this.#journal = journal;
    this.#layout = layout;
    this.#effects = effects;
    this.#index = new NightIndex({ runId, trialOf, warn: (text) => this.warn(text) }, effects);
  }

  /** Takes over what an interrupted night recorded. */
  replay(events: readonly JournalEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** Records what concerns the whole night; safe from a power cut when it returns. */
  async record(event: JournalEvent): Promise<void> {
    this.#append(event);
    await this.flush();
  }

  /** A stage of the task runs from now on, until `finish`. */
  start(task: TaskRef): void {
    this.#running = `${task.kind}/${task.name}`;
    this.#index.touch(task);
  }

  isRunning({ kind, name }: TaskRef): boolean {
    return this.#running === `${kind}/${name}`;
  }

  /**
   * Records a finished stage: journal, status file, index, reports. `written` is what the stage left on disk. A kill
   * loses none of it; a power cut loses at most what was finished since the last flush. The status file of a stage on
   * which no other stage builds is written while the next one runs: creating it takes as long as all the rest.
   */
  async finish(result: StageResult, written: readonly string[] = []): Promise<void> {
    this.#append({ type: 'stage', result });
    this.#running = undefined;
    this.#unflushed.push(...written);
    this.#pending.push(result);
    if (!MAY_WAIT.has(result.stage)) await this.writePendingStatuses();
    this.#index.addSoon(result);
    this.#effects.report({ type: 'stage-finished', result });
    if (this.#effects.clock.now() - this.#flushedAt >= FLUSH_EVERY_MS) await this.flush();
  }

  /** Records a point of a matrix that ended, however it did. */
  async finishPoint(result: PointResult, written: readonly string[]): Promise<void> {
    this.#append({ type: 'point', result });
    this.#unflushed.push(...written);
    if (this.#effects.clock.now() - this.#flushedAt >= FLUSH_EVERY_MS) await this.flush();
  }

  /** How the point of that folder ended, where it did. */
  point({ name }: Pick<TaskRef, 'name'>, folder: string): PointResult | undefined {
    return this.#points.get(`${name}/${folder}`);
  }

  /** Writes the status files that are pending. */
  async writePendingStatuses(): Promise<void> {
    for (let result = this.#pending[0]; result; result = this.#pending[0]) {
      await this.writeStatusFile(result);
      this.#pending.shift();
    }
  }

  /** The same beside a running stage, which must not fail for it: the next flush throws the failure. */
  async tryWritePendingStatuses(): Promise<void> {
    try {
      await this.writePendingStatuses();
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
    }
  }

  async flush(): Promise<void> {
    await this.writePendingStatuses();
    await this.#index.catchUp();
    const written = this.#unflushed;
    this.#unflushed = [];
    await this.#effects.disk.sync(written);
    this.#journal.append(`${JSON.stringify({ type: 'flushed' })}\n`);
    this.#journal.flush();
    this.#flushedAt = this.#effects.clock.now();
  }

  async writeStatusFile(result: StageResult): Promise<void> {
    // The original dashboard has no source stage; a source that is missing fails the experiment before its setup.
    if (result.stage === 'source' && result.success) return;
    const folder = this.#layout.status(result.kind, result.task);
    const text = pythonJson({ success: result.success, message: result.message, ...result.extra });
    const { staging } = this.#layout;
    await this.#effects.disk.writeText(joinPath(folder, STATUS_FILE[result.stage]), text, { staging });
  }

  /** Saves something into the index; see NightIndex. */
  index(work: () => Promise<void>): Promise<void> {
    return this.#index.save(work);
  }

  /** Reports a warning, each text once a night. */
  warn(text: string): void {
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.#effects.report({ type: 'warning', text });
  }

  result({ kind, name }: TaskRef, stage: AnyStage): StageResult | undefined {
    return this.#results.get(key(kind, name, stage));
  }

  hasSucceeded(task: TaskRef, stage: AnyStage): boolean {
    return this.result(task, stage)?.success === true;
  }

  isDone(step: NightStep): boolean {
    return this.#steps.has(step);
  }

  /** The end is recorded; what follows is cleaning up. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  commits(task: string): Readonly<Record<string, string>> {
    return this.#commits.get(task) ?? {};
  }

  /** Why the task is not run this night, where that is so. */
  skipReason({ kind, name }: TaskRef): string | undefined {
    return this.#skipped.get(`${kind}/${name}`);
  }

  get results(): readonly StageResult[] {
    return [...this.#results.values()];
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  close(): void {
    this.#index.close();
    this.#journal.close();
  }

  #append(event: JournalEvent): void {
    // After a crash the last line may be cut off: it stays alone on its line.
    this.#journal.append(`${event.type === 'resume' ? '\n' : ''}${JSON.stringify(event)}\n`);
    this.#take(event);
  }

  #take(event: JournalEvent): void {
    if (event.type === 'stage') {
      const { kind, task, stage } = event.result;
      this.#results.set(key(kind, task, stage), event.result);
    } else if (event.type === 'point')
      this.#points.set(`${event.result.task}/${event.result.folder}`, event.result);
    else if (event.type === 'step') this.#steps.add(event.step);
    else if (event.type === 'end') this.#hasEnded = true;
    else if (event.type === 'commits') this.#commits.set(event.task, event.commits);
    else if (event.type === 'skip') this.#skipped.set(`${event.kind}/${event.task}`, event.reason);
  }
}

function key(kind: Trial['kind'], task: string, stage: AnyStage): string {
  return `${kind}/${task}/${stage}`;
}

/** The trial of a task, from what is recorded. */
export function trialOf(task: Task, runId: string, recorder: NightRecorder): Trial {
  const results = STAGE_ORDER.flatMap((stage) => recorder.result(task, stage) ?? []);
  const failed = results.find((result) => !result.success);
  const skipReason = recorder.skipReason(task);
  const run = recorder.result(task, 'run');
  const state = failed
    ? 'failed'
    : skipReason !== undefined
      ? 'skipped'
      : task.state === 'inactive'
        ? 'inactive'
        : recorder.isRunning(task)
          ? 'running'
          : run
            ? 'succeeded'
            : 'waiting';
  const first = results.find((result) => result.stage !== 'precheck');
  return {
    runId,
    task: task.name,
    kind: task.kind,
    ...(task.title !== undefined && { title: task.title }),
    state,
    ...(failed && { failedStage: failed.stage }),
    message: failed?.message ?? skipReason ?? '',
    ...(first && { startedAt: first.startedAt }),
    ...(results.length > 0 && { durationMs: results.reduce((sum, result) => sum + result.durationMs, 0) }),
    commits: recorder.commits(task.name),
  };
}
