import {
  type PublicationRecord,
  readPublications,
  writePublications,
} from '../../../dashboard/app/publications/publication-book.ts';
import type { Home, PublishTarget } from '../../../home/core/home.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { describeReport } from './describe-report.ts';
import { shownTarget } from './open-target.ts';
import { type Published, publishTo } from './publish-to.ts';

/**
 * Puts the pages where the definition says, after a night. Whatever becomes of it, the night stands: what went wrong is
 * tried again for a while, told and written down, and the next publication brings everything that this one did not.
 */
export async function publishNight(
  home: Home,
  { isGood }: { readonly isGood: boolean },
  context: CliContext,
): Promise<void> {
  const failing = await failingTargets(home, context);
  const isDue = ({ on, to }: PublishTarget) => isGood || on === 'every night' || failing.has(shownTarget(to));
  const targets = (home.publish ?? []).filter(isDue);
  const news: PublicationRecord[] = [];
  for (const target of targets) {
    if (context.signal.aborted) break;
    news.push(await publishSafely(home, target, context));
  }
  await noteOutcomes(home, news, context);
}

/** Writes down how publications went: for the next night, `nightmark status` and the page. Never fails. */
export async function noteOutcomes(
  home: Pick<Home, 'dir' | 'publish'>,
  news: readonly PublicationRecord[],
  context: CliContext,
): Promise<void> {
  if (news.length === 0) return;
  try {
    const shown = (home.publish ?? []).map(({ to }) => shownTarget(to));
    await writePublications(home.dir, news, { disk: context.disk, targets: shown });
  } catch (error) {
    context.stderr.write(`How the publication went could not be written down: ${messageOf(error)}\n`);
  }
}

async function failingTargets({ dir }: Home, { disk }: CliContext): Promise<ReadonlySet<string>> {
  const known = await readPublications(dir, disk);
  return new Set(known.flatMap(({ target, failure }) => (failure === undefined ? [] : [target])));
}

/** What another try may mend; a target that is none, or holds other things, stays so. */
const PASSING = new Set(['PUBLISH_UNREACHABLE', 'PUBLISH_FAILED', 'PUBLISH_BUSY', 'PUBLISH_CONFLICT']);
/** Grows, as a busy server is not helped by hurry; a short outage is over by then. */
const pauseMs = (tried: number) => Math.min(60_000, 1_000 * 4 ** (tried - 1));

async function publishSafely(
  home: Home,
  target: PublishTarget,
  context: CliContext,
): Promise<PublicationRecord> {
  const at = context.clock.now();
  const shown = shownTarget(target.to);
  for (let tries = 1; ; tries++) {
    try {
      const published = await publishTo({ ...target, home: home.dir, baseDir: home.dir }, context);
      context.stderr.write(linesOf(published));
      return { target: shown, at };
    } catch (error) {
      const failure = failureOf(error);
      if (tries >= target.tries || !isPassing(error) || context.signal.aborted) {
        const often = tries === 1 ? '' : `, tried ${tries} times`;
        context.stderr.write(
          `The pages were not published to ${visible(shown)}${often}: ${visible(failure)} The night is complete; the next one or "nightmark publish" tries again.\n`,
        );
        return { target: shown, at, failure, tries };
      }
      const pause = pauseMs(tries);
      context.stderr.write(
        `${visible(messageOf(error))} The pages are published again in ${counted(pause / 1000, 'second')}.\n`,
      );
      await context.clock.sleep(pause, context.signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof NightmarkError && PASSING.has(error.code);
}

/** In words, with what to do about it. */
export function failureOf(error: unknown): string {
  const hint = error instanceof NightmarkError && error.hint !== undefined ? ` ${error.hint}` : '';
  return `${messageOf(error)}${hint}`;
}

function linesOf({ report, shown }: Published): string {
  const { outcome } = report;
  const kept = outcome.state === 'broken' && !report.isChanged;
  const note = kept ? `${visible(outcome.reason)} The earlier site stays, and says so.\n` : '';
  return `Published: ${describeReport(report, shown, false)}${note}`;
}
