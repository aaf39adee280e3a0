import pc from 'picocolors';
import type { Output } from '../../platform/cli/context.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { DuetAnalysis, GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { groupNamer, probability } from '../core/analysis/group-text.ts';
import { alignTable, analysisNotes, MAX_ROWS, moreRows } from './analysis-table.ts';

/** The original's verdict: equal unless the interval of A - B leaves 0 out. */
export function isSlowerByOriginal({ thesis }: GroupAnalysis): boolean {
  return thesis !== undefined && !thesis.equal && thesis.mid < 0;
}

/** What the original's tests say: interval of A - B over run means, u-test over iterations, ICPE 2020 ratio A / B. */
export function compatText(analysis: DuetAnalysis, { hasColor }: Output): string {
  const { groups } = analysis;
  const colors = pc.createColors(hasColor);
  const blocks = [
    colors.bold(headline(groups)),
    table(groups).join('\n'),
    analysisNotes(analysis, groupNamer(groups))
      .map((note) => `${colors.yellow('note')}: ${note}`)
      .join('\n'),
    groups.length === 0
      ? ''
      : "These are the original's verdicts; without --compat fewer equal sides are called different.",
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function headline(groups: readonly GroupAnalysis[]): string {
  const tested = groups.filter(({ thesis }) => thesis !== undefined);
  const equal = tested.filter(({ thesis }) => thesis?.equal).length;
  const slower = tested.filter(isSlowerByOriginal).length;
  const parts = [`${equal} equal`, `${slower} B slower`, `${tested.length - equal - slower} A slower`];
  const untested = groups.length - tested.length;
  return `${parts.join(', ')}${untested > 0 ? `, ${untested} without an interval` : ''}.`;
}

function table(groups: readonly GroupAnalysis[]): readonly string[] {
  if (groups.length === 0) return [];
  const header = [
    'verdict',
    'benchmark',
    'type',
    'environment',
    'A - B',
    'error',
    'width',
    'u-test',
    'A / B (99 %)',
  ];
  const rows = groups
    .slice(0, MAX_ROWS)
    .map((group) => [
      verdict(group),
      visible(`${group.suite}/${group.benchmark}`),
      group.type,
      visible(group.environment),
      ...thesisCells(group),
      group.mannWhitney
        ? `${group.mannWhitney.equal ? 'equal' : 'not equal'} ${probability(group.mannWhitney.p)}`
        : '-',
      group.icpe
        ? `${group.icpe.ratio.toFixed(4)} [${group.icpe.low.toFixed(4)}, ${group.icpe.high.toFixed(4)}]`
        : '-',
    ]);
  return [...alignTable([header, ...rows], new Set(['A - B', 'error', 'width'])), ...moreRows(groups.length)];
}

function verdict(group: GroupAnalysis): string {
  if (!group.thesis) return 'no interval';
  if (group.thesis.equal) return 'equal';
  return isSlowerByOriginal(group) ? 'B slower' : 'A slower';
}

function thesisCells({ thesis }: GroupAnalysis): readonly [string, string, string] {
  if (!thesis) return ['-', '-', '-'];
  const time = (ns: number) => plainly(formatNumber(ns / 1e9, 's'));
  return [time(thesis.mid), time(thesis.error), `${(100 * thesis.relativeWidth).toFixed(2)} %`];
}
