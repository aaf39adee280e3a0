import type { CommitLog } from '../../git/core/commit-log.ts';
import { explainNewest } from '../../judge/app/changes/explain-newest.ts';
import { type JudgeEffects, type JudgeReport, judgeHome } from '../../judge/app/changes/judge-home.ts';
import type { JudgingRules } from '../../judge/app/series/judging-rules.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { newExperiments, type StoredRun } from './store-import.ts';

export interface JudgeImportRequest {
  readonly home: string;
  readonly rules: JudgingRules;
  readonly stored: readonly StoredRun[];
}

export interface JudgeImportEffects extends JudgeEffects {
  readonly commits: CommitLog;
  readonly signal: CancelSignal;
}

/** Judges the experiments that got something new, as after a night. A judge that fails is a sentence: the results stand. */
export async function judgeImport(
  { home, rules, stored }: JudgeImportRequest,
  effects: JudgeImportEffects,
): Promise<JudgeReport | string | undefined> {
  const experiments = newExperiments(stored);
  if (experiments.length === 0) return undefined;
  try {
    const report = await judgeHome({ home, rules, scope: { experiments } }, effects);
    const explanations = await explainNewest(home, effects);
    const news = report.news.map((change) => {
      const explanation = explanations.get(change.id);
      return explanation === undefined ? change : { ...change, explanation };
    });
    return { ...report, news };
  } catch (error) {
    return `The imported values could not be judged (${messageOf(error)}); "nightmark changes" tries again.`;
  }
}
