import type { Format } from '../../../formats/core/format.ts';
import { homeArgument } from '../../../home/cli/home-argument.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import { lacksDirection } from '../../../home/core/changes/direction.ts';
import { loadAll } from '../../../platform/cli/adapters.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { type CompareFilesRequest, compareFiles } from '../../app/compare/compare-files.ts';
import { compareRuns } from '../../app/compare/compare-runs.ts';
import type { CompareView } from '../../app/compare/compare-view.ts';
import { type Gate, gateOfNames } from '../../core/changes/gate.ts';
import { compareCsv, compareMarkdown } from '../../core/compare/compare-export.ts';
import type { ComparedRow } from '../../core/compare/compared-row.ts';
import { splitPair } from '../../core/compare/side-selection.ts';
import { ALLOW_UNKNOWN, gateExit } from '../changes/gate-exit.ts';
import { commitLog, withHomeStore } from '../changes/open-home.ts';
import { describeComparison } from './describe-comparison.ts';
import { fileSides } from './file-sides.ts';

const HELP = `
Two files, or two folders with a file of each run, are compared without a home; every format of "nightmark import" is read.
Otherwise a side is: latest, latest~3, a run (id, label or their beginning), a commit (6de6d63, repo@6de6d63),
machine:NAME, branch:NAME (imports), 2026-01-31, 2026-01-01/2026-01-31, since:2026-01-01, until:2026-01-31.

Examples:
  nightmark compare                               the newest run against the one before
  nightmark compare latest~7 latest --home ~/bench
  nightmark compare 6de6d63..a1b2c3d --markdown   two commits, as a comment for a pull request
  nightmark compare machine:bench-1 machine:bench-2 --all
  nightmark compare old.txt new.txt               results in two files, as go test -bench or hyperfine wrote them
Ends with 3 if something is surely slower by more than --min-effect, 4 if an experiment failed in the head, 2 if there is nothing to compare,
too little history to judge anything, or a series changed whose good direction is unknown (nightmark directions; --allow-unknown passes).
See docs/guide/compare.md.`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[base]', 'what to compare with, or BASE..HEAD (default: the run before the head)')
      .argument('[head]', 'what is judged (default: latest)')
      .option('--home <folder>', 'the home', '.')
      .option(
        '--min-effect <percent>',
        'smallest difference of interest: less is the same, surely more an alarm',
        '1%',
      )
      .option('--or-likely', 'exit code 3 also when something is only likely slower by more than that')
      .option('--all', 'also what is the same or undecided')
      .option('--details', 'also spreads and counts below "detailed"')
      .option('--format <id>', 'files: how to read them (default: detected from their content)')
      .option('--better <which>', 'files: lower or higher, for series that do not say it')
      .option(...ALLOW_UNKNOWN)
      .option('--json', 'print everything as JSON')
      .option('--markdown', 'print a comment for a pull request')
      .option('--csv', 'print a table of all series')
      .addHelpText('after', HELP);
  },

  async run(words, options, context) {
    const files = await fileSides(words, context);
    if (files) return compareResultFiles(files, options, context);
    const home = await homeArgument(textOption(options, 'home'), context);
    const request = { home, ...sidesOf(words), options: { minEffect: minEffectOf(options) } };
    return withHomeStore(home, context, async (store) => {
      if (!store)
        return nothing(`${home} has no results yet.`, `Run two nights: nightmark run ${home}`, context);
      const { disk, signal } = context;
      const effects = { store, disk, signal, commits: await commitLog() };
      try {
        const view = await compareRuns({ ...request, withDetails: flag(options, 'details') }, effects);
        const gate = gateOfRows(view.rows, flag(options, 'orLikely'), NO_HISTORY);
        context.stdout.write(textOf(view, gate, { options, context }));
        return exitCode(view, gate, () => gateExit(gate, home, { options, context }));
      } catch (error) {
        if (!(error instanceof NightmarkError) || error.code !== 'COMPARE_NO_BASE') throw error;
        return nothing(error.message, error.hint ?? '', context);
      }
    });
  },
};

export default command;

async function compareResultFiles(
  sides: Pick<CompareFilesRequest, 'base' | 'head'>,
  options: Options,
  context: CliContext,
): Promise<ExitCode> {
  const format = textOption(options, 'format');
  const better = betterOf(options);
  const rule = { mapping: {}, ...(format !== undefined && { format }) };
  const request = { ...sides, rule, options: { minEffect: minEffectOf(options) } };
  const view = compareFiles({ ...request, ...(better && { better }) }, await loadAll<Format>('formats'));
  const gate = gateOfRows(view.rows, flag(options, 'orLikely'), 'Fewer than 5 values of a series on a side.');
  context.stdout.write(textOf(view, gate, { options, context }));
  return exitCode(view, gate, () => gateExit(gate, undefined, { options, context }));
}

function betterOf(options: Options): 'lower' | 'higher' | undefined {
  const text = textOption(options, 'better');
  if (text === undefined || text === 'lower' || text === 'higher') return text;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --better: "${text}".`, {
    hint: 'It is lower or higher.',
  });
}

function sidesOf([first, second]: readonly string[]): { readonly base?: string; readonly head?: string } {
  const pair = second === undefined && first !== undefined ? splitPair(first) : undefined;
  return (
    pair ?? { ...(first !== undefined && { base: first }), ...(second !== undefined && { head: second }) }
  );
}

function minEffectOf(options: Options): number {
  const text = textOption(options, 'minEffect') ?? '1%';
  const [, digits] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
  const share = Number(digits) / 100;
  if (digits !== undefined && share < 1) return share;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `Invalid --min-effect: "${text}" is not a percentage below 100.`,
    {
      hint: 'For example: --min-effect 2%',
    },
  );
}

function textOf(
  view: CompareView,
  gate: Gate,
  { options, context }: { readonly options: Options; readonly context: CliContext },
): string {
  if (flag(options, 'json')) return `${JSON.stringify({ ...view, gate })}\n`;
  if (flag(options, 'csv')) return compareCsv(view.rows);
  if (flag(options, 'markdown'))
    return compareMarkdown({ ...view, base: view.base.asked, head: view.head.asked });
  return describeComparison(view, { hasColor: context.stdout.hasColor, isAll: flag(options, 'all') });
}

const NO_HISTORY = 'No history: the noise is unknown with fewer than 3 earlier runs and 5 on a side.';

/** What got slower, what changed without a known direction, and whether anything could be judged. */
function gateOfRows(rows: readonly ComparedRow[], orLikely: boolean, blind: string): Gate {
  const names = (some: readonly ComparedRow[]) => some.map((row) => seriesText({ kind: 'value', ...row }));
  const isSeen = ({ verdict, likely }: ComparedRow, word: 'slower' | 'changed') =>
    verdict === word || (orLikely && likely === word);
  const both = rows.filter(({ base, head }) => base && head);
  const isBlind = both.length > 0 && both.every(({ basis }) => basis.kind === 'none');
  return gateOfNames(
    names(rows.filter((row) => isSeen(row, 'slower'))),
    names(rows.filter((row) => isSeen(row, 'changed') && lacksDirection(row))),
    isBlind ? blind : undefined,
  );
}

function exitCode({ rows, failures }: CompareView, gate: Gate, judge: () => ExitCode): ExitCode {
  if (gate.state === 'regression') return EXIT.regression;
  if (failures.some(({ side }) => side === 'head')) return EXIT.someFailed;
  return rows.some(({ base, head }) => base && head) ? judge() : EXIT.nothingToCompare;
}

function nothing(what: string, hint: string, { stderr }: CliContext): ExitCode {
  stderr.write(`${what}\n${hint}\n`);
  return EXIT.nothingToCompare;
}
