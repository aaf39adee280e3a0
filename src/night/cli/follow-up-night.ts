import { confirmNewRegressions } from '../../bisect/cli/confirm-changes.ts';
import type { Home } from '../../home/core/home.ts';
import type { Store } from '../../home/core/store.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import {
  isWorthReporting,
  notifyRunFailed,
  notifyRunFinished,
} from '../../publish/cli/notify/notify-night.ts';
import { publishNight } from '../../publish/cli/site/publish-night.ts';
import type { NightOutcome } from '../app/conclude-night.ts';

export interface FollowUp {
  readonly store: Store;
  readonly context: CliContext;
  /** False: --no-publish. */
  readonly publishes: boolean;
}

/** What follows a night beyond its results: new regressions are confirmed, pages published, people notified. */
export async function followUpNight(
  home: Home,
  outcome: NightOutcome,
  { store, context, publishes }: FollowUp,
): Promise<void> {
  await confirmNewRegressions(outcome.changes?.news ?? [], { home, store }, context);
  const isGood = outcome.trials.every(({ state }) => state !== 'failed');
  if (publishes) await publishNight(home, { isGood }, context);
  await notifyRunFinished(home, outcome.run.id, { store, context });
}

/** The same for a night that ended with an error. */
export async function followUpBrokenNight(
  home: Home,
  error: unknown,
  { store, context, publishes }: FollowUp,
): Promise<void> {
  if (publishes && isWorthReporting(error, context)) await publishNight(home, { isGood: false }, context);
  await notifyRunFailed(home, error, { store, context });
}
