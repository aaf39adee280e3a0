import pc from 'picocolors';
import type { Output } from '../../platform/cli/command.ts';
import { counted, formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { RatioEffect } from '../../stats/verdict.ts';
import type { DuetAnalysis, GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { effectText, groupNamer, headline, percent, probability } from '../core/analysis/group-text.ts';
import { verdictSentence } from '../core/verdict-sentence.ts';
import { VERDICT_COLORS } from './compare-output.ts';

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
      : `Every run and other estimators: --json. Timelines and intervals: --html FILE.`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

type Colors = ReturnType<typeof pc.createColors>;

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
  const hasCpu = groups.some(({ cpu }) => cpu !== undefined);
  const header = [
    'verdict',
    'benchmark',
    'type',
    ...(hasPlaces ? ['place'] : []),
    'B / A',
    'change',
    ...(hasCpu ? ['CPU time, B / A'] : []),
    'runs',
    'pairs',
  ];
  const rows = groups
    .slice(0, MAX_ROWS)
    .map((group) => [
      shortVerdict(group),
      visible(`${group.suite}/${group.benchmark}`),
      group.type,
      ...(hasPlaces ? [visible(group.environment)] : []),
      ...effectCells(group.judgement.effect),
      ...(hasCpu ? [group.cpu?.effect ? effectText(group.cpu.effect) : '-'] : []),
      String(group.judgement.runs),
      plainly(formatNumber(group.counts.pairs)),
    ]);
  const paint = (line: string, row: number) => {
    const group = groups[row];
    if (!group) return line;
    const text = shortVerdict(group);
    return line.replace(text, colors[VERDICT_COLORS[group.judgement.verdict]](text));
  };
  const lines = alignTable([header, ...rows], new Set(['runs', 'pairs']));
  return [colors.dim(lines[0] ?? ''), ...lines.slice(1).map(paint), ...moreRows(groups.length)].join('\n');
}

function shortVerdict({ judgement: { verdict, likely } }: GroupAnalysis): string {
  return likely === undefined ? verdict : `likely ${likely}`;
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

/** The original's verdict: equal unless the interval of A - B leaves 0 out. */
export function isSlowerByOriginal({ thesis }: GroupAnalysis): boolean {
  return thesis !== undefined && !thesis.equal && thesis.mid < 0;
}

/** What the original's tests say: interval of A - B over run means, u-test over iterations, ICPE 2020 ratio A / B. */
export function compatText(analysis: DuetAnalysis, { hasColor }: Output): string {
  const { groups } = analysis;
  const colors = pc.createColors(hasColor);
  const blocks = [
    colors.bold(compatHeadline(groups)),
    compatTable(groups).join('\n'),
    analysisNotes(analysis, groupNamer(groups))
      .map((note) => `${colors.yellow('note')}: ${note}`)
      .join('\n'),
    groups.length === 0
      ? ''
      : "These are the original's verdicts; without --compat fewer equal sides are called different.",
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function compatHeadline(groups: readonly GroupAnalysis[]): string {
  const tested = groups.filter(({ thesis }) => thesis !== undefined);
  const equal = tested.filter(({ thesis }) => thesis?.equal).length;
  const slower = tested.filter(isSlowerByOriginal).length;
  const parts = [`${equal} equal`, `${slower} B slower`, `${tested.length - equal - slower} A slower`];
  const untested = groups.length - tested.length;
  return `${parts.join(', ')}${untested > 0 ? `, ${untested} without an interval` : ''}.`;
}

function compatTable(groups: readonly GroupAnalysis[]): readonly string[] {
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
      compatVerdict(group),
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

function compatVerdict(group: GroupAnalysis): string {
  if (!group.thesis) return 'no interval';
  if (group.thesis.equal) return 'equal';
  return isSlowerByOriginal(group) ? 'B slower' : 'A slower';
}

function thesisCells({ thesis }: GroupAnalysis): readonly [string, string, string] {
  if (!thesis) return ['-', '-', '-'];
  const time = (ns: number) => plainly(formatNumber(ns / 1e9, 's'));
  return [time(thesis.mid), time(thesis.error), `${(100 * thesis.relativeWidth).toFixed(2)} %`];
}

/** A thousand comparisons still fit a screen; --json has them all. */
const MAX_ROWS = 60;
const MAX_NOTES = 15;

/** Rows of equal width; the first row names the columns, of which those in `right` end at the same place. */
function alignTable(rows: readonly (readonly string[])[], right: ReadonlySet<string>): readonly string[] {
  const header = rows[0] ?? [];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return right.has(header[column] ?? '') ? cell.padStart(width) : cell.padEnd(width);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

function moreRows(count: number): readonly string[] {
  return count > MAX_ROWS ? [`  and ${count - MAX_ROWS} more: --json`] : [];
}

/** What was left out, then what weakens the comparisons; a note that several share is printed once. */
function analysisNotes(
  { notes, groups }: DuetAnalysis,
  name: (group: GroupAnalysis) => string,
): readonly string[] {
  const whose = new Map<string, GroupAnalysis[]>();
  for (const group of groups) {
    for (const note of group.judgement.notes) whose.set(note, [...(whose.get(note) ?? []), group]);
  }
  const about = [...whose].map(([note, about]) => {
    const [first] = about as [GroupAnalysis, ...GroupAnalysis[]];
    if (groups.length === 1) return visible(note);
    const names = about.length === 1 ? name(first) : `${name(first)} and ${about.length - 1} more`;
    return visible(`${names}: ${note}`);
  });
  const all = [...notes.map(visible), ...about];
  const rest = all.length - MAX_NOTES;
  return rest > 0 ? [...all.slice(0, MAX_NOTES), `${rest} more notes: --json`] : all;
}
