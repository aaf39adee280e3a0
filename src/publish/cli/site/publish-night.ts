import {
  type PublicationRecord,
  readPublications,
  writePublications,
} from '../../../dashboard/app/publications.ts';
import type { Home, PublishTarget } from '../../../home/core/home.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { HomeReport } from '../../app/site/publish-home.ts';
import { type Published, publishTo, shownTarget } from './publish-to.ts';

/**
 * Puts the pages where the definition says, after a night. A failure never fails the night: it is retried for a while,
 * reported and recorded, and the next publication brings everything that this one did not.
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
  await recordOutcomes(home, news, context);
}

/** Records the outcomes of publications: for the next night, `nightmark status` and the page. Never fails. */
export async function recordOutcomes(
  home: Pick<Home, 'dir' | 'publish'>,
  news: readonly PublicationRecord[],
  context: CliContext,
): Promise<void> {
  if (news.length === 0) return;
  try {
    const shown = (home.publish ?? []).map(({ to }) => shownTarget(to));
    await writePublications(home.dir, news, { disk: context.disk, targets: shown });
  } catch (error) {
    context.stderr.write(`The outcome of the publication could not be recorded: ${messageOf(error)}\n`);
  }
}

async function failingTargets({ dir }: Home, { disk }: CliContext): Promise<ReadonlySet<string>> {
  const known = await readPublications(dir, disk);
  return new Set(known.flatMap(({ target, failure }) => (failure === undefined ? [] : [target])));
}

/** Failures that another attempt may resolve. */
const TRANSIENT = new Set(['PUBLISH_UNREACHABLE', 'PUBLISH_FAILED', 'PUBLISH_BUSY', 'PUBLISH_CONFLICT']);
/** Exponential backoff. */
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
      if (tries >= target.tries || !isTransient(error) || context.signal.aborted) {
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

function isTransient(error: unknown): boolean {
  return error instanceof NightmarkError && TRANSIENT.has(error.code);
}

/** The message and the hint. */
export function failureOf(error: unknown): string {
  const hint = error instanceof NightmarkError && error.hint !== undefined ? ` ${error.hint}` : '';
  return `${messageOf(error)}${hint}`;
}

function linesOf({ report, shown }: Published): string {
  const { outcome } = report;
  const kept = outcome.state === 'broken' && !report.isChanged;
  const note = kept ? `${visible(outcome.reason)} The earlier site stays, with a note.\n` : '';
  return `Published: ${describeReport(report, shown, false)}${note}`;
}

const MOST_LINES = 40;

/** What was published, or would be. */
export function describeReport(report: HomeReport, shown: string, isDryRun: boolean): string {
  const { written, removed, unchanged, bytesWritten, isChanged, leftOut } = report;
  const lines: string[] = [];
  if (isDryRun) {
    lines.push(
      ...cut(written.map(({ path, size }) => `write   ${sizeText(size).padStart(10)}  ${visible(path)}`)),
    );
    lines.push(...cut(removed.map((path) => `remove              ${visible(path)}`)));
  }
  const files = `${written.length} ${written.length === 1 ? 'file' : 'files'} (${sizeText(bytesWritten)})`;
  const would = isDryRun ? 'would be ' : '';
  const what = isChanged ? `${files} ${would}written` : `Nothing changed: only the status ${would}written`;
  lines.push(`${what}, ${removed.length} ${would}removed, ${unchanged} unchanged: ${visible(shown)}`);
  const { old, unsafe } = leftOut;
  if (old > 0) lines.push(`${old} older artifacts are left out to keep the site small (--max-size).`);
  if (unsafe > 0) lines.push(`${unsafe} pictures are left out: they could run something in a browser.`);
  return `${lines.join('\n')}\n`;
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `... and ${lines.length - MOST_LINES} more: --json names them all`];
}

function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}
