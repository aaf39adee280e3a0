import { homeArgument } from '../../home/cli/home-argument.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Home } from '../../home/core/home.ts';
import type { Run } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import { withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { collectNotices } from '../app/notify/collect-notices.ts';
import { NoticeBook } from '../app/notify/notice-book.ts';
import { previewNotices } from '../app/notify/preview-notices.ts';
import { describeDeliveries, describePreviews } from './notify/describe-notices.ts';
import { deliverFrom } from './notify/notify-world.ts';
import { openDestinations } from './notify/open-destinations.ts';
import { rehearse } from './notify/rehearse.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'folder with nightmark.yml', '.')
      .option('--dry-run', 'print exactly what would be sent to whom, and send nothing')
      .option('--test <route>', 'send a notice that says nothing by one route, to see whether it works')
      .option('--run <id>', 'the night to tell of (default: the newest that ended)')
      .option('--json', 'print the outcome as JSON')
      .addHelpText(
        'after',
        `
Sends what the newest night found and nobody was told yet, and what waits: for a receiver that was away, or for the end of
quiet hours. A night does the same at its end. Nothing is told twice.

Examples:
  nightmark notify ~/bench --dry-run
  nightmark notify ~/bench --test slack
  */15 * * * *  nightmark notify ~/bench        (crontab: quiet hours end when they should)`,
      );
  },

  async run([path = '.'], options, context) {
    const dir = await homeArgument(path, context);
    const { home } = await readHome(dir, {}, context);
    const destinations = await openDestinations(home.notify ?? [], context);
    const asJson = flag(options, 'json');
    const print = (value: unknown, text: string) =>
      context.stdout.write(asJson ? `${JSON.stringify(value)}\n` : text);
    const route = textOption(options, 'test');
    if (route !== undefined) {
      const lines = await rehearse(route, { destinations, project: home.project }, context);
      print({ sent: lines.length }, `${lines.join('\n')}\n`);
      return EXIT.fine;
    }
    if (destinations.length === 0) {
      print([], `${dir} tells nobody: nightmark.yml has no "notify". See docs/guide/notices.md\n`);
      return EXIT.fine;
    }
    return withHomeStore(dir, context, async (store) => {
      const notices = await noticesOf(home, textOption(options, 'run'), { store, context });
      if (flag(options, 'dryRun')) {
        const { book, note } = await NoticeBook.open(dir, context.disk);
        if (note !== undefined) context.stderr.write(`${note}\n`);
        const previews = previewNotices(notices, { destinations, book }, context.clock);
        print(previews, describePreviews(previews));
        return EXIT.fine;
      }
      const reports = await deliverFrom({ home: dir, destinations, store, context }, notices);
      print(reports, describeDeliveries(reports));
      return reports.some(({ problems }) => problems.length > 0) ? EXIT.error : EXIT.fine;
    });
  },
};

export default command;

async function noticesOf(
  home: Home,
  runId: string | undefined,
  { store, context }: { readonly store: Store | undefined; readonly context: CliContext },
) {
  const run = store && (await chosenRun(runId, store));
  if (runId !== undefined && !run)
    throw new NightmarkError('NOTIFY_UNKNOWN_RUN', `There is no night "${runId}" in ${home.dir}.`, {
      hint: '"nightmark status --json" has the ids of the last nights.',
    });
  return run ? collectNotices(home, run, { disk: context.disk, store }) : [];
}

async function chosenRun(id: string | undefined, store: Store): Promise<Run | undefined> {
  if (id === undefined) return (await store.latestRuns({ kind: 'night', state: 'finished', limit: 1 }))[0];
  const run = await store.run(id);
  return run?.kind === 'night' ? run : undefined;
}
