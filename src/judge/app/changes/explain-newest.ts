import type { CommitLog } from '../../../git/core/commit-log.ts';
import { appendEvents, readLedger } from '../../../home/app/ledger-file.ts';
import {
  addEvent,
  type ChangeEvent,
  type FollowedChange,
  isOpen,
} from '../../../home/core/changes/change-ledger.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { explainRecord } from '../explain/explain-change.ts';
import { type JudgeEffects, saveAffected } from './judge-home.ts';

export interface ExplainNewestEffects extends JudgeEffects {
  /** Lists the commits between two others, opened when there is something to explain; absent: only hashes are known. */
  readonly openCommits?: () => Promise<CommitLog>;
  readonly signal: CancelSignal;
}

/** An explanation reads a hundred runs: the newest few changes get one by themselves, others on request. */
const MOST = 5;

/** Writes down what else changed at the newest open changes that are not for the better, where nothing was yet. */
export async function explainNewest(
  home: string,
  effects: ExplainNewestEffects,
): Promise<ReadonlyMap<string, string>> {
  const { disk, store, clock, openCommits, signal } = effects;
  const { ledger } = await readLedger(home, disk);
  const waiting = [...ledger.changes.values()]
    .filter((change) => isOpen(change) && change.direction !== 'better')
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .filter(({ explanation }) => explanation === undefined);
  if (waiting.length === 0) return new Map();
  const commits = await openCommits?.();
  const events: ChangeEvent[] = [];
  for (const change of waiting) {
    const sentence = await sentenceOf(home, change, { store, disk, ...(commits && { commits }), signal });
    if (sentence !== undefined)
      events.push({ type: 'explained', at: clock.now(), id: change.id, runId: change.runId, sentence });
  }
  await appendEvents(home, events, disk);
  for (const event of events) addEvent(ledger, event);
  await saveAffected(events, ledger, store);
  return new Map(events.flatMap((event) => (event.type === 'explained' ? [[event.id, event.sentence]] : [])));
}

/** A change that cannot be explained gets no sentence; `changes show` says why. */
async function sentenceOf(
  home: string,
  change: FollowedChange,
  effects: Parameters<typeof explainRecord>[2],
): Promise<string | undefined> {
  try {
    const { sentence, causes } = await explainRecord(home, change, effects);
    return causes.length === 0 ? '' : sentence;
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}
