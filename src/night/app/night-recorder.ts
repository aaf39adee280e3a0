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

/** Names of the status files; the original calls three stages otherwise in its results. */
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
  /** How a task stands, by what the book knows. */
  readonly trialOf: (task: TaskRef) => Trial | undefined;
}

/** Stages after which comes one that does not look at their status: the next experiment's, or an independent one. */
const MAY_WAIT: ReadonlySet<AnyStage> = new Set(['analyze', 'visualize', 'summarize']);

/** Stages of milliseconds share a flush; a longer one has its own. */
const FLUSH_EVERY_MS = 3000;

/**
 * What is known of a night so far. Every result is in the journal before anything is built on it; status files and
 * index are made from it, and can be made again.
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
  #atWork: string | undefined;
  #hasEnded = false;
  #unflushed: string[] = [];
  #flushedAt = 0;
  /** Results whose status files are not written yet: see `settle`. */
  #owed: StageResult[] = [];

  constructor({ journal, layout, runId, trialOf }: NightRecorderOptions, effects: NightEffects) {
    this.#journal = journal;
    this.#layout = layout;
    this.#effects = effects;
    this.#index = new NightIndex({ runId, trialOf, warn: (text) => this.warn(text) }, effects);
  }

  /** Takes up what an interrupted night had written. */
  replay(events: readonly JournalEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** Records what concerns the whole night; safe from a power cut when it returns. */
  async record(event: JournalEvent): Promise<void> {
    this.#append(event);
    await this.flush();
  }

  /** A stage of the task is at work from now on, until `finish`. */
  start(task: TaskRef): void {
    this.#atWork = `${task.kind}/${task.name}`;
    this.#index.touch(task);
  }

  isAtWork({ kind, name }: TaskRef): boolean {
    return this.#atWork === `${kind}/${name}`;
  }

  /**
   * Records a finished stage: journal, status file, index, and those who watch. `written` is what the stage left on
   * disk. A kill costs none of it; a power cut at most what was finished since the last flush. The status file of a
   * stage on which no other stage builds may wait until the next one is at work: creating it takes as long as all else.
   */
  async finish(result: StageResult, written: readonly string[] = []): Promise<void> {
    this.#append({ type: 'stage', result });
    this.#atWork = undefined;
    this.#unflushed.push(...written);
    this.#owed.push(result);
    if (!MAY_WAIT.has(result.stage)) await this.settle();
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

  /** Writes the status files that are owed. */
  async settle(): Promise<void> {
    for (let result = this.#owed[0]; result; result = this.#owed[0]) {
      await this.writeStatusFile(result);
      this.#owed.shift();
    }
  }

  /** The same while a stage is at work, which is not to blame for a failure: that one is told by the next flush. */
  async settleBeside(): Promise<void> {
    try {
      await this.settle();
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
    }
  }

  async flush(): Promise<void> {
    await this.settle();
    await this.#index.catchUp();
    const written = this.#unflushed;
    this.#unflushed = [];
    await this.#effects.disk.sync(written);
    this.#journal.append(`${JSON.stringify({ type: 'flushed' })}\n`);
    this.#journal.flush();
    this.#flushedAt = this.#effects.clock.now();
  }

  async writeStatusFile(result: StageResult): Promise<void> {
    // A source that is there is no stage of the original; one that is missing fails the experiment before its setup.
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

  /** Says the same thing once a night. */
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

  /** The last word is written; what follows is tidying up. */
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

/** How a task fared, from what is in the book. */
export function trialOf(task: Task, runId: string, book: NightRecorder): Trial {
  const results = STAGE_ORDER.flatMap((stage) => book.result(task, stage) ?? []);
  const failed = results.find((result) => !result.success);
  const skipReason = book.skipReason(task);
  const run = book.result(task, 'run');
  const state = failed
    ? 'failed'
    : skipReason !== undefined
      ? 'skipped'
      : task.state === 'inactive'
        ? 'inactive'
        : book.isAtWork(task)
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
    commits: book.commits(task.name),
  };
}
