import { readLedger } from '../../../home/app/ledger-file.ts';
import { parseBudget } from '../../../home/config/regress-block.ts';
import type { Store } from '../../../home/core/store.ts';
import {
  type CliContext,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { Share } from '../../../stats/wilson.ts';
import { historiesOf } from '../../app/changes/alarm-thresholds.ts';
import { backtestHome } from '../../app/changes/backtest-home.ts';
import type { JudgingRules } from '../../app/series/judging-rules.ts';
import { type BudgetedThresholds, budgetThresholds } from '../../core/backtest/alarm-budget.ts';
import type { Backtest } from '../../core/backtest/backtest.ts';
import { nightmarkMethod, oneSd } from '../../core/backtest/backtest-methods.ts';
import { METHODS } from '../../core/regression/methods.ts';
import type { RegressionMethod } from '../../core/regression/regression-method.ts';
import { day } from './describe-list.ts';
import { rulesOf, withHomeStore } from './open-home.ts';

/** nightmark changes HOME --backtest: what a method would have reported on the stored history. */
export async function backtestCommand(
  home: string,
  options: Options,
  context: CliContext,
): Promise<ExitCode> {
  const given = { days: daysOf(textOption(options, 'days')), name: textOption(options, 'method') };
  const { stdout, stderr, disk, clock, signal } = context;
  return withHomeStore(home, context, async (store) => {
    if (!store) {
      stderr.write(`${home} has no results yet: nothing to replay.\n`);
      return EXIT.nothingToCompare;
    }
    const rules = await rulesOf(home, context);
    const thresholds = await thresholdsOf(textOption(options, 'budget'), rules, store);
    const { ledger } = await readLedger(home, disk);
    const request = { method: methodOf(given.name ?? 'nightmark', thresholds), rules };
    const found = await backtestHome(
      { ...request, ...(given.days !== undefined && { days: given.days }) },
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
  const method = [nightmarkMethod(thresholds), ...METHODS, oneSd].find((one) => one.name === name);
  if (method) return method;
  throw new NightmarkError('CLI_INVALID_OPTION', `There is no method "${name}".`, {
    hint: `Methods: ${BACKTEST_METHODS.join(', ')}.`,
  });
}

async function thresholdsOf(
  text: string | undefined,
  rules: JudgingRules,
  store: Store,
): Promise<BudgetedThresholds | undefined> {
  const budget = text === undefined ? rules.home.budget : parseBudget(text);
  if (budget)
    return budgetThresholds(await historiesOf(rules, store), { count: budget.count, perDays: budget.days });
  if (text === undefined) return undefined;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --budget: "${text}".`, {
    hint: 'For example: --budget "1 per week", --budget "2 per 10 days"',
  });
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,5}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --days: "${text}" is not a whole number of days.`, {
    hint: 'For example: --days 90',
  });
}

const SERIES_A_LINE = 100;

function progressTo(stderr: CliContext['stderr']): (series: number) => void {
  return (series) => {
    if (series % SERIES_A_LINE === 0) stderr.write(`${series} series replayed\n`);
  };
}

const MAX_ALERTS = 20;

/** How often a method would have alerted, how right it would have been, and when. */
function describeBacktest(
  found: Backtest & { readonly series: number },
  thresholds: BudgetedThresholds | undefined,
): string {
  const { method, alerts, judged, notJudged, gaps, heldBack, alertsPerWeek } = found;
  const rate = alertsPerWeek === undefined ? '' : `, ${alertsPerWeek.toFixed(2)} a week`;
  const rest = [
    ...(notJudged > 0 ? [`${notJudged} could not be judged`] : []),
    ...(gaps > 0 ? [counted(gaps, 'gap')] : []),
  ];
  const lines = [
    `${method}: ${counted(alerts.length, 'alert')} in ${counted(judged, 'value')} of ${counted(found.series, 'series', 'series')}${rate}`,
    ...(rest.length > 0 ? [`  ${rest.join(', ')}`] : []),
    ...(heldBack > 0
      ? [`  ${counted(heldBack, 'more value')} held back: among so many series some look changed by chance`]
      : []),
    ...scoreLines(found),
    ...(thresholds ? thresholdLines(thresholds) : []),
  ];
  const newest = alerts.toSorted((a, b) => b.at - a.at);
  for (const { at, series, description, triage } of newest.slice(0, MAX_ALERTS)) {
    const label = triage === undefined ? '' : `  [${triage === 'true' ? 'real' : triage}]`;
    lines.push(`  ${day(at)}  ${visible(series)}  ${visible(description)}${label}`);
  }
  if (newest.length > MAX_ALERTS) lines.push(`  and ${newest.length - MAX_ALERTS} more: --json`);
  lines.push('Nothing was stored. Compare methods: --method hunter, stdev, zscore, one-sd');
  return `${lines.map(plainly).join('\n')}\n`;
}

function scoreLines({ precision, found, medianDelay, alerts }: Backtest): readonly string[] {
  const lines: string[] = [];
  if (precision) lines.push(`  ${shareText(precision)} of the reviewed alerts were changes`);
  else if (alerts.length > 0)
    lines.push('  None of them is reviewed yet: nightmark changes triage ID --state ...');
  if (found) lines.push(`  ${shareText(found)} of the confirmed regressions had an alert`);
  if (medianDelay)
    lines.push(
      `  half of them within ${counted(medianDelay.values, 'value')} (${medianDelay.days.toFixed(1)} days)`,
    );
  return lines;
}

function thresholdLines({
  falseAlarms,
  maxP,
  expected,
  source,
  notes,
}: BudgetedThresholds): readonly string[] {
  return [
    `  the budget makes it this strict: p below ${falseAlarms.toPrecision(2)} for a newest value, ${maxP.toPrecision(2)} for a level (${source}); ${expected.toPrecision(2)} false alarms expected in its time`,
    ...notes.map((note) => `  ${note}`),
  ];
}

function shareText({ count, of, low, high }: Share): string {
  const percent = (share: number) => Math.round(share * 100);
  return `${count} of ${of} (${percent(low)} to ${percent(high)} %)`;
}
