import type { Task } from '../../home/core/home.ts';
import type { StageResult, Trial } from '../../home/core/run.ts';
import { stopSwitch } from '../../platform/core/cancel-signal.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { NightEffects } from './night-effects.ts';

export interface NightIndexOptions {
  readonly runId: string;
  /** The state of a task now. */
  readonly trialOf: (task: TaskRef) => Trial | undefined;
  readonly warn: (text: string) => void;
}

export type TaskRef = Pick<Task, 'kind' | 'name'>;

/** Readers of the index see a finished stage after this time at the latest. */
const INDEX_EVERY_MS = 200;

/** Saves a night in the index. The index can be rebuilt from files: a failure is one warning and stops nothing. */
export class NightIndex {
  readonly #options: NightIndexOptions;
  readonly #effects: NightEffects;
  readonly #end = stopSwitch();
  readonly #changed = new Map<string, TaskRef>();
  #unsaved: StageResult[] = [];
  #isWaiting = false;
  #isBroken = false;

  constructor(options: NightIndexOptions, effects: NightEffects) {
    this.#options = options;
    this.#effects = effects;
  }

  addSoon(result: StageResult): void {
    this.#unsaved.push(result);
    this.touch({ kind: result.kind, name: result.task });
  }

  /**
   * The state of the task has changed. Stages that follow each other quickly share a transaction; a long one does not
   * delay those before it.
   */
  touch(task: TaskRef): void {
    this.#changed.set(`${task.kind}/${task.name}`, task);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#effects.clock.sleep(INDEX_EVERY_MS, this.#end.signal).then(async () => {
      this.#isWaiting = false;
      await this.catchUp();
    });
  }

  /** Saves finished stages, and the state of their tasks. */
  async catchUp(): Promise<void> {
    if (this.#changed.size === 0 || this.#end.signal.aborted) return;
    const results = this.#unsaved;
    this.#unsaved = [];
    const { store } = this.#effects;
    const { runId, trialOf } = this.#options;
    const trials = [...this.#changed.values()].flatMap((task) => trialOf(task) ?? []);
    this.#changed.clear();
    await this.save(() =>
      store.together(async () => {
        await store.saveStages(runId, results);
        await store.saveTrials(trials);
      }),
    );
  }

  async save(work: () => Promise<void>): Promise<void> {
    try {
      if (!this.#isBroken) await work();
    } catch (error) {
      this.#isBroken = true;
      const why = messageOf(error);
      this.#options.warn(`The index could not be written (${why}); run "nightmark reindex" after the night.`);
    }
  }

  close(): void {
    this.#end.stop();
  }
}
