import type { PublicationRecord } from '../../dashboard/app/publications.ts';
import { definitionMentions, homeArgument } from '../../home/cli/home-argument.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { PublishTarget } from '../../home/core/home.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { DEFAULT_SITE_SIZE, parseSize } from '../../platform/config/durations-and-sizes.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { describeReport, failureOf, recordOutcomes } from './site/publish-night.ts';
import { type PublishOptions, publishTo, shownTarget } from './site/publish-to.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home; the current folder if left out')
      .option(
        '--to <target>',
        'dir:PATH, git:REMOTE#BRANCH, s3://BUCKET/PATH or rsync:HOST:PATH (default: what "publish" in nightmark.yml names)',
      )
      .option('--dry-run', 'list what would be written and removed, and change nothing')
      .option(
        '--max-size <size>',
        `room for graphs and data files; the oldest nights are left out first (default: ${DEFAULT_SITE_SIZE})`,
      )
      .option('--even-broken', 'publish the newest night also when it broke')
      .option('--fresh', 'compare every file again, ignoring the cache of earlier publications')
      .option(
        '--write-old',
        'also write results.json, progress.json and auto/*.json of older pages, below resources/',
      )
      .option('--json', 'print the report as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([given], options, context) {
    const home = await homeArgument(given, context);
    const failures: unknown[] = [];
    const news: PublicationRecord[] = [];
    let code: ExitCode = EXIT.fine;
    const { targets, publish } = await targetsOf(home, options, context);
    for (const target of targets) {
      const record = { target: shownTarget(target.to ?? ''), at: context.clock.now() };
      try {
        if (!(await publishOne(target, options, context))) code = EXIT.someFailed;
        news.push(record);
      } catch (error) {
        news.push({ ...record, failure: failureOf(error) });
        // A target that is unavailable does not stop the others; each failure is reported.
        if (failures.length > 0) context.stderr.write(`${visible(messageOf(failures.at(-1)))}\n`);
        failures.push(error);
      }
    }
    // Nights only care for the targets of the definition, not for those of the command line.
    if (publish.length > 0 && !flag(options, 'dryRun'))
      await recordOutcomes({ dir: home, publish }, news, context);
    if (failures.length > 0) throw failures.at(-1);
    return code;
  },
};

export default command;

const EXAMPLES = `
Only what changed is written, and readers see the earlier site until the new one is whole.

Examples:
  nightmark publish ~/bench                      (to the targets of its nightmark.yml, as each night does)
  nightmark publish --to dir:/var/www/bench
  nightmark publish --to git:git@github.com:owner/repository.git#gh-pages
  nightmark publish ~/bench --to s3://bucket/bench --dry-run
  nightmark publish --to rsync:www@host:/srv/bench

Exit codes: 0 published, 4 the newest night broke and the earlier site stays, 1 anything else.`;

/** False: the newest night broke, and the earlier site stays. */
async function publishOne(target: PublishOptions, options: Options, context: CliContext): Promise<boolean> {
  const { report, shown } = await publishTo(target, context);
  const { outcome } = report;
  if (flag(options, 'json'))
    context.stdout.write(`${JSON.stringify({ home: target.home, target: shown, ...report })}\n`);
  else context.stdout.write(describeReport(report, shown, flag(options, 'dryRun')));
  if (outcome.state === 'fine') return true;
  const kept = report.isChanged ? '' : ' The earlier site stays, with a note.';
  context.stderr.write(`${visible(outcome.reason)}${kept}\n`);
  return false;
}

interface Targets {
  readonly targets: readonly PublishOptions[];
  /** Those of the definition, where it was read. */
  readonly publish: readonly PublishTarget[];
}

/** What the command line names; without that, what the definition does. */
async function targetsOf(home: string, options: Options, context: CliContext): Promise<Targets> {
  const shared = {
    home,
    isDryRun: flag(options, 'dryRun'),
    isFresh: flag(options, 'fresh'),
    showsBroken: flag(options, 'evenBroken'),
  };
  const [to, maxBytes, writesOld] = [textOption(options, 'to'), maxSize(options), flag(options, 'writeOld')];
  const isDefined = to === undefined && (await definitionMentions(home, 'publish', context));
  const publish = isDefined ? ((await readHome(home, {}, context)).home.publish ?? []) : [];
  if (publish.length === 0) {
    const usual = maxBytes ?? (parseSize(DEFAULT_SITE_SIZE) as number);
    return { targets: [{ ...shared, to, baseDir: context.cwd, maxBytes: usual, writesOld }], publish };
  }
  const targets = publish.map((target) => ({
    ...shared,
    to: target.to,
    baseDir: home,
    maxBytes: maxBytes ?? target.maxBytes,
    writesOld: writesOld || target.writesOld,
  }));
  return { targets, publish };
}

function maxSize(options: Options): number | undefined {
  const text = textOption(options, 'maxSize');
  const bytes = parseSize(text ?? '');
  if (text === undefined || bytes !== undefined) return bytes;
  throw new NightmarkError('CLI_INVALID_OPTION', `--max-size takes a size, not "${text}".`, {
    hint: 'For example 500MB or 2G.',
  });
}
