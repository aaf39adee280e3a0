import type { CommitLog } from '../../git/core/commit-log.ts';
import { explainNewest } from '../../judge/app/changes/explain-newest.ts';
import { type JudgeEffects, type JudgeReport, judgeHome } from '../../judge/app/changes/judge-home.ts';
import { nameCommits } from '../../judge/app/changes/name-commits.ts';
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
    const { commits, ...others } = effects;
    const naming = { ...others, openCommits: async () => commits };
    const named = await nameCommits(home, { ...naming, linkOf: rules.linkOf });
    const explanations = await explainNewest(home, naming);
    const news = report.news.map((change) => {
      const [sources, explanation] = [named.get(change.id), explanations.get(change.id)];
      return {
        ...change,
        ...(sources && { sources }),
        ...(explanation !== undefined && { explanation }),
      };
    });
    return { ...report, news };
  } catch (error) {
    return `The imported values could not be judged (${messageOf(error)}); "nightmark changes" tries again.`;
  }
}
