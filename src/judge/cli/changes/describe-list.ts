import pc from 'picocolors';
import { seriesText } from '../../../home/core/changes/change.ts';
import { type FollowedChange, isOpen } from '../../../home/core/changes/change-ledger.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { ChangeList, HiddenBy } from '../../app/changes/list-changes.ts';
import { type ChangeGroup, groupChanges } from '../../core/changes/change-groups.ts';
import {
  absenceText,
  certaintyText,
  goodText,
  groupTitle,
  levelsText,
  sizeText,
} from '../../core/changes/change-text.ts';

type Colors = ReturnType<typeof pc.createColors>;

const MAX_NAME = 60;
const MAX_ABSENCES = 10;

/** The answer in a sentence, events with a line for each change, what is missing, and what is hidden. */
export function describeList(list: ChangeList, hasColor: boolean): string {
  const colors = pc.createColors(hasColor);
  const { changes, absences } = list;
  const cells = new Map(changes.map((change) => [change, cellsOf(change)]));
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(0, ...[...cells.values()].map((row) => row[column]?.length ?? 0)),
  );
  const lineOf = (change: FollowedChange) => {
    const row = cells.get(change) ?? [];
    const text = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    return colored(text.trimEnd(), change, colors);
  };
  const lines = groupChanges(changes).flatMap((group) => eventLines(group, lineOf, colors));
  const missing = absences.slice(0, MAX_ABSENCES).map((absence) => `  ${absenceText(absence)}`);
  if (absences.length > MAX_ABSENCES)
    missing.push(`  and ${absences.length - MAX_ABSENCES} more without new values: --json`);
  const all = [headline(list), ...lines, ...missing, ...hiddenLine(list)];
  if (list.openUnknown > 0)
    all.push('Which direction is good: nightmark directions HOME PATTERN lower|higher|none');
  if (changes.length > 0)
    all.push(
      colors.dim(
        'More about one: nightmark changes show ID. To accept it: nightmark changes triage ID --state expected',
      ),
    );
  return `${all.join('\n')}\n`;
}

/** The commits, the changes that begin with them, and what else is known; the same explanation is given once. */
function eventLines(
  { changes }: ChangeGroup,
  lineOf: (change: FollowedChange) => string,
  colors: Colors,
): readonly string[] {
  const title = groupTitle(changes[0]);
  const indent = title === '' ? '  ' : '    ';
  const lines = title === '' ? [] : [`  ${colors.bold(title)}`];
  let last: string | undefined;
  for (const change of changes) {
    lines.push(`${indent}${lineOf(change)}`);
    const why = explanationOf(change);
    if (why !== undefined && why !== last) lines.push(colors.dim(`${indent}  ${why}`));
    last = why ?? last;
  }
  return lines;
}

/** Of those that wait for somebody. */
function explanationOf(change: FollowedChange): string | undefined {
  return change.explanation && isOpen(change) ? visible(change.explanation) : undefined;
}

function headline(list: ChangeList): string {
  const { changes, openRegressions, openMachineEvents, openUnknown, heldBack } = list;
  const regressions =
    openRegressions === 0 ? 'no open regression' : counted(openRegressions, 'open regression');
  const unknown = openUnknown === 0 ? '' : `, ${openUnknown} open of unknown direction`;
  const machines =
    openMachineEvents === 0 ? '' : `, ${counted(openMachineEvents, 'open event')} of a machine`;
  const held = heldBack === 0 ? '' : `, ${counted(heldBack, 'newest value')} held back as likely chance`;
  const events = groupChanges(changes).length;
  const together = events < changes.length ? ` in ${counted(events, 'event')}` : '';
  return plainly(
    `${counted(changes.length, 'change')}${together}, ${regressions}${machines}${unknown}${held}`,
  );
}

function cellsOf(change: FollowedChange): readonly string[] {
  const { id, at, series, p, moved, hardware } = change;
  const name = visible(seriesText(series));
  return [
    id,
    day(at),
    stateText(change),
    name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 3)}...` : name,
    `${sizeText(change)}${goodText(change)}`,
    moved === undefined ? (hardware === undefined ? levelsText(change) : '') : `${moved} moved together`,
    hardware === undefined ? certaintyText(p) : '',
  ];
}

export function stateText({ state, isProvisional, withdrawnAt }: FollowedChange): string {
  if (withdrawnAt !== undefined) return 'withdrawn';
  return isProvisional ? `${state}, provisional` : state;
}

export function day(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'unknown day' : date.toISOString().slice(0, 10);
}

const HIDDEN: Readonly<Record<HiddenBy, string>> = {
  withdrawn: 'withdrawn (--state withdrawn)',
  state: 'in other states',
  experiment: 'of other experiments',
  metric: 'of other metrics',
  machine: 'of other machines',
  since: 'older',
  direction: 'of another direction',
  limit: 'beyond --limit',
};

function hiddenLine({ hidden }: ChangeList): readonly string[] {
  const parts = (Object.keys(HIDDEN) as HiddenBy[])
    .filter((by) => hidden[by] > 0)
    .map((by) => `${hidden[by]} ${HIDDEN[by]}`);
  return parts.length === 0 ? [] : [`Not shown: ${parts.join(', ')}.`];
}

function colored(text: string, change: FollowedChange | undefined, colors: Colors): string {
  if (!change || change.withdrawnAt !== undefined) return colors.dim(text);
  if (!isOpen(change)) return colors.dim(text);
  if (change.isLikely) return text;
  return change.direction === 'worse'
    ? colors.red(text)
    : change.direction === 'better'
      ? colors.green(text)
      : text;
}
