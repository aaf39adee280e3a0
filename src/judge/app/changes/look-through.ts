import type { ChangeEvent, GrowingLedger } from '../../../home/core/changes/change-ledger.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { AlarmThresholds } from '../../core/changes/judge-series.ts';
import { absenceWatch } from './find-absences.ts';
import type { JudgeEffects, JudgeRequest } from './judge-home.ts';
import { type JudgedOne, judgeOne } from './judge-one.ts';
import { besideMachine, knownSteps } from './known-steps.ts';
import type { RuleBook } from './rules.ts';
import { seriesToJudge } from './series-to-judge.ts';

/** What a look at all series of a scope gave. Nothing is written down yet. */
export interface Looked {
  readonly ones: readonly JudgedOne[];
  readonly absences: readonly ChangeEvent[];
  readonly ignored: number;
}

/** Judges series one at a time, beside what is known of their machine. */
export async function lookThrough(
  { home, rules, scope, thresholds }: JudgeRequest & { readonly thresholds?: AlarmThresholds },
  ledger: GrowingLedger,
  { disk, store, clock, signal }: JudgeEffects,
): Promise<Looked> {
  const ones: JudgedOne[] = [];
  let ignored = 0;
  const watch = await absenceWatch({ home, disk, store, ledger, rules });
  const steps = await knownSteps(ledger, store);
  const isWanted = (series: Parameters<RuleBook['isIgnored']>[0]) => {
    if (!rules.isIgnored(series)) return true;
    ignored++;
    return false;
  };
  for await (const raw of seriesToJudge(store, scope, isWanted)) {
    if (signal?.aborted)
      throw new NightmarkError('CHANGES_INTERRUPTED', 'Judging was interrupted; nothing was written.');
    const now = clock.now();
    watch.see(raw);
    if (!raw.isTouched) continue;
    const own = { ...rules.rulesFor(raw.series), ...(thresholds && { thresholds }) };
    ones.push(judgeOne(besideMachine(raw, steps), { rules: own, ledger, now }));
  }
  return { ones, absences: await watch.conclude(clock.now()), ignored };
}
