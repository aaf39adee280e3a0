import { readLedger } from '../../../home/app/ledger-file.ts';
import { parseBudget } from '../../../home/config/native/regress.ts';
import type { Store } from '../../../home/core/store.ts';
import { EXIT, type ExitCode, flag, type Options, textOption } from '../../../platform/cli/command.ts';
import type { CliContext } from '../../../platform/cli/context.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { historiesOf } from '../../app/changes/alarm-thresholds.ts';
import { backtestHome } from '../../app/changes/backtest-home.ts';
import type { RuleBook } from '../../app/changes/rules.ts';
import { type BudgetedThresholds, budgetThresholds } from '../../core/backtest/alarm-budget.ts';
import { nightmarkMethod, oneSd } from '../../core/backtest/backtest-methods.ts';
import { METHODS } from '../../core/regression/methods.ts';
import type { RegressionMethod } from '../../core/regression/regression-method.ts';
import { describeBacktest } from './describe-backtest.ts';
import { rulesOf, withHomeStore } from './open-home.ts';

/** nightmark changes HOME --backtest: what a method would have said of the stored history. */
export async function backtestCommand(
  home: string,
  options: Options,
  context: CliContext,
): Promise<ExitCode> {
  const asked = { days: daysOf(textOption(options, 'days')), name: textOption(options, 'method') };
  const { stdout, stderr, disk, clock, signal } = context;
  return withHomeStore(home, context, async (store) => {
    if (!store) {
      stderr.write(`${home} has no results yet: nothing to look back at.\n`);
      return EXIT.nothingToCompare;
    }
    const rules = await rulesOf(home, context);
    const thresholds = await thresholdsOf(textOption(options, 'budget'), rules, store);
    const { ledger } = await readLedger(home, disk);
    const request = { method: methodOf(asked.name ?? 'nightmark', thresholds), rules };
    const found = await backtestHome(
      { ...request, ...(asked.days !== undefined && { days: asked.days }) },
      ledger,
      { store, clock, signal, report: progressTo(stderr) },
    );
    const { series, ...rest } = found;
    stdout.write(
      flag(options, 'json')
        ? `${JSON.stringify({ home, series, ...rest, ...(thresholds && { thresholds }) })}\n`
        : describeBacktest(found, thresholds),
    );
    return found.judged === 0 ? EXIT.nothingToCompare : EXIT.fine;
  });
}

export const BACKTEST_METHODS = ['nightmark', ...METHODS.map(({ name }) => name), oneSd.name];

function methodOf(name: string, thresholds: BudgetedThresholds | undefined): RegressionMethod {
  if (name === 'nightmark' && thresholds) {
    const { falseAlarms, maxP } = thresholds;
    return nightmarkMethod({ newest: { falseAlarms }, changes: { maxP } });
  }
  const method = [nightmarkMethod(), ...METHODS, oneSd].find((one) => one.name === name);
  if (method) return method;
  throw new NightmarkError('CLI_INVALID_OPTION', `There is no method "${name}".`, {
    hint: `Methods: ${BACKTEST_METHODS.join(', ')}.`,
  });
}

async function thresholdsOf(
  text: string | undefined,
  rules: RuleBook,
  store: Store,
): Promise<BudgetedThresholds | undefined> {
  const budget = text === undefined ? rules.home.budget : parseBudget(text);
  if (budget)
    return budgetThresholds(await historiesOf(rules, store), { count: budget.count, perDays: budget.days });
  if (text === undefined) return undefined;
  throw new NightmarkError('CLI_INVALID_OPTION', `--budget "${text}" is no number of alarms in a time.`, {
    hint: 'For example: --budget "1 per week", --budget "2 per 10 days"',
  });
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,5}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new NightmarkError('CLI_INVALID_OPTION', `--days "${text}" is no whole number of days.`, {
    hint: 'For example: --days 90',
  });
}

const SERIES_A_LINE = 100;

function progressTo(stderr: CliContext['stderr']): (series: number) => void {
  return (series) => {
    if (series % SERIES_A_LINE === 0) stderr.write(`${series} series looked back at\n`);
  };
}
