import { readLedger } from '../../../home/app/ledger-file.ts';
import { homeArgument } from '../../../home/cli/home-argument.ts';
import { type CommandModule, EXIT, flag } from '../../../platform/cli/command.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { changeGroup } from '../../app/changes/change-table.ts';
import { type Score, scorecard } from '../../core/backtest/scorecard.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home', '.')
      .option('--json', 'print the rows as JSON')
      .addHelpText('after', HELP);
  },

  async run([where], options, context) {
    const home = await homeArgument(where, context);
    const { ledger } = await readLedger(home, context.disk);
    const all = [...ledger.changes.values()];
    const standing = all.filter(({ withdrawnAt }) => withdrawnAt === undefined);
    const scores = scorecard(standing, changeGroup);
    const withdrawn = all.length - standing.length;
    const more = withdrawn === 0 ? [] : [`${withdrawn} more were withdrawn by the values that followed.`];
    context.stdout.write(
      flag(options, 'json')
        ? `${JSON.stringify({ home, withdrawn, scores })}\n`
        : `${[...rows(scores), ...more].join('\n')}\n`,
    );
    return scores.length === 0 ? EXIT.nothingToCompare : EXIT.fine;
  },
};

export default command;

const HELP = `
A row for each experiment: how many changes were reported, and how they were triaged. "right" is the share of real and
expected ones among those that were triaged, with an interval of 95 %.
Example:
  nightmark changes scorecard ~/bench`;

function rows(scores: readonly Score[]): readonly string[] {
  if (scores.length === 0) return ['No change was ever reported here: there is nothing to score.'];
  const head = ['experiment', 'reported', 'real', 'expected', 'false', 'open', 'right', 'days to alert'];
  const cells = scores.map((score) => [
    visible(score.group),
    ...[score.alerts, score.real, score.expected, score.false, score.open].map(String),
    score.precision ? rightText(score.precision) : '',
    score.medianDays === undefined ? '' : score.medianDays.toFixed(1),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)));
  return [head, ...cells].map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function rightText({ share, low, high }: NonNullable<Score['precision']>): string {
  const percent = (part: number) => Math.round(part * 100);
  return `${percent(share)} % (${percent(low)} to ${percent(high)})`;
}
