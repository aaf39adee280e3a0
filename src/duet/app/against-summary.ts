import { measureText } from '../../executors/core/measures.ts';
import type { Side, Version } from '../../git/core/version-pairs.ts';
import type { Machine } from '../../home/core/run.ts';
import { codeBlock, codeSpan, plainMarkdown, tableCell } from '../../platform/core/text/markdown.ts';
import { formatNumber } from '../../platform/core/text/numbers.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { type Comparison, type MeasuredSide, sideSummary } from '../core/comparison.ts';
import { percent, ratioText, verdictBasis, verdictSentence } from '../core/verdict-sentence.ts';
import type { Against } from './prepare-against.ts';

export interface SummaryFacts {
  readonly comparison: Comparison;
  readonly against: Against;
  readonly machine: Machine;
  /** As a fraction. */
  readonly allow: number;
  readonly isRegression: boolean;
  /** What to type for the same comparison again. */
  readonly again: string;
}

/** A Markdown page for a pull request: the verdict first, then what it rests on. */
export function againstSummary(facts: SummaryFacts): string {
  const { comparison, against, machine, again } = facts;
  const notes = comparison.notes.map((note) => `- ${plainMarkdown(note)}`);
  return [
    `### ${plainMarkdown(heading(facts))}\n`,
    `${verdictBasis(comparison)}.\n`,
    table(comparison, against),
    ...measureTable(comparison),
    [
      `- Measured: ${codeSpan(comparison.sides.B.command)}${against.folder === '' ? '' : ` in ${codeSpan(against.folder)}`}`,
      ...(against.build === undefined ? [] : [`- Built by: ${codeSpan(against.build)}`]),
      `- Baseline: ${baselineText(against)}`,
      `- Machine: ${plainMarkdown(machineText(machine))}`,
      '',
    ].join('\n'),
    ...(notes.length === 0 ? [] : [`Notes:\n\n${notes.join('\n')}\n`]),
    `To reproduce:\n\n${codeBlock(againLines(against, again), 'sh')}`,
  ].join('\n');
}

function heading({ comparison, isRegression, allow }: SummaryFacts): string {
  const sentence = verdictSentence(comparison);
  const text = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
  const { verdict, effect } = comparison.judgement;
  if (verdict !== 'slower' || allow === 0 || !effect) return text;
  const how = isRegression ? 'more than' : effect.ratio > 1 + allow ? 'not surely more than' : 'within';
  return `${text} (${how} the allowed ${percent(allow)})`;
}

function table({ sides }: Comparison, against: Against): string {
  const rows = (['A', 'B'] as const).map((side) => {
    const cells = [side, versionText(side, against.sides[side].version), ...numbers(sides[side])];
    return `| ${cells.map(tableCell).join(' | ')} |`;
  });
  return [
    '| | version | mean | min | max | user | system |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Where more than wall time was judged. */
function measureTable({ measures, decidedBy }: Comparison): readonly string[] {
  if (measures.length < 2) return [];
  const rows = measures.map(({ measure, judgement }) => {
    const verdict = measure === decidedBy ? `${judgement.verdict}, decides` : judgement.verdict;
    return `| ${measureText(measure)} | ${ratioText(judgement)} | ${verdict} |`;
  });
  return [['| measure | B / A | verdict |', '|---|---|---|', ...rows, ''].join('\n')];
}

function versionText(side: Side, { shortCommit, date, subject, isChanged }: Version): string {
  const commit = `${codeSpan(shortCommit)} ${date.slice(0, 10)} ${codeSpan(subject)}`;
  if (side === 'A') return commit;
  return isChanged ? `${commit} with uncommitted changes` : commit;
}

function numbers(side: MeasuredSide): readonly string[] {
  const summary = sideSummary(side);
  if (!summary) return ['', '', '', '', ''];
  const seconds = (value: number | undefined) => (value === undefined ? '' : formatNumber(value, 's'));
  const { mean, stddev, min, max, user, system } = summary;
  const spread = stddev === undefined ? '' : ` ± ${seconds(stddev)}`;
  return [`${seconds(mean)}${spread}`, ...[min, max, user, system].map(seconds)];
}

function baselineText({ ref, base, sides }: Against): string {
  const commit = codeSpan(sides.A.version.commit);
  return base === 'ref' ? `${codeSpan(ref)}, ${commit}` : `the merge base with ${codeSpan(ref)}, ${commit}`;
}

function machineText({ id, facts }: Machine): string {
  const known = (name: string, text: (value: unknown) => string) =>
    facts[name] === undefined ? [] : [text(facts[name])];
  return [
    ...known('cpu', String),
    ...known('cores', (cores) => `${cores} cores`),
    ...known('threads', (threads) => `${threads} threads`),
    ...known('kernel', (kernel) => `kernel ${kernel}`),
    ...known('os', String),
    ...known('virtualization', (guest) => `virtual machine (${guest})`),
    ...known('container', (kind) => `in ${kind}`),
    `id ${id}`,
  ].join(', ');
}

function againLines({ prefix, sides: { B } }: Against, again: string): readonly string[] {
  const { commit, isChanged } = B.version;
  const checkOut = `git checkout --detach ${commit}${isChanged ? '  # and the uncommitted changes' : ''}`;
  return [checkOut, ...(prefix === '' ? [] : [`cd ${shellQuote(prefix)}`]), again];
}
