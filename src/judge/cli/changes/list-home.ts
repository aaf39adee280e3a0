import { readLedger, unusableLinesMessage } from '../../../home/app/ledger-file.ts';
import type { Store } from '../../../home/core/store.ts';
import { type CliContext, EXIT, type ExitCode, flag, type Options } from '../../../platform/cli/command.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { explainNewest } from '../../app/changes/explain-newest.ts';
import { judgeHome, newestThings } from '../../app/changes/judge-home.ts';
import { listChanges } from '../../app/changes/list-changes.ts';
import { describeList } from './describe-list.ts';
import { commitLog } from './explanation.ts';
import { filterOf } from './list-options.ts';
import { rulesOf, withHomeStore } from './open-home.ts';

/** All changes of a home, newest first. What nobody has judged yet is judged now. */
export async function listHome(home: string, options: Options, context: CliContext): Promise<ExitCode> {
  const filter = filterOf(options, context.clock.now());
  const { stdout, stderr } = context;
  return withHomeStore(home, context, async (store) => {
    if (!store) {
      stdout.write(flag(options, 'json') ? '{"changes":[]}\n' : `${home} has no results yet.\n`);
      stderr.write(`Run a night: nightmark run ${home}\n`);
      return EXIT.fine;
    }
    await judgeWhatIsNew(home, store, { isForced: flag(options, 'judge'), context });
    const { disk, clock, signal } = context;
    await explainNewest(home, { disk, clock, signal, store, commits: await commitLog() });
    const list = await listChanges(filter, store);
    if (flag(options, 'json')) stdout.write(`${JSON.stringify({ home, ...list })}\n`);
    else stdout.write(describeList(list, stdout.hasColor));
    return EXIT.fine;
  });
}

async function judgeWhatIsNew(
  home: string,
  store: Store,
  { isForced, context }: { readonly isForced: boolean; readonly context: CliContext },
): Promise<void> {
  const { disk, clock, signal, stderr } = context;
  const reading = await readLedger(home, disk);
  const told = unusableLinesMessage(reading);
  if (told !== undefined) stderr.write(`${told}\n`);
  const until = await newestThings(store);
  const known = reading.ledger.until;
  const isUpToDate = known !== undefined && known.run === until.run && known.payloadAt === until.payloadAt;
  if (isUpToDate && !isForced) return;
  const report = await judgeHome(
    { home, rules: await rulesOf(home, context), scope: {} },
    { disk, store, clock, signal },
  );
  const { judged, ignored, heldBack } = report;
  const parts = [
    `${counted(judged, 'series', 'series')} judged`,
    ...(ignored > 0 ? [`${ignored} ignored as nightmark.yml says`] : []),
    ...(heldBack > 0 ? [`${counted(heldBack, 'newest value')} held back as likely chance`] : []),
  ];
  stderr.write(`${plainly(parts.join(', '))}.\n`);
}
