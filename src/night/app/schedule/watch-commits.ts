import type { Schedule } from '../../../home/core/home.ts';
import type { ScheduleEffects } from './schedule-effects.ts';
import type { ScheduleState } from './schedule-state.ts';

export interface CommitWatch {
  ask(
    schedule: Schedule,
    state: ScheduleState,
    when: 'at once' | 'when it is time',
  ): Promise<{ readonly commits?: ScheduleState['commits']; readonly news: readonly string[] }>;
}

/**
 * Asks the sources for new commits, as often as the schedule says. A source that does not answer keeps the commit it
 * had, and is complained of once until it answers again: a server that is away over the weekend fills no log.
 */
export function watchCommits({
  askSources,
  clock,
  report,
}: Pick<ScheduleEffects, 'askSources' | 'clock' | 'report'>): CommitWatch {
  let askedAt: number | undefined;
  let complaint = '';
  return {
    async ask({ commitsEveryMs }, { commits: before = {} }, when) {
      if (commitsEveryMs === undefined || !askSources) return { news: [] };
      const now = clock.now();
      // A clock that was set back must not silence the watch until it is where it was.
      const isTime = askedAt === undefined || now < askedAt || now - askedAt >= commitsEveryMs;
      if (when === 'when it is time' && !isTime) return { news: [] };
      askedAt = now;
      const { commits, problems } = await askSources();
      const told = problems.join('\n');
      if (told !== '' && told !== complaint) report({ type: 'warning', message: told });
      complaint = told;
      const news = Object.keys(commits).filter((source) => commits[source] !== before[source]);
      return { commits: { ...before, ...commits }, news };
    },
  };
}
