import { explainNewest } from '../../judge/app/changes/explain-newest.ts';
import { judgeHome } from '../../judge/app/changes/judge-home.ts';
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
    const changes = await judgeHome(
      { home: home.dir, rules: judgingRules(home), scope },
      { disk, store, clock },
    );
    for (const note of changes.notes) recorder.warn(note);
    const explanations = await explainNewest(home.dir, {
      disk,
      store,
      clock,
      signal,
      openCommits: openControl,
    });
    const news = changes.news.map((change) => {
      const explanation = explanations.get(change.id);
      return explanation === undefined ? change : { ...change, explanation };
    });
    return { ...outcome, changes: { ...changes, news } };
  } catch (error) {
    recorder.warn(
      `The values of this night could not be judged (${messageOf(error)}); "nightmark changes" tries again.`,
    );
    return outcome;
  }
}
