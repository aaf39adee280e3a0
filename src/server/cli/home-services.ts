import type { HomePlans } from '../../dashboard/app/home/home-view.ts';
import type { DuetReadingEffects } from '../../duet/app/read-duet-view.ts';
import { parseDuetFile } from '../../duet/config/read-duet-file.ts';
import type { Format } from '../../formats/core/format.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { readObject } from '../../home/app/result-files.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { readDeadlines } from '../../home/core/subsystem-config.ts';
import { describeRejudged } from '../../judge/cli/changes/describe-news.ts';
import { bringDirections, commitLog, judgeUnjudged } from '../../judge/cli/changes/open-home.ts';
import type { ChangesService } from '../../judge/server/changes.ts';
import { loadAll } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';

/** What the server needs to explain changes and to record reviews. */
export async function openChanges(home: string, context: CliContext): Promise<ChangesService> {
  return {
    commits: await commitLog(),
    signal: context.signal,
    async write(work) {
      const store = await openSqliteStore(homeLayout(home).index);
      try {
        return await work(store);
      } finally {
        store.close();
      }
    },
  };
}

/** Pauses between series: requests are answered meanwhile. */
const REST_MS = 5;

/** Judges in the background a home whose rules changed, or that an older version judged. Never fails. */
export async function judgeMissing(home: string, context: CliContext): Promise<void> {
  const { clock, signal, disk, stderr } = context;
  try {
    if (!(await disk.stat(homeLayout(home).index))) return;
    await bringDirections(home, context);
    const report = await judgeUnjudged(home, context, { rest: () => clock.sleep(REST_MS, signal) });
    if (report) stderr.write(`${describeRejudged(report)}\n`);
  } catch (error) {
    // An empty index is that of a first night, which judges what it brings.
    if (error instanceof NightmarkError && error.code === 'STORE_EMPTY') return;
    stderr.write(`Some values stay without a verdict until new results come: ${messageOf(error)}\n`);
  }
}

/** What reading duets takes; formats are loaded with the first one. */
export function openDuets({ disk, clock, signal }: CliContext): () => Promise<DuetReadingEffects> {
  let formats: Promise<readonly Format[]> | undefined;
  return async () => {
    formats ??= loadAll<Format>('formats');
    return { disk, clock, signal, formats: await formats, suiteOf };
  };
}

function suiteOf(file: string, text: string) {
  const reading = parseDuetFile(file, text);
  return reading.state === 'usable' ? reading.suite : undefined;
}

/** Pages read it often, definitions change seldom. */
const MAX_AGE_MS = 20_000;

/** When the next night is, and the deadlines of the home, read anew after a while. */
export function homePlans(home: string, context: CliContext): () => Promise<HomePlans> {
  let known: { readonly at: number; readonly plans: Promise<HomePlans> } | undefined;
  return () => {
    const now = context.clock.now();
    if (known === undefined || now - known.at > MAX_AGE_MS)
      known = { at: now, plans: readPlans(home, context) };
    return known.plans;
  };
}

async function readPlans(home: string, context: CliContext): Promise<HomePlans> {
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

/** Those of the subsystem "deadline" that can be read; it reports invalid ones itself. */
async function deadlinesOf(home: string, { disk, clock }: CliContext): Promise<HomePlans['deadlines']> {
  const config = await readObject(homeLayout(home).config('subsystem', 'deadline'), 'config.json', disk);
  if (typeof config === 'string') return [];
  return readDeadlines(config, clock).deadlines.map(({ name, at }) => ({ name, at }));
}
