import pc from 'picocolors';
import { counted, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { CompareView, SideView } from '../../app/compare/compare-view.ts';
import { answerText, rowEffectText, rowVerdictText } from '../../core/compare/compare-text.ts';
import { type ComparedRow, hiddenUndecided, isNotable } from '../../core/compare/compared-row.ts';
import type { Difference } from '../../core/compare/differing-facts.ts';
import { listText, shortText } from '../../core/explain/explanation-text.ts';

type Colors = ReturnType<typeof pc.createColors>;

const MAX_NAME = 60;
const MAX_ROWS = 100;
const MAX_FACTS = 12;

export interface DescribeOptions {
  readonly hasColor: boolean;
  /** Also what is the same or undecided. */
  readonly isAll: boolean;
}

/** The answer, the two sides, a line for each series that differs, what else differs, and what is not shown. */
export function describeComparison(view: CompareView, { hasColor, isAll }: DescribeOptions): string {
  const colors = pc.createColors(hasColor);
  const chosen = isAll ? view.rows : view.rows.filter(isNotable);
  const shown = isAll ? chosen : chosen.slice(0, MAX_ROWS);
  const lines = [
    colors.bold(answerText(view.counts)),
    `base ${sideText(view.base)}`,
    `head ${sideText(view.head)}`,
    ...table(shown, colors),
    ...failureLines(view, colors),
    ...differenceLines(view, colors),
    ...[...view.differences.notes, ...view.notes].map((note) => `Note: ${visible(note)}`),
    ...hiddenLine(view, { differing: chosen.length - shown.length, isAll }),
  ];
  return `${plainly(lines.join('\n'))}\n`;
}

function sideText({ runs, matched, asked }: SideView): string {
  const [newest] = runs;
  if (newest === undefined) return visible(asked);
  const machines = [...new Set(runs.flatMap(({ machine }) => machine ?? []))];
  const commits = new Set(
    runs.flatMap((run) => Object.entries(run.commits).map(([name, hash]) => `${name}@${hash}`)),
  );
  const many = matched > runs.length ? `, the newest of ${matched}` : '';
  const which = runs.length === 1 ? newest.id : `${runs.length} runs${many}, up to ${newest.id}`;
  const facts = [...machines, ...(commits.size <= 3 ? commits : [`${commits.size} commits`])];
  return visible(facts.length === 0 ? which : `${which} (${facts.join(', ')})`);
}

function table(rows: readonly ComparedRow[], colors: Colors): readonly string[] {
  const cells = rows.map((row) => {
    const name = visible([row.experiment, ...row.path].join('/'));
    const value = (side: ComparedRow['base']) => (side ? plainly(formatNumber(side.value, row.unit)) : '-');
    return [
      row.verdict === 'undecided' && !row.likely ? '~' : rowVerdictText(row),
      name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 3)}...` : name,
      rowEffectText(row),
      `${value(row.base)} -> ${value(row.head)}`,
    ];
  });
  const widths = [0, 1, 2].map((column) =>
    cells.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return cells.map((row, index) => {
    const text = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
    return `  ${colored(text, rows[index]?.verdict, colors)}`;
  });
}

function colored(text: string, verdict: ComparedRow['verdict'] | undefined, colors: Colors): string {
  if (verdict === 'slower' || verdict === 'failed') return colors.red(text);
  if (verdict === 'faster') return colors.green(text);
  return verdict === 'same' || verdict === 'undecided' ? colors.dim(text) : text;
}

function failureLines({ failures }: CompareView, colors: Colors): readonly string[] {
  return failures
    .filter(({ side }) => side === 'head')
    .slice(0, MAX_FACTS)
    .map(({ experiment, failedStage, failed, of }) => {
      const many = of > 1 ? ` in ${failed} of ${of} runs` : '';
      const stage = failedStage === undefined ? '' : `, ${failedStage} stage`;
      return `  ${colors.red(`failed  ${visible(experiment)}${stage}${many}`)}`;
    });
}

function differenceLines({ differences }: CompareView, colors: Colors): readonly string[] {
  const { differing, equal, oneSided } = differences;
  if (differing.length + equal + oneSided === 0) return [];
  const rest = `${equal} recorded facts are the same${oneSided > 0 ? `, ${oneSided} recorded on one side only` : ''}`;
  if (differing.length === 0) return [colors.dim(`Nothing else that is recorded differs: ${rest}.`)];
  const shown = differing.slice(0, MAX_FACTS).map((one) => `  ${factText(one)}`);
  const more = differing.length - shown.length;
  const left = more > 0 ? `${counted(more, 'more difference')} with --json; ` : '';
  return ['What else differs:', ...shown, colors.dim(`  ${left}${rest}.`)];
}

function factText({ group, name, base, head, unit, experiments }: Difference): string {
  const text = (values: Difference['base']) =>
    listText(
      values.map((value) =>
        typeof value === 'number' && unit !== undefined
          ? formatNumber(value, unit)
          : shortText(String(value)),
      ),
    );
  const what = group === 'source' ? `commit of ${shortText(name)}` : shortText(name);
  const where = experiments.length > 0 ? ` (${listText(experiments.map((one) => shortText(one)))})` : '';
  return `${what}${where}: ${text(base)} -> ${text(head)}`;
}

function hiddenLine(
  { counts, details }: CompareView,
  { differing, isAll }: { readonly differing: number; readonly isAll: boolean },
): readonly string[] {
  const hidden = [
    ...(differing > 0 ? [`${differing} more that differ`] : []),
    ...(!isAll && counts.same > 0 ? [`${counts.same} the same`] : []),
    ...(!isAll && hiddenUndecided(counts) > 0 ? [`${hiddenUndecided(counts)} undecided`] : []),
  ];
  const held =
    counts.heldBack > 0
      ? ` ${counts.heldBack} of the undecided are held back: among so many some look different by chance.`
      : '';
  return [
    ...(hidden.length > 0
      ? [`Not shown: ${hidden.join(', ')} (--all).${held}`]
      : held === ''
        ? []
        : [held.trim()]),
    ...(details > 0
      ? [`Not compared: ${counted(details, 'spread or count', 'spreads and counts')} (--details).`]
      : []),
  ];
}
