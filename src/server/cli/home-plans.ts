import type { HomePlans } from '../../dashboard/app/home/home-view.ts';
import { readObject } from '../../home/app/result-files.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { readDeadlines } from '../../home/core/subsystem-config.ts';
import type { CliContext } from '../../platform/cli/command.ts';

/** Pages ask often, definitions change seldom. */
const GOOD_FOR_MS = 20_000;

/** When the next night is, and the deadlines of the home, read anew now and then. */
export function homePlans(home: string, context: CliContext): () => Promise<HomePlans> {
  let known: { readonly at: number; readonly plans: Promise<HomePlans> } | undefined;
  return () => {
    const now = context.clock.now();
    if (known === undefined || now - known.at > GOOD_FOR_MS) known = { at: now, plans: read(home, context) };
    return known.plans;
  };
}

async function read(home: string, context: CliContext): Promise<HomePlans> {
  const nextNight = await nextNightOf(home, context);
  return { ...(nextNight && { nextNight }), deadlines: await deadlinesOf(home, context) };
}

async function nextNightOf(home: string, context: CliContext): Promise<HomePlans['nextNight']> {
  const { inspectHome } = await import('../../home/config/read-home.ts');
  const inspection = await inspectHome(home, {}, context);
  const schedule = inspection.state === 'unusable' ? undefined : inspection.reading.home.schedule;
  if (schedule?.cron === undefined) return undefined;
  const { default: timetable } = await import('../../platform/adapters/cron.ts');
  const [at] = timetable.next(schedule.cron, schedule.timezone, context.clock.now(), 1);
  const { timezone } = schedule;
  return at === undefined ? undefined : { at, ...(timezone !== undefined && { timezone }) };
}

/** Those of the subsystem "deadline" that can be read; what is wrong with the others it says itself. */
async function deadlinesOf(home: string, { disk, clock }: CliContext): Promise<HomePlans['deadlines']> {
  const config = await readObject(homeLayout(home).config('subsystem', 'deadline'), 'config.json', disk);
  if (typeof config === 'string') return [];
  return readDeadlines(config, clock).deadlines.map(({ name, at }) => ({ name, at }));
}
