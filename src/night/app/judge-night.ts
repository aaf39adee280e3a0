import { explainNewest } from '../../judge/app/changes/explain-newest.ts';
import { judgeHome } from '../../judge/app/changes/judge-home.ts';
import { nameCommits } from '../../judge/app/changes/name-commits.ts';
import { judgingRules } from '../../judge/app/series/judging-rules.ts';
import { messageOf } from '../../platform/core/errors.ts';
import type { NightOutcome } from './conclude-night.ts';
import type { Night } from './night.ts';

/** Judges the values of a night. Its results are stored already: judging that fails is a warning. */
export async function judgeNight(
  { home, recorder, effects }: Night,
  outcome: NightOutcome,
): Promise<NightOutcome> {
  const { run, trials } = outcome;
  // A matrix that failed as a whole keeps the points that succeeded.
  const experiments = trials
    .filter(({ kind, state }) => kind === 'experiment' && (state === 'succeeded' || state === 'failed'))
    .map(({ task }) => task);
  try {
    const { disk, store, clock, openControl, signal } = effects;
    const scope = { run: { id: run.id, experiments } };
    const rules = judgingRules(home);
    const changes = await judgeHome({ home: home.dir, rules, scope }, { disk, store, clock });
    for (const note of changes.notes) recorder.warn(note);
    const naming = { disk, store, clock, signal, openCommits: openControl };
    const named = await nameCommits(home.dir, { ...naming, linkOf: rules.linkOf });
    const explanations = await explainNewest(home.dir, naming);
    const news = changes.news.map((change) => {
      const [sources, explanation] = [named.get(change.id), explanations.get(change.id)];
      return {
        ...change,
        ...(sources && { sources }),
        ...(explanation !== undefined && { explanation }),
      };
    });
    return { ...outcome, changes: { ...changes, news } };
  } catch (error) {
    recorder.warn(
      `The values of this night could not be judged (${messageOf(error)}); "nightmark changes" tries again.`,
    );
    return outcome;
  }
}
