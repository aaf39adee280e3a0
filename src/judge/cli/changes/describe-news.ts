import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { JudgeReport } from '../../app/changes/judge-home.ts';
import { NOT_JUDGED } from '../../app/series/stored-judgements.ts';
import { absenceText, absenteeText, changeText } from '../../core/changes/change-text.ts';

const MAX_LINES = 10;

/** "The rules of the definition changed: 300 series were judged again; 2 changes found, 1 withdrawn." */
export function describeRejudged({ rejudged = '', judged, found, withdrawn }: JudgeReport): string {
  const what = [
    ...(found.length > 0 ? [`${counted(found.length, 'change')} found`] : []),
    ...(withdrawn.length > 0 ? [`${withdrawn.length} withdrawn`] : []),
  ];
  const reason = `${rejudged.charAt(0).toUpperCase()}${rejudged.slice(1)}`;
  const findings = what.length === 0 ? 'nothing new' : what.join(', ');
  return plainly(`${reason}: ${counted(judged, 'series', 'series')} judged; ${findings}.`);
}

/** Changes and absences found after a run, a line each. */
export function describeNews(report: JudgeReport): readonly string[] {
  const { news, older, missing, returned, heldBack, directed, rejudged = NOT_JUDGED } = report;
  const lines = rejudged === NOT_JUDGED ? [] : [describeRejudged(report)];
  if (directed.length > 0) lines.push(directedLine(directed));
  if (news.length > 0) {
    lines.push(`${counted(news.length, 'change')}:`);
    for (const change of news.slice(0, MAX_LINES)) {
      lines.push(`  ${change.id}  ${changeText(change)}`);
      if (change.explanation) lines.push(`    ${visible(change.explanation)}`);
    }
    if (news.length > MAX_LINES) lines.push(`  and ${news.length - MAX_LINES} more: nightmark changes`);
  }
  if (older > 0) lines.push(`${counted(older, 'change')} further back in history: nightmark changes`);
  if (heldBack > 0)
    lines.push(
      `${counted(heldBack, 'newest value')} held back: among so many series some look changed by chance.`,
    );
  for (const absence of missing.slice(0, MAX_LINES)) lines.push(`${absenceText(absence)}.`);
  if (missing.length > MAX_LINES)
    lines.push(`and ${missing.length - MAX_LINES} more without new values: nightmark changes`);
  for (const absentee of returned.slice(0, MAX_LINES)) lines.push(`${absenteeText(absentee)} is back.`);
  if (returned.length > MAX_LINES) lines.push(`and ${returned.length - MAX_LINES} more are back.`);
  return lines.map(plainly);
}

/** Once, where the direction of known changes became another one. */
export function directedLine(directed: readonly FollowedChange[]): string {
  const count = (way: FollowedChange['direction']) =>
    directed.filter(({ direction }) => direction === way).length;
  const [worse, better, unknown] = [count('worse'), count('better'), count('unknown')];
  const parts = [
    ...(worse > 0 ? [`${worse} worse`] : []),
    ...(better > 0 ? [`${better} better`] : []),
    ...(unknown > 0 ? [`${unknown} neither`] : []),
  ];
  const which = counted(directed.length, 'known change has', 'known changes have');
  return `${which} another direction now: ${parts.join(', ')} (nightmark directions).`;
}
