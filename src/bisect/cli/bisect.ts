import { processTimer } from '../../duet/adapters/timer/process-timer.ts';
import type { CommitRange } from '../../git/core/commit-history.ts';
import { newRunId } from '../../home/app/run-id.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { type BisectOutcome, bisectCommits } from '../app/bisect-commits.ts';
import { type BisectJournal, beginJournal, resumeJournal } from '../app/bisect-journal.ts';
import type { BisectPlan } from '../core/bisect-plan.ts';
import { estimateHalvings, usualBuilds } from '../core/remaining.ts';
import { bisectJson } from './bisect-json.ts';
import { configureBisect, type Means, makePlan, markCommand, resumeFolder } from './bisect-options.ts';
import { bisectMarkdown, bisectText, progressLine } from './bisect-text.ts';
import { type BisectWorld, loadGit, openWorld, stateFolder } from './bisect-world.ts';

const command: CommandModule = {
  arrange: markCommand,
  configure: configureBisect,

  async run(args, options, context) {
    const { control, executor } = await loadGit();
    const means = { control, timer: processTimer, context };
    const words = args.filter((word) => word !== undefined);
    const journal = await openJournal(words, options, means);
    if (journal === undefined) return EXIT.fine;
    try {
      const world = await openWorld(journal.plan, journal.id, { control, executor, context });
      try {
        const outcome = await search(journal, world, { options, context });
        await print(outcome, world.range, { journal, options, context });
        return EXIT_CODES[outcome.state];
      } finally {
        await world.close();
      }
    } catch (error) {
      if (context.signal.aborted)
        context.stderr.write(`Go on with: nightmark bisect --resume ${journal.id}\n`);
      throw error;
    } finally {
      journal.close();
    }
  },
};

export default command;

const EXIT_CODES = {
  found: EXIT.fine,
  'no-difference': EXIT.nothingToCompare,
  several: EXIT.undecided,
  undecided: EXIT.undecided,
} as const;

/** Undefined after a dry run. */
async function openJournal(
  words: readonly string[],
  options: Options,
  means: Means,
): Promise<BisectJournal | undefined> {
  const { control, context } = means;
  const { clock, disk, stderr } = context;
  const resume = options['resume'];
  if (resume !== undefined && resume !== false) {
    const folder = await resumeFolder(options, means);
    return resumeJournal(
      folder,
      { at: clock.now(), ...(typeof resume === 'string' && { id: resume }) },
      disk,
    );
  }
  const { plan, range } = await makePlan(words, options, means);
  if (flag(options, 'dryRun')) {
    context.stdout.write(dryRun(range, plan, options));
    return undefined;
  }
  const id = newRunId(clock.now(), context.randomSeed());
  if (!isQuiet(options)) stderr.write(`Search ${id}: ${rangeText(range)}. ${buildsText(range, plan)}\n`);
  const folder = await stateFolder(plan.work, control, context);
  return beginJournal(folder, { type: 'begin', id, at: clock.now(), plan }, disk);
}

function search(
  journal: BisectJournal,
  world: BisectWorld,
  { options, context }: { options: Options; context: CliContext },
): Promise<BisectOutcome> {
  const { mode, seed, timeoutMs, certainty, minEffect, mostPairs, mostBuilds, measure } = journal.plan;
  const builds = mostBuilds ?? usualBuilds(world.range.commits.length);
  const { clock, signal, stderr } = context;
  let last = '';
  return bisectCommits(
    {
      range: world.range,
      options: { certainty, minEffect, mostBuilds: builds, ...(mostPairs !== undefined && { mostPairs }) },
      settings: {
        ...{ mode, seed, ...(timeoutMs !== undefined && { timeoutMs }) },
        ...(measure !== undefined && { measure }),
      },
      journal,
    },
    {
      ...{ timer: processTimer, clock, signal, sideAt: world.sideAt, hasBuild: world.hasBuild },
      report(progress) {
        // A commit is measured a few pairs at a time: it is reported when it begins.
        const what = `${progress.type} ${'version' in progress ? progress.version.commit : ''}`;
        const line = isQuiet(options) || what === last ? undefined : progressLine(progress, world.range);
        if (line === undefined) return;
        last = what;
        stderr.write(`${line}\n`);
      },
    },
  );
}

async function print(
  outcome: BisectOutcome,
  range: CommitRange,
  { journal, options, context }: { journal: BisectJournal; options: Options; context: CliContext },
): Promise<void> {
  const { stdout, disk, cwd } = context;
  const json = () => `${JSON.stringify(bisectJson(outcome, range, journal.id))}\n`;
  stdout.write(flag(options, 'json') ? json() : bisectText(outcome, range));
  const summary = textOption(options, 'summary');
  if (summary !== undefined) await disk.writeText(resolvePath(cwd, summary), bisectMarkdown(outcome, range));
}

function dryRun(range: CommitRange, plan: BisectPlan, options: Options): string {
  if (flag(options, 'json')) {
    const commits = range.commits.map(({ commit, subject, isLikely }) => ({ commit, subject, isLikely }));
    const halvings = estimateHalvings(range.commits.length);
    return `${JSON.stringify({ good: range.good.commit, commits, halvings, mostBuilds: plan.mostBuilds })}\n`;
  }
  return `${rangeText(range)}.\n${buildsText(range, plan)} Nothing was run.\n`;
}

/** Good and bad, each twice, what halves the rest, and the second build of one neighbour of the answer. */
function buildsText(
  { commits }: CommitRange,
  { mostBuilds = usualBuilds(commits.length) }: BisectPlan,
): string {
  const usual = Math.min(mostBuilds, estimateHalvings(commits.length) + 5);
  return `About ${counted(usual, 'build')}, at most ${mostBuilds} (--builds).`;
}

function rangeText({ good, commits }: CommitRange): string {
  const likely = commits.filter(({ isLikely }) => isLikely).length;
  const more = likely === 0 ? '' : `, ${likely} of them likely`;
  return `${counted(commits.length, 'commit')} from ${good.shortCommit} to ${commits.at(-1)?.shortCommit}${more}`;
}

function isQuiet(options: Options): boolean {
  return flag(options, 'quiet') || flag(options, 'json');
}
