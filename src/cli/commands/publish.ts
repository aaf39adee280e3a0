import { createHash } from 'node:crypto';
import { withOldFiles } from '../../app/publish/old-files.ts';
import { publishHome } from '../../app/publish/publish-home.ts';
import { siteFiles } from '../../app/publish/site-files.ts';
import { parseSize } from '../../config/sizes.ts';
import { NightmarkError } from '../../core/errors.ts';
import { visible } from '../../core/text/visible.ts';
import { type CommandModule, EXIT, flag, type Options, textOption } from '../command.ts';
import { ensureIndex } from '../home/ensure-index.ts';
import { homeArgument } from '../home/home-argument.ts';
import { watchIndex } from '../home/index-source.ts';
import { describeReport } from '../publish/describe-report.ts';
import { findTarget, openTarget } from '../publish/open-target.ts';
import { siteDocuments } from '../publish/site-documents.ts';
import { sitePage } from '../publish/site-page.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home; the current folder if left out')
      .option('--to <target>', 'dir:PATH, git:REMOTE#BRANCH, s3://BUCKET/PATH or rsync:HOST:PATH')
      .option('--dry-run', 'list what would be written and removed, and change nothing')
      .option(
        '--max-size <size>',
        'room for graphs and data files; the oldest nights are left out first',
        '500MB',
      )
      .option('--even-broken', 'publish the newest night also when it broke')
      .option('--fresh', 'look at every file again, whatever is known from earlier publications')
      .option(
        '--write-old',
        'also write results.json, progress.json and auto/*.json of older pages, below resources/',
      )
      .option('--json', 'print the report as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([given], options, context) {
    const home = await homeArgument(given, context);
    const target = await findTarget(textOption(options, 'to'));
    const maxBytes = maxSize(options);
    const isDryRun = flag(options, 'dryRun');
    const index = watchIndex(home);
    const documents = await siteDocuments(home, index, context);
    try {
      const store = (await ensureIndex(home, context)) ? await index.current() : undefined;
      if (!store) throw nothingYet(home, given);
      const request = {
        home,
        target: target.shown,
        isDryRun,
        maxBytes,
        isFresh: flag(options, 'fresh'),
        showsBroken: flag(options, 'evenBroken'),
        version: context.version,
      };
      const open = () => openTarget(target, { home, isDryRun }, context);
      const source = flag(options, 'writeOld') ? withOldFiles(siteFiles) : siteFiles;
      const report = await publishHome(request, {
        ...{ ...context, ...BYTE_TOOLS, store, source, open },
        ...{ document: documents.document, page: sitePage },
      });
      const { outcome } = report;
      if (flag(options, 'json'))
        context.stdout.write(`${JSON.stringify({ home, target: target.shown, ...report })}\n`);
      else context.stdout.write(describeReport(report, target.shown, isDryRun));
      if (outcome.state === 'fine') return EXIT.fine;
      const kept = report.isChanged ? '' : ' The earlier site stays, and says so.';
      context.stderr.write(`${visible(outcome.reason)}${kept}\n`);
      return EXIT.someFailed;
    } finally {
      await documents.close();
      index.close();
    }
  },
};

export default command;

const EXAMPLES = `
Only what changed is written, and readers see the earlier site until the new one is whole.

Examples:
  nightmark publish --to dir:/var/www/bench
  nightmark publish --to git:git@github.com:owner/repository.git#gh-pages
  nightmark publish ~/bench --to s3://bucket/bench --dry-run
  nightmark publish --to rsync:www@host:/srv/bench

Exit codes: 0 published, 4 the newest night broke and the earlier site stays, 1 anything else.`;

const BYTE_TOOLS = {
  newHash() {
    const hash = createHash('sha256');
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
  encode: (text: string) => Buffer.from(text),
};

function maxSize(options: Options): number {
  const text = textOption(options, 'maxSize') ?? '';
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new NightmarkError('CLI_INVALID_OPTION', `--max-size takes a size, not "${text}".`, {
    hint: 'For example 500MB or 2G.',
  });
}

function nothingYet(home: string, given: string | undefined): NightmarkError {
  return new NightmarkError('PUBLISH_NOTHING', `${home} has no results yet.`, {
    hint: `Run a night first: nightmark run ${given ?? '.'}`,
  });
}
