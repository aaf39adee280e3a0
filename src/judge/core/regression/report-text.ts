import { formatKpiValue } from '../../../formats/core/kpi/kpi-format.ts';
import { counted, formatChange, plainly } from '../../../platform/core/text/numbers.ts';
import { mean } from '../../../stats/summary.ts';
import type { EntryAnalysis, KpiAnalysis, KpiState, RegressionAnalysis } from './analysis.ts';

export const STATE_LABELS: Readonly<Record<KpiState, string>> = {
  regression: 'worse',
  improvement: 'better',
  changed: 'changed',
  same: 'same',
  inline: 'in line',
  undecided: 'undecided',
  'too-few': 'too few',
  'no-history': 'no history',
  'no-value': 'no value',
};

/** One sentence: what is bad first, and what could not be judged is never left out. */
export function headline({ entries, method }: RegressionAnalysis): string {
  const kpis = entries.flatMap((entry) => entry.kpis);
  const count = (state: KpiState) => kpis.filter((kpi) => kpi.state === state).length;
  const parts = (Object.keys(STATE_LABELS) as KpiState[])
    .map((state) => [state, count(state)] as const)
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${number} ${PLURAL[state]}`);
  const judged = `${counted(kpis.length, 'KPI value')} of ${counted(entries.length, 'entry', 'entries')}`;
  return `${judged} by ${method}: ${parts.join(', ') || 'nothing to judge'}.`;
}

const PLURAL: Readonly<Record<KpiState, string>> = {
  ...STATE_LABELS,
  same: 'the same',
  'too-few': 'with too little history',
  'no-history': 'without history',
  'no-value': 'without a value',
};

export function entryTitle({ number, name }: EntryAnalysis): string {
  return name === '' ? 'Unique test' : `Entry ${number}: ${name}`;
}

/** The mean of the tests, as the definition writes it. */
export function valueText({ definition, values }: KpiAnalysis): string {
  return formatKpiValue(definition, values.length === 0 ? null : mean(values));
}

/** The level that it was compared with. */
export function levelText({ definition, level, history }: KpiAnalysis): string {
  if (history.length === 0) return '';
  return formatKpiValue(definition, level?.value ?? mean(history.map(({ value }) => value)));
}

/** How far from the level, with the interval. */
export function changeText(kpi: KpiAnalysis): string {
  const { shift, values, history } = kpi;
  if (shift?.relative) {
    const { change, low, high } = shift.relative;
    return plainly(`${formatChange(change)} [${formatChange(low)}, ${formatChange(high)}]`);
  }
  if (values.length === 0 || history.length === 0) return '';
  const level = mean(history.map(({ value }) => value));
  return level === 0 ? '' : plainly(formatChange((mean(values) - level) / Math.abs(level)));
}

/** Why it is so, in one cell. */
export function reasonText({ state, method, verdict, level, history, notes }: KpiAnalysis): string {
  if (method) return method.description;
  if (state === 'no-history') return 'no earlier result of the same test';
  if (state === 'no-value') return notes[0] ?? 'the test gave no value';
  const provisional = verdict?.isProvisional && IS_CHANGE.has(state) ? '; provisional, one test only' : '';
  return `${counted(level?.count ?? history.length, 'value')} at this level${provisional}`;
}

export const IS_CHANGE: ReadonlySet<KpiState> = new Set(['regression', 'improvement', 'changed']);
/** Neither passed nor failed. */
export const IS_UNJUDGED: ReadonlySet<KpiState> = new Set(['too-few', 'no-history', 'no-value']);
