import { messageOf } from '../../core/errors.ts';
import type { StageResult, Trial } from '../../core/model/run.ts';
import type { NightEffects } from './effects.ts';
import { stopSwitch } from './stop-switch.ts';

export interface NightIndexOptions {
  readonly runId: string;
  /** How the task of a result stands now. */
  readonly trialOf: (result: StageResult) => Trial | undefined;
  readonly warn: (text: string) => void;
}

/** Those who watch the index see a finished stage after this at the latest. */
const INDEX_EVERY_MS = 200;

/** Brings a night into the index. The index can be rebuilt from files: its failure is told once and stops nothing. */
export class NightIndex {
  readonly #options: NightIndexOptions;
  readonly #effects: NightEffects;
  readonly #end = stopSwitch();
  #unsaved: StageResult[] = [];
  #isWaiting = false;
  #isBroken = false;

  constructor(options: NightIndexOptions, effects: NightEffects) {
    this.#options = options;
    this.#effects = effects;
  }

  /** Stages that follow each other quickly share a transaction; one that takes long does not hold back those before it. */
  addSoon(result: StageResult): void {
    this.#unsaved.push(result);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#effects.clock.sleep(INDEX_EVERY_MS, this.#end.signal).then(async () => {
      this.#isWaiting = false;
      await this.catchUp();
    });
  }

  /** Saves finished stages, and how their tasks stand now. */
  async catchUp(): Promise<void> {
    const results = this.#unsaved;
    if (results.length === 0 || this.#end.signal.aborted) return;
    this.#unsaved = [];
    const { store } = this.#effects;
    const { runId, trialOf } = this.#options;
    const newest = new Map(results.map((result) => [`${result.kind}/${result.task}`, result]));
    const trials = [...newest.values()].flatMap((result) => trialOf(result) ?? []);
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
