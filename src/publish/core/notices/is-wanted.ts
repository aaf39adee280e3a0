import type { NotifyRoute } from '../../../home/core/home.ts';
import { crossingPattern } from '../../../platform/core/patterns/glob.ts';
import { isAtLeast, type Notice } from './notice.ts';
import { earlierOf, markOf, type ToldBook } from './told.ts';

export interface Listener {
  readonly route: Pick<NotifyRoute, 'experiments' | 'severity' | 'events'>;
  readonly told: ToldBook;
  /** A message can be changed where it stands, which disturbs nobody. */
  readonly canUpdate: boolean;
}

/** Whether a notice is for that route: never twice the same, and who heard of a matter hears how it goes on. */
export function isWanted(notice: Notice, { route, told, canUpdate }: Listener): boolean {
  const earlier = earlierOf(notice, told);
  if (earlier && earlier.state !== notice.state) return true;
  if (earlier)
    return (
      canUpdate &&
      earlier.isDigest !== true &&
      earlier.receipt !== undefined &&
      earlier.mark !== markOf(notice)
    );
  return notice.isAfterthought !== true && fits(notice, route);
}

function fits({ event, severity, experiment }: Notice, route: Listener['route']): boolean {
  if (!isAtLeast(severity, route.severity)) return false;
  if (!route.events.some((it) => it === event)) return false;
  if (route.experiments.length === 0) return true;
  return (
    experiment !== undefined && route.experiments.some((pattern) => crossingPattern(pattern).test(experiment))
  );
}
