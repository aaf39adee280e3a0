import { type CommandModule, flag, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { resolvePath } from '../../../platform/core/path.ts';
import { BACKTEST_METHODS, backtestCommand } from './backtest.ts';
import { ALLOW_UNKNOWN } from './gate-exit.ts';
import { describeSeries, readSeriesFile, readSeriesInput } from './judge-text-series.ts';
import { listHome } from './list-home.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[where]', 'a home, a file with a series, or - for standard input', '.')
      .option('--column <name>', 'file: the column of a table, by name or number')
      .option('--experiment <name>', 'home: only this experiment')
      .option('--metric <pattern>', 'home: only these series, such as "cpu/*"')
      .option('--state <states>', 'home: new, confirmed, expected, fixed, false, open, withdrawn or all')
      .option('--since <when>', 'home: begun since then: 2026-01-31, or 30d')
      .option('--machine <name>', 'home: only what was measured on this machine')
      .option('--direction <ways>', 'home: better, worse or unknown')
      .option('--worse', 'home: the same as --direction worse')
      .option('--limit <count>', 'home: no more than these', '50')
      .option(
        '--fail-on-regression',
        'home: exit code 3 when one of these is an open regression, 2 when that is unknown',
      )
      .option(...ALLOW_UNKNOWN)
      .option('--judge', 'home: judge all series anew first')
      .option('--backtest', 'home: what a method would have reported on the stored history')
      .option('--method <name>', `--backtest: ${BACKTEST_METHODS.join(', ')} (default: nightmark)`)
      .option('--days <count>', '--backtest: judge only the values of these last days')
      .option('--budget <alarms>', '--backtest: false alarms that are bearable, such as "1 per week"')
      .option('--json', 'print everything as JSON')
      .addHelpText('after', HELP);
  },

  async run([where = '.'], options, context) {
    const { disk, cwd } = context;
    const isBacktest = flag(options, 'backtest');
    const stray = ['method', 'days', 'budget'].find((name) => textOption(options, name) !== undefined);
    if (stray !== undefined && !isBacktest) throw misplaced(`--${stray}`, 'add --backtest');
    if (where !== '-') {
      const path = resolvePath(cwd, where);
      const facts = await disk.stat(path);
      if (!facts) {
        throw new NightmarkError('CHANGES_NOTHING_THERE', `There is no ${path}.`, {
          hint: 'Name a home, a file with one number a line, or - for standard input.',
        });
      }
      if (facts.type === 'folder')
        return isBacktest ? backtestCommand(path, options, context) : listHome(path, options, context);
    }
    if (isBacktest) throw misplaced('--backtest', 'name a home');
    const column = textOption(options, 'column');
    const series =
      where === '-' ? await readSeriesInput(column, context) : await readSeriesFile(where, column, context);
    return describeSeries(series, flag(options, 'json'), context);
  },
};

export default command;

function misplaced(option: string, hint: string): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', `${option} replays the history of a home: ${hint}.`, {
    hint: 'For example: nightmark changes ~/bench --backtest --method hunter',
  });
}

const HELP = `
Examples:
  nightmark changes                              changes of all series of this home, newest first
  nightmark changes ~/bench --state open --worse what got worse and is not reviewed yet
  nightmark changes --machine bench-1 --direction worse,unknown --since 30d
  nightmark changes times.txt                    one number a line: where do new levels begin?
  nightmark changes results.csv --column mean
  git log ... | nightmark changes - --json
  nightmark changes ~/bench --backtest --method one-sd --days 90
  nightmark changes ~/bench --backtest --budget "1 per week"
  nightmark changes ~/bench --fail-on-regression a gate: 3 with an open regression, 2 with an unknown direction
  nightmark changes show k3f9x2a                 everything about one change
  nightmark changes triage k3f9x2a --state expected --note "larger input since Monday"
See docs/guide/changes.md.`;
