import pc from 'picocolors';
import { MEASURES, measureText } from '../../executors/core/measures.ts';
import type { Output } from '../../platform/cli/command.ts';
import { csvCell } from '../../platform/core/text/csv.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { Judgement, Verdict } from '../../stats/verdict.ts';
import {
  type Comparison,
  type Gate,
  isRegression,
  type MeasuredSide,
  sideSummary,
} from '../core/comparison.ts';
import {
  percent,
  ratioText,
  verdictAdvice,
  verdictBasis,
  verdictSentence,
} from '../core/verdict-sentence.ts';
import { parametersText } from './compare-parameters.ts';

/** The answer first, then the numbers of both sides, then what to know about them. */
export function comparisonText(comparison: Comparison, { hasColor }: Output): string {
  const colors = pc.createColors(hasColor);
  const { sides, judgement, notes, parameters } = comparison;
  const settings = parametersText(parameters);
  const advice = verdictAdvice(comparison);
  const paint = colors[VERDICT_COLORS[judgement.verdict]];
  const early = earlyText(comparison);
  const lines = [
    `${settings === '' ? '' : `${settings}: `}${paint(colors.bold(verdictSentence(comparison)))}  (${verdictBasis(comparison)})`,
    ...(advice === undefined ? [] : [advice]),
    ...(early === undefined ? [] : [early]),
    '',
    ...sideLines(sides.A),
    ...sideLines(sides.B),
    ...measureLines(comparison),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `${colors.yellow('note')}: ${visible(note)}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

export const VERDICT_COLORS: Readonly<Record<Verdict, 'green' | 'red' | 'cyan' | 'yellow'>> = {
  faster: 'green',
  slower: 'red',
  same: 'cyan',
  undecided: 'yellow',
};

function earlyText({ look, state, planned }: Comparison): string | undefined {
  if (!look || look.of === 1) return undefined;
  const when =
    state === 'decided'
      ? `Decided at look ${look.number} of ${look.of}, before all ${planned} pairs`
      : `Look ${look.number} of ${look.of}`;
  return `${when}; the level of the interval is corrected for more than one look.`;
}

/** Every measure with its interval, where there is more than one. */
function measureLines({ measures, decidedBy }: Comparison): readonly string[] {
  if (measures.length < 2) return [];
  const rows = measures.map(({ measure, judgement }) => [
    measureText(measure),
    ratioText(judgement),
    measure === decidedBy ? `${judgement.verdict}, decides` : judgement.verdict,
  ]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  return [
    '',
    ...rows.map(
      ([name = '', ratio = '', verdict = '']) =>
        `  ${name.padEnd(first)}   ${ratio.padEnd(second)}   ${verdict}`,
    ),
  ];
}

function sideLines(side: MeasuredSide): readonly string[] {
  const summary = sideSummary(side);
  const title = `  ${visible(side.name)}: ${visible(side.command)}`;
  if (!summary) return [title, '     no run was completed'];
  const { mean, stddev, min, max, user, system } = summary;
  const time = (value: number) => plainly(formatNumber(value, 's'));
  const spread = stddev === undefined ? '' : ` ± ${time(stddev)}`;
  const cpu =
    user === undefined || system === undefined ? '' : `   user ${cpuTime(user)}, system ${cpuTime(system)}`;
  return [title, `     ${time(mean)}${spread}   ${time(min)} … ${time(max)}${cpu}`];
}

/** Counted in steps of a millisecond: more digits would be invented. */
function cpuTime(seconds: number): string {
  return seconds < 0.1 ? `${(seconds * 1000).toFixed(1)} ms` : plainly(formatNumber(seconds, 's'));
}

/** The shape of hyperfine's --export-json, which many programs read; what we know beyond it has a key of its own. */
export function exportJson(comparisons: readonly Comparison[], gate: Gate): string {
  const results = comparisons.flatMap(({ sides, parameters }) =>
    [sides.A, sides.B].flatMap((side) => {
      const summary = sideSummary(side);
      if (!summary) return [];
      const { mean, stddev = null, median, user = 0, system = 0, min, max } = summary;
      const { times, exitCodes } = side;
      return [
        {
          command: label(side),
          mean,
          stddev,
          median,
          user,
          system,
          min,
          max,
          times,
          exit_codes: exitCodes,
          ...(Object.keys(parameters).length > 0 && { parameters }),
        },
      ];
    }),
  );
  const ours = comparisons.map((comparison) => comparisonJson(comparison, gate));
  return `${JSON.stringify({ results, nightmark: { comparisons: ours } }, null, 2)}\n`;
}

/** hyperfine's columns, then ours. */
export function exportCsv(comparisons: readonly Comparison[]): string {
  const names = Object.keys(comparisons[0]?.parameters ?? {});
  const measures = MEASURES.filter((measure) =>
    comparisons.some((comparison) => comparison.measures.some((one) => one.measure === measure)),
  );
  const head = [
    ...['command', 'mean', 'stddev', 'median', 'user', 'system', 'min', 'max'],
    ...names.map((name) => `parameter_${name}`),
    ...['side', 'verdict', 'ratio', 'ratio_low', 'ratio_high', 'level', 'pairs', 'mode', 'decided_by'],
    ...measures.flatMap((measure) =>
      ['verdict', 'ratio', 'ratio_low', 'ratio_high', 'level'].map(
        (column) => `${measure.replace('-', '_')}_${column}`,
      ),
    ),
  ];
  const rows = comparisons.flatMap(({ sides, parameters, judgement, mode, decidedBy, measures: judged }) =>
    (['A', 'B'] as const).flatMap((side) => {
      const summary = sideSummary(sides[side]);
      if (!summary) return [];
      const { mean, stddev, median, user, system, min, max } = summary;
      const { verdict, effect, runs } = judgement;
      const numbers = [mean, stddev, median, user, system, min, max];
      const ours = [side, verdict, effect?.ratio, effect?.low, effect?.high, effect?.level, runs, mode];
      const each = measures.flatMap((measure) => {
        const found = judged.find((one) => one.measure === measure)?.judgement;
        const { ratio, low, high, level } = found?.effect ?? {};
        return [found?.verdict, ratio, low, high, level];
      });
      const values = names.map((name) => parameters[name]);
      return [[label(sides[side]), ...numbers, ...values, ...ours, decidedBy, ...each]];
    }),
  );
  return `${[head, ...rows].map((row) => row.map((cell) => csvCell(String(cell ?? ''))).join(',')).join('\n')}\n`;
}

/** hyperfine's table, with the ratio's interval and the verdict beside. */
export function exportMarkdown(comparisons: readonly Comparison[]): string {
  const times = comparisons.flatMap(({ sides }) => [...sides.A.times, ...sides.B.times]);
  const [unit, size] = times.length > 0 && Math.max(...times.slice(0, 1000)) >= 1 ? ['s', 1] : ['ms', 1000];
  const lines = [
    `| Command | Mean [${unit}] | Min [${unit}] | Max [${unit}] | Relative | Interval | Verdict |`,
    '|:---|---:|---:|---:|---:|---:|:---|',
  ];
  for (const { sides, judgement } of comparisons) {
    for (const side of ['A', 'B'] as const) {
      const summary = sideSummary(sides[side]);
      if (!summary) continue;
      const show = (seconds: number) => (seconds * size).toFixed(unit === 's' ? 3 : 1);
      const spread = summary.stddev === undefined ? '' : ` ± ${show(summary.stddev)}`;
      const { effect, verdict } = judgement;
      const ours =
        side === 'A' || !effect
          ? [side === 'A' ? '1.00' : '', '', '']
          : [
              effect.ratio.toFixed(3),
              `${effect.low.toFixed(3)} to ${effect.high.toFixed(3)} (${percent(effect.level)})`,
              verdict,
            ];
      const cells = [`${show(summary.mean)}${spread}`, show(summary.min), show(summary.max), ...ours];
      lines.push(`| ${markdownCode(label(sides[side]))} | ${cells.join(' | ')} |`);
    }
  }
  return `${[...lines, ...measureTable(comparisons)].join('\n')}\n`;
}

/** Below the table of commands, where more than wall time was judged. */
function measureTable(comparisons: readonly Comparison[]): readonly string[] {
  if (comparisons.every(({ measures }) => measures.length < 2)) return [];
  const rows = comparisons.flatMap(({ sides, measures, decidedBy }) =>
    measures.map(({ measure, judgement: { effect, verdict } }) => {
      const interval = effect
        ? [
            effect.ratio.toFixed(3),
            `${effect.low.toFixed(3)} to ${effect.high.toFixed(3)} (${percent(effect.level)})`,
          ]
        : ['', ''];
      const cells = [
        measureText(measure),
        ...interval,
        `${verdict}${measure === decidedBy ? ', decides' : ''}`,
      ];
      return `| ${markdownCode(label(sides.B))} | ${cells.join(' | ')} |`;
    }),
  );
  return ['', '| Command | Measure | Relative | Interval | Verdict |', '|:---|:---|---:|---:|:---|', ...rows];
}

/** hyperfine puts a name in place of the command; A and B are the default names. */
function label({ name, command }: MeasuredSide): string {
  return name === 'A' || name === 'B' ? command : name;
}

/** A fence longer than any run of backticks inside; a pipe would end the cell. */
function markdownCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')}${pad}${fence}`;
}

/** What --json prints for a comparison; described in docs/reference/duet-json.md. Times are seconds. */
export function comparisonJson(comparison: Comparison, gate: Gate) {
  const { judgement, measures, absent, decidedBy, sides, notes, skewNs, ...rest } = comparison;
  const { minEffect, runs, correlation } = judgement;
  return {
    ...judgementJson(judgement),
    sentence: verdictSentence(comparison),
    decidedBy,
    measures: Object.fromEntries(
      measures.map((one) => [one.measure, { ...judgementJson(one.judgement), runs: one.judgement.runs }]),
    ),
    absent: Object.fromEntries(absent.map(({ measure, reason }) => [measure, reason])),
    minEffect,
    allow: gate.allow,
    regression: isRegression(comparison, gate),
    pairs: Math.min(sides.A.times.length, sides.B.times.length),
    runs,
    ...(correlation !== undefined && { correlation }),
    ...rest,
    ...(skewNs !== undefined && { skew: skewNs / 1e9 }),
    sides: { A: sideJson(sides.A), B: sideJson(sides.B) },
    notes,
  };
}

function judgementJson({ verdict, likely, effect, estimand, p }: Judgement) {
  return {
    verdict,
    ...(likely && { likely }),
    ...(effect && {
      ratio: effect.ratio,
      interval: { low: effect.low, high: effect.high, level: effect.level },
      estimand,
    }),
    ...(p !== undefined && { p }),
  };
}

function sideJson(side: MeasuredSide) {
  const { name, command, times, exitCodes, measured } = side;
  return { name, command, ...sideSummary(side), times, exitCodes, ...(measured && { measured }) };
}
