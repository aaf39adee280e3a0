import pc from 'picocolors';
import type { Output } from '../../platform/cli/context.ts';
import { counted, formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { RatioEffect, Verdict } from '../../stats/verdict.ts';
import type { DuetAnalysis, GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { effectText, groupNamer, headline, percent } from '../core/analysis/group-text.ts';
import { verdictSentence } from '../core/verdict-sentence.ts';
import { alignTable, analysisNotes, MAX_ROWS, moreRows } from './analysis-table.ts';

/** The answer first, then one row for each comparison, then what weakens them, then where there is more. */
export function analysisText(analysis: DuetAnalysis, { hasColor }: Output): string {
  const { groups, options } = analysis;
  const colors = pc.createColors(hasColor);
  const name = groupNamer(groups);
  const blocks = [
    colors.bold(
      groups.length === 1 ? sentence(groups[0] as GroupAnalysis) : headline(groups, options.minEffect),
    ),
    table(groups, colors),
    analysisNotes(analysis, name)
      .map((note) => `${colors.yellow('note')}: ${note}`)
      .join('\n'),
    groups.length === 0
      ? ''
      : `Every run and other estimators: --json. Timelines and intervals to look at: --html FILE.`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

type Colors = ReturnType<typeof pc.createColors>;

const COLORS: Readonly<Record<Verdict, 'green' | 'red' | 'cyan' | 'yellow'>> = {
  faster: 'green',
  slower: 'red',
  same: 'cyan',
  undecided: 'yellow',
};

/** "B is 2.1 % slower than A: suite/benchmark, 95 % interval +1.5 to +2.7 %; 20 runs, 1 204 pairs." */
function sentence({ judgement, suite, benchmark, counts }: GroupAnalysis): string {
  const answer = verdictSentence({ judgement, sides: { A: { name: 'A' }, B: { name: 'B' } } });
  const { effect, runs } = judgement;
  const interval = effect
    ? `, ${percent(effect.level)} interval ${change(effect.low)} to ${change(effect.high)} %`
    : '';
  const basis = plainly(`${counted(runs, 'run')}, ${counted(counts.pairs, 'pair')}`);
  return `${answer}: ${visible(`${suite}/${benchmark}`)}${interval}; ${basis}.`;
}

function table(groups: readonly GroupAnalysis[], colors: Colors): string {
  if (groups.length === 0) return '';
  const hasPlaces = new Set(groups.map(({ environment }) => environment)).size > 1;
  const header = [
    'verdict',
    'benchmark',
    'type',
    ...(hasPlaces ? ['place'] : []),
    'B / A',
    'change',
    'runs',
    'pairs',
  ];
  const rows = groups
    .slice(0, MAX_ROWS)
    .map((group) => [
      group.judgement.verdict,
      visible(`${group.suite}/${group.benchmark}`),
      group.type,
      ...(hasPlaces ? [visible(group.environment)] : []),
      ...effectCells(group.judgement.effect),
      String(group.judgement.runs),
      plainly(formatNumber(group.counts.pairs)),
    ]);
  const paint = (line: string, row: number) => {
    const verdict = groups[row]?.judgement.verdict ?? 'undecided';
    return line.replace(verdict, colors[COLORS[verdict]](verdict));
  };
  const lines = alignTable([header, ...rows], new Set(['runs', 'pairs']));
  return [colors.dim(lines[0] ?? ''), ...lines.slice(1).map(paint), ...moreRows(groups.length)].join('\n');
}

/** "1.021 [1.012, 1.030]" and the same as "+2.1 % [+1.2, +3.0]". */
function effectCells(effect: RatioEffect | undefined): readonly [string, string] {
  if (!effect) return ['-', '-'];
  const { ratio, low, high } = effect;
  return [effectText(effect), `${change(ratio)} % [${change(low)}, ${change(high)}]`];
}

/** Of a ratio, in percent and with its sign; two decimals where they mean something. */
function change(ratio: number): string {
  const size = 100 * (ratio - 1);
  const digits = Math.abs(size).toFixed(Math.abs(size) < 10 ? 2 : 1);
  if (Number(digits) === 0) return digits;
  return `${size < 0 ? '-' : '+'}${digits}`;
}
