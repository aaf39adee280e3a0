import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/visible.ts';
import type { BudgetedThresholds } from '../../core/backtest/alarm-budget.ts';
import type { Backtest } from '../../core/backtest/backtest.ts';
import type { Share } from '../../core/backtest/wilson.ts';
import { day } from './describe-list.ts';

const MAX_ALERTS = 20;

/** How often a method would have spoken, how right it would have been, and when. */
export function describeBacktest(
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
    const said = triage === undefined ? '' : `  [${triage === 'true' ? 'real' : triage}]`;
    lines.push(`  ${day(at)}  ${visible(series)}  ${visible(description)}${said}`);
  }
  if (newest.length > MAX_ALERTS) lines.push(`  and ${newest.length - MAX_ALERTS} more: --json`);
  lines.push('Nothing was written down. Compare methods: --method hunter, stdev, zscore, one-sd');
  return `${lines.map(plainly).join('\n')}\n`;
}

function scoreLines({ precision, found, medianDelay, alerts }: Backtest): readonly string[] {
  const lines: string[] = [];
  if (precision) lines.push(`  ${shareText(precision)} of the alerts that people spoke about were changes`);
  else if (alerts.length > 0)
    lines.push('  Nobody has spoken about any of them: nightmark changes triage ID --state ...');
  if (found) lines.push(`  ${shareText(found)} of the regressions that people confirmed had an alert`);
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
