import { type PublicationRecord, writePublications } from '../../app/publish/publication-book.ts';
import { messageOf, NightmarkError } from '../../core/errors.ts';
import type { Home, PublishTarget } from '../../core/model/home.ts';
import { visible } from '../../core/text/visible.ts';
import type { CliContext } from '../context.ts';
import { describeReport } from './describe-report.ts';
import { shownTarget } from './open-target.ts';
import { type Published, publishTo } from './publish-to.ts';

/**
 * Puts the pages where the definition says, after a night. Whatever becomes of it, the night stands: what went wrong is
 * told and written down, and the next publication brings everything that this one did not.
 */
export async function publishNight(
  home: Home,
  { isGood }: { readonly isGood: boolean },
  context: CliContext,
): Promise<void> {
  const targets = (home.publish ?? []).filter(({ on }) => isGood || on === 'every night');
  const news: PublicationRecord[] = [];
  for (const target of targets) {
    if (context.signal.aborted) break;
    news.push(await publishSafely(home, target, context));
  }
  if (news.length === 0) return;
  try {
    const shown = (home.publish ?? []).map(({ to }) => shownTarget(to));
    await writePublications(home.dir, news, { disk: context.disk, targets: shown });
  } catch (error) {
    context.stderr.write(`How the publication went could not be written down: ${messageOf(error)}\n`);
  }
}

async function publishSafely(
  home: Home,
  target: PublishTarget,
  context: CliContext,
): Promise<PublicationRecord> {
  const at = context.clock.now();
  const shown = shownTarget(target.to);
  try {
    const published = await publishTo({ ...target, home: home.dir, baseDir: home.dir }, context);
    context.stderr.write(linesOf(published));
    return { target: shown, at };
  } catch (error) {
    const hint = error instanceof NightmarkError && error.hint !== undefined ? ` ${error.hint}` : '';
    const failure = `${messageOf(error)}${hint}`;
    context.stderr.write(
      `The pages were not published to ${visible(shown)}: ${visible(failure)} The night is complete; "nightmark publish" tries again.\n`,
    );
    return { target: shown, at, failure };
  }
}

function linesOf({ report, shown }: Published): string {
  const { outcome } = report;
  const kept = outcome.state === 'broken' && !report.isChanged;
  const note = kept ? `${visible(outcome.reason)} The earlier site stays, and says so.\n` : '';
  return `Published: ${describeReport(report, shown, false)}${note}`;
}
