import { homeArgument } from '../../home/cli/home-argument.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Home } from '../../home/core/home.ts';
import type { Run } from '../../home/core/run.ts';
import type { Store } from '../../home/core/store.ts';
import { withHomeStore } from '../../judge/cli/changes/open-home.ts';
import { type CliContext, type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { collectNotices } from '../app/notify/collect-notices.ts';
import { withRetries } from '../app/notify/deliver.ts';
import { DeliveryLog } from '../app/notify/delivery-log.ts';
import { type Destination, previewNotices } from '../app/notify/destination.ts';
import { rehearsalNotice } from '../core/notices/run-notices.ts';
import {
  describeDeliveries,
  describePreviews,
  notifyEffects,
  openDestinations,
  sendNotices,
} from './notify/send-notices.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'folder with nightmark.yml', '.')
      .option('--dry-run', 'print exactly what would be sent to whom, and send nothing')
      .option('--test <route>', 'send a test notice by one route, to see whether it works')
      .option('--run <id>', 'the night to report (default: the newest that ended)')
      .option('--json', 'print the outcome as JSON')
      .addHelpText(
        'after',
        `
Sends the notices of the newest night that were not sent yet, and those that wait: for a receiver that was unavailable, or
for the end of quiet hours. A night does the same at its end. No notice is sent twice.

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
      const lines = await sendTest(route, { destinations, project: home.project }, context);
      print({ sent: lines.length }, `${lines.join('\n')}\n`);
      return EXIT.fine;
    }
    if (destinations.length === 0) {
      print([], `${dir} notifies nobody: nightmark.yml has no "notify". See docs/guide/notices.md\n`);
      return EXIT.fine;
    }
    return withHomeStore(dir, context, async (store) => {
      const notices = await noticesOf(home, textOption(options, 'run'), { store, context });
      if (flag(options, 'dryRun')) {
        const { log, note } = await DeliveryLog.open(dir, context.disk);
        if (note !== undefined) context.stderr.write(`${note}\n`);
        const previews = previewNotices(notices, { destinations, log }, context.clock);
        print(previews, describePreviews(previews));
        return EXIT.fine;
      }
      const reports = await sendNotices({ home: dir, destinations, store, context }, notices);
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

const SEND_TIMEOUT_MS = 120_000;

/** Sends a test notice to every destination of a route, also in quiet hours. */
export async function sendTest(
  route: string,
  { destinations, project }: { readonly destinations: readonly Destination[]; readonly project: string },
  context: CliContext,
): Promise<readonly string[]> {
  const chosen = destinations.filter(({ name, route: own }) => own.name === route || name === route);
  if (chosen.length === 0) {
    const names = [...new Set(destinations.map((it) => it.route.name))];
    throw new NightmarkError('NOTIFY_UNKNOWN_ROUTE', `There is no route "${visible(route)}".`, {
      hint: names.length === 0 ? 'nightmark.yml has no "notify".' : `There are: ${names.join(', ')}.`,
    });
  }
  const lines: string[] = [];
  for (const { name, connection, obstacle, route: own } of chosen) {
    if (obstacle !== undefined) throw new NightmarkError('NOTIFY_NO_SECRET', obstacle);
    const notice = rehearsalNotice(own.name, project, context.clock.now());
    const effects = notifyEffects(undefined, context);
    const sent = await withRetries(
      () => connection.send({ notice, kind: 'new', pictures: [] }, context.signal),
      { ...effects, tries: own.tries, deadline: context.clock.now() + SEND_TIMEOUT_MS },
    );
    if (sent.state !== 'sent')
      throw new NightmarkError('NOTIFY_NOT_SENT', `${visible(name)}: ${sent.message}`, {
        hint:
          sent.state === 'busy'
            ? 'The receiver does not answer, or asks to wait.'
            : 'Check the address, the channel and the credentials of the route.',
      });
    lines.push(`Sent to ${visible(name)}.`);
  }
  return lines;
}
