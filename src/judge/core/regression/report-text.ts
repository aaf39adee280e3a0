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
    .map(
      ([state, number]) => `${number} ${PLURAL[state]}${state === 'undecided' ? undecidedText(kpis) : ''}`,
    );
  const judged = `${counted(kpis.length, 'KPI value')} of ${counted(entries.length, 'entry', 'entries')}`;
  return `${judged} by ${method}: ${parts.join(', ') || 'nothing to judge'}.`;
}

/** " (2 likely worse; 30 look worse, held back among 600)": what an undecided one may still be. */
function undecidedText(kpis: readonly KpiAnalysis[]): string {
  const among = (key: 'likely' | 'heldBack', words: (label: string) => string) =>
    (['regression', 'improvement', 'changed'] as const)
      .map((state) => [kpis.filter((kpi) => kpi[key] === state).length, words(STATE_LABELS[state])] as const)
      .filter(([number]) => number > 0)
      .map(([number, text]) => `${number} ${text}`)
      .join(', ');
  const held = among('heldBack', (label) => `look ${label}`);
  const parts = [
    among('likely', (label) => `likely ${label}`),
    held === '' ? '' : `${held}, held back among ${kpis.filter(({ p }) => p !== undefined).length}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
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

/** "worse", "likely worse". */
export function stateText({ state, likely }: KpiAnalysis): string {
  return likely === undefined ? STATE_LABELS[state] : `likely ${STATE_LABELS[likely]}`;
}

/** The value that was judged, as the definition writes it. */
export function valueText({ definition, newest }: KpiAnalysis): string {
  return formatKpiValue(definition, newest.length === 0 ? null : mean(newest));
}

/** The level that it was compared with. */
export function levelText({ definition, level, history }: KpiAnalysis): string {
  if (history.length === 0) return '';
  return formatKpiValue(definition, level?.value ?? mean(history.map(({ value }) => value)));
}

/** How far from the level, with the interval. */
export function changeText(kpi: KpiAnalysis): string {
  const { shift, newest, history } = kpi;
  if (shift?.relative) {
    const { change, low, high } = shift.relative;
    return plainly(`${formatChange(change)} [${formatChange(low)}, ${formatChange(high)}]`);
  }
  if (newest.length === 0 || history.length === 0) return '';
  const level = mean(history.map(({ value }) => value));
  return level === 0 ? '' : plainly(formatChange((mean(newest) - level) / Math.abs(level)));
}

/** Why it is so, in one cell. */
export function reasonText(kpi: KpiAnalysis): string {
  const { state, heldBack, method, verdict, level, history, values, newest, notes } = kpi;
  if (method) return method.description;
  if (state === 'no-history') return 'no earlier result of the same test';
  if (state === 'no-value') return notes[0] ?? 'the test gave no value';
  const used = history.slice(level?.start ?? 0);
  const tests = used.reduce((sum, { testIds }) => sum + testIds.length, 0);
  const of = tests > used.length ? ` (of ${counted(tests, 'test')})` : '';
  const held = heldBack === undefined ? '' : `; looks ${STATE_LABELS[heldBack]}, held back`;
  const whose = `${counted(values.length, 'test')}${values.length > newest.length ? `, ${counted(newest.length, 'value')}` : ''}`;
  const isNews = IS_CHANGE.has(state) || kpi.likely !== undefined;
  const provisional = verdict?.isProvisional && isNews ? `; provisional (${whose})` : '';
  return `${counted(level?.count ?? history.length, 'value')}${of} at this level${held}${provisional}`;
}

export const IS_CHANGE: ReadonlySet<KpiState> = new Set(['regression', 'improvement', 'changed']);
/** Neither passed nor failed. */
export const IS_UNJUDGED: ReadonlySet<KpiState> = new Set(['too-few', 'no-history', 'no-value']);
